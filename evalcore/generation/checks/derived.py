"""Whether a number that is not stated can be computed from stated ones in one step.

Many numbers stand in a passage, so almost any small whole number is a difference of two of them. The rule is kept
narrow, and what it finds is never a pass: both operands are distinct mentions in one passage, 0 and 1 are never
derived, and a whole number below ten only by a sum or a difference. Sums, differences and products have to be exact;
a ratio may be rounded at the number's own decimals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from evalcore.generation.checks.numbers import EXACT, Number


def rounds_to(value: Fraction, number: Number) -> bool:
    """Whether the value, rounded half up (away from zero) or half to even at the number's last place, is the number."""
    if number.decimals >= EXACT:
        return value == number.value
    scaled = value * Fraction(10) ** number.decimals
    wanted = number.value * Fraction(10) ** number.decimals
    half_up = int(abs(scaled) + Fraction(1, 2)) * (-1 if scaled < 0 else 1)
    return wanted in (half_up, round(scaled))


def derivation(number: Number, stated: Sequence[Number]) -> str | None:
    """How the number follows from one or two numbers of one passage, such as "25 - 18"; None when it does not."""
    if abs(number.value) in (0, 1):
        return None
    small = number.value.denominator == 1 and abs(number.value) < 10 and number.decimals <= 0
    if not small:
        for a in stated:
            if a.unit == "%" and not number.unit and rounds_to(a.value / 100, number):
                return f"{a.text} as a proportion"
            if not a.unit and number.unit == "%" and rounds_to(a.value * 100, number):
                return f"{a.text} x 100"
    for a, b in _near(number, stated):
        for result, unit, sign, exact in _results(a, b, sums_only=small):
            if unit == number.unit and (result == number.value if exact else rounds_to(result, number)):
                return f"{a.text} {sign} {b.text}{' x 100' if sign == '/' and unit == '%' != a.unit else ''}"
    return None


def _near(number: Number, stated: Sequence[Number]) -> Iterator[tuple[Number, Number]]:
    """The pairs that may give the number, in order: a quick look in floats, so that exact arithmetic is seldom done."""
    wanted = float(number.value)
    slack = abs(wanted) * 1e-9 + (0.0 if number.decimals >= EXACT else 0.51 * 10.0**-number.decimals)
    sized = [(float(n.value), n) for n in stated]
    for (x, a), (y, b) in permutations(sized, 2):
        results = [x + y, x - y, x * y, x * y / 100]
        if y:
            results += [x / y, 100 * x / y]
        if any(abs(result - wanted) <= slack for result in results):
            yield a, b


def _results(a: Number, b: Number, *, sums_only: bool) -> Iterator[tuple[Fraction, str, str, bool]]:
    """What two numbers give: value, unit, operation, and whether it has to be exact. Units have to be compatible."""
    if a.unit == b.unit:
        yield a.value + b.value, a.unit, "+", True
        yield a.value - b.value, a.unit, "-", True
    # to multiply or divide by 0 or 1 tells nothing new
    if sums_only or abs(a.value) in (0, 1) or abs(b.value) in (0, 1):
        return
    if not b.unit:
        yield a.value * b.value, a.unit, "x", True
        yield a.value / b.value, a.unit, "/", a.value % b.value == 0
    if a.unit == "%" != b.unit:
        yield a.value * b.value / 100, b.unit, "x", True
    if a.unit == b.unit:
        if a.unit:
            yield a.value / b.value, "", "/", False
        yield a.value / b.value * 100, "%", "/", False
