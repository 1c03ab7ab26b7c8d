"""A run that goes on in the background: calls side by side in one thread, every step in the journal first.

What a page shows comes from the journal, so a reload, another tab or a new server sees the same. A call that fails
for a reason that is not the model's is tried again a few times; what the model did is final.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from evalcore.generation.calls.client import Client, Reply, Request
from evalcore.generation.calls.estimate import most_of_call
from evalcore.generation.calls.outcomes import Outcome
from evalcore.generation.calls.prices import cost
from evalcore.generation.checking import new_checks
from evalcore.generation.limits import Limits
from evalcore.generation.store.events import Called, Ended, Purpose, Stopped
from evalcore.generation.store.journal import AlreadyCalled, Journal
from evalcore.generation.store.lock import Busy, held
from evalcore.generation.store.run import Run

_LOG = logging.getLogger("evidence_lab")
_LOST = "the server ended during this call; what it cost is not known"
_STOPPED = "stopped during the call; what it cost is not known"
_HALTING = (Outcome.BAD_KEY, Outcome.SPEND_LIMIT)


@dataclass(frozen=True, slots=True)
class Pauses:
    """Seconds to wait before each further attempt; a service that asks for more than ``longest`` is not waited for."""

    before: tuple[float, ...] = (2.0, 8.0, 20.0)
    longest: float = 60.0

    def pause(self, failures: int, asked: float | None) -> float | None:
        """Before the attempt after so many failures; None when there shall be no further attempt."""
        if failures > len(self.before) or (asked or 0.0) > self.longest:
            return None
        return max(self.before[failures - 1], asked or 0.0)


@dataclass(frozen=True, slots=True)
class Work:
    """One question to be asked: what for, of which topic or item, and how."""

    purpose: Purpose
    unit: str
    request: Request


@dataclass
class Runner:
    """Asks what is to be asked in one run. ``connect`` makes the client, inside the thread, from a key that the
    runner never sees.
    """

    journal: Journal
    run: str
    connect: Callable[[], Client]
    limits: Limits
    locks: Path
    pauses: Pauses = field(default_factory=Pauses)
    _thread: threading.Thread | None = None
    _loop: asyncio.AbstractEventLoop | None = None
    _task: asyncio.Task[None] | None = None
    _ready: threading.Event = field(default_factory=threading.Event)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _halted: Reply | None = None
    _reserved: float = 0.0
    _error: BaseException | None = None

    def start(self, work: Sequence[Work]) -> None:
        """Begins in a thread of its own.

        Raises:
            Busy: the run is under way, from here or from another process.

        """
        taken = threading.Event()
        self._thread = threading.Thread(target=self._hold, args=(work, taken), daemon=True, name=f"run {self.run[:4]}")
        self._thread.start()
        taken.wait()
        if isinstance(self._error, Busy):
            raise self._error

    def stop(self) -> None:
        """Ends every call at once, also one that is being answered, and every pause."""
        if not self.alive:
            return
        # first of all: until the loop comes to the cancelling, a call could end and another be sent
        self._stopping.set()
        self.journal.append(self.run, Stopped())
        self._ready.wait(5)
        if self._loop is not None and self._task is not None:
            # a closed loop has nothing left to end
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._task.cancel)

    @property
    def alive(self) -> bool:
        """Whether it is still asking."""
        return self._thread is not None and self._thread.is_alive()

    def join(self, timeout: float | None = None) -> None:
        """Waits for the end."""
        if self._thread is not None:
            self._thread.join(timeout)

    def _hold(self, work: Sequence[Work], taken: threading.Event) -> None:
        try:
            with held(self.locks, self.run):
                taken.set()
                asyncio.run(self._all(work))
        except Busy as error:
            self._error = error
        except Exception as error:
            # what is in the journal stays; the page offers to go on. By type alone: a message may hold anything
            self._error = error
            _LOG.error("a run ended early: %s", type(error).__name__)
        finally:
            # the key is in the client that this makes: with the run's end it goes
            self.connect = _ended
            self._ready.set()
            taken.set()

    async def _all(self, work: Sequence[Work]) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._ready.set()
        run = self._run()
        self._close_lost(run)
        self._check()
        places = asyncio.Semaphore(run.began.concurrency)
        try:
            async with self.connect() as client, asyncio.TaskGroup() as group:
                for piece in work:
                    group.create_task(self._one(client, piece, places))
        except asyncio.CancelledError:
            return

    def _close_lost(self, run: Run) -> None:
        """Whoever holds the lock knows that no other call is under way: those without an end died with their server."""
        for call in run.unfinished:
            self._end(call.purpose, call.unit, call.attempt, Reply(Outcome.STOPPED, _LOST), call.model)

    async def _one(self, client: Client, piece: Work, places: asyncio.Semaphore) -> None:
        async with places:
            request, failures = piece.request, 0
            while self._halted is None and not self._stopping.is_set():
                reply = await self._attempt(client, piece, request)
                if reply is None or reply.outcome in _HALTING:
                    self._halted = reply or self._halted
                    return
                if reply.names_temperature and request.temperature:
                    request = request.without_temperature()
                    continue
                if not reply.outcome.retried:
                    return
                failures += 1
                pause = self.pauses.pause(failures, reply.wait)
                if pause is None:
                    return
                await asyncio.sleep(pause)

    async def _attempt(self, client: Client, piece: Work, request: Request) -> Reply | None:
        """One attempt, announced and ended in the journal; None when somebody else made it."""
        run = self._run()
        final = run.final(piece.purpose, piece.unit)
        if final is not None and final.outcome.of_model:
            return None
        number = run.next_attempt(piece.purpose, piece.unit)
        most = most_of_call(request.model, len(request.system) + len(request.prompt), request.output_cap)
        cap = run.began.spend_cap_usd
        # a call whose cost is not known may have cost as much as any
        spent = run.spent + (1 + run.of_unknown_cost) * (most or 0.0) + self._reserved
        if cap is not None and (most is None or spent > cap):
            reply = Reply(Outcome.SPEND_LIMIT, _why_capped(most, cap))
            self._end(piece.purpose, piece.unit, number, reply, request.model)
            return reply
        called = Called(purpose=piece.purpose, unit=piece.unit, attempt=number, model=request.model, sent=request.sent)
        try:
            self.journal.append(self.run, called)
        except AlreadyCalled:
            return None
        self._reserved += most or 0.0
        try:
            reply = await client.ask(request)
        except asyncio.CancelledError:
            self._end(piece.purpose, piece.unit, number, Reply(Outcome.STOPPED, _STOPPED), request.model)
            raise
        finally:
            self._reserved -= most or 0.0
        self._end(piece.purpose, piece.unit, number, reply, request.model)
        if reply.outcome is Outcome.OK and piece.purpose is Purpose.GENERATE:
            self._check()
        return reply

    def _check(self) -> None:
        """The checks that are missing, also those of a pack whose server ended right after it."""
        for checked in new_checks(self._run(), self.limits):
            self.journal.append(self.run, checked)

    def _end(self, purpose: Purpose, unit: str, number: int, reply: Reply, asked: str) -> None:
        ended = Ended(
            purpose=purpose,
            unit=unit,
            attempt=number,
            outcome=reply.outcome,
            detail=reply.detail,
            stop_reason=reply.stop_reason,
            model=reply.model,
            request_id=reply.request_id,
            usage=reply.usage,
            cost_usd=cost(asked, reply.usage),
            seconds=reply.seconds,
            text=reply.text,
        )
        self.journal.append(self.run, ended)

    def _run(self) -> Run:
        return Run(self.journal.events(self.run))


def _ended() -> Client:
    raise RuntimeError("this run has ended")


def _why_capped(most: float | None, cap: float) -> str:
    if most is None:
        return f"the cap of ${cap:.2f} cannot be kept: the price of this model is not known"
    return f"the next call may cost up to ${most:.4f}, which could pass the cap of ${cap:.2f}; nothing was sent"
