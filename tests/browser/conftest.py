"""A real server and a real Chromium; a rerun is over when the server has said so, not after a pause."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
# Streamlit's own client looks for its server below the page's address first; the two misses are how it finds the root.
PROBES = ("/_stcore/health", "/_stcore/host-config")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def serving(log_path):
    """A server of its own on a free port of 127.0.0.1."""
    port = free_port()
    options = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
    }
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    with started(["-m", "streamlit", "run", "app.py", *flags], port, log_path):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def started(arguments, port, log_path):
    """A process of this Python that answers on a port before the block runs, and is ended after it."""
    with log_path.open("a+") as log:
        process = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, stdout=log, stderr=log)
        try:
            _wait_until_up(port, process, log_path)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_up(port, process, log_path):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if process.poll() is not None:
            pytest.fail(f"the server died: {log_path.read_text()}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1) as answer:
                if answer.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.05)
    pytest.fail("the server was not up within a minute")


@pytest.fixture(scope="session")
def server_url(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("server") / "server.log") as url:
        yield url


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()


class App:
    """A tab on the app that counts finished script runs by reading the websocket."""

    def __init__(self, page, url):
        self.page, self.url, self.runs = page, url, 0
        self.errors, self.outside = [], []
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", self._response)
        page.on("console", self._console)
        page.on("request", self._request)

    def _frame(self, payload):
        if isinstance(payload, bytes):
            message = ForwardMsg()
            message.ParseFromString(payload)
            self.runs += message.WhichOneof("type") == "script_finished"

    def _response(self, response):
        if response.status >= 400 and not response.url.endswith(PROBES):
            self.errors.append(f"{response.status} {response.url}")

    def _console(self, message):
        # a failed request is in _response with its address; the console's line has none
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.errors.append(message.text)

    def _request(self, request):
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.outside.append(request.url)

    def open(self, path="/", until="What may not be said"):
        with self.rerun():
            self.page.goto(self.url + path)
        self.page.get_by_text(until).first.wait_for()
        self.page.wait_for_function("() => !document.querySelector('[data-testid=\"stSkeleton\"]')")
        return self

    @contextmanager
    def rerun(self, timeout=30):
        before = self.runs
        yield
        end = time.monotonic() + timeout
        while self.runs <= before:
            if time.monotonic() > end:
                raise TimeoutError("the script did not finish")
            self.page.wait_for_timeout(5)
        self.page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()
        self.page.wait_for_function("() => !document.querySelector('[data-stale=\"true\"]')")

    def choose(self, name, option):
        """Picks an option of a select box, as a visitor would."""
        self.page.get_by_role("combobox", name=name).click()
        with self.rerun():
            self.page.get_by_role("option", name=option).click()

    def charts_drawn(self, count):
        self.page.wait_for_function(
            "n => document.querySelectorAll('.js-plotly-plot:has(svg text)').length >= n", arg=count
        )


@pytest.fixture
def tab(browser, server_url):
    """Opens a tab of a given width and theme."""
    contexts = []

    def opened(path="/", *, width=1280, scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        contexts.append(context)
        return App(context.new_page(), server_url).open(path)

    yield opened
    for context in contexts:
        context.close()
