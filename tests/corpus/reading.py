"""What the tests of the textbook's worked figures share: data read out of the text, figures looked up in it.

A figure is never typed into a test. The test quotes the sentence that gives the data, recomputes the
figure from the numbers in it, renders the figure into the sentence that states it, and that sentence must
stand in the section.
"""

import re
from functools import cache
from pathlib import Path

SECTIONS = Path(__file__).resolve().parents[2] / "corpus" / "sections"
# small numbers as the text spells them, by value
WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "twenty-one",
]
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?")


def _plain(text: str) -> str:
    """One minus sign and single spaces, so that typography never decides a test."""
    return re.sub(r"\s+", " ", text.replace("−", "-").replace("\u00a0", " "))


@cache
def section(sid: str) -> str:
    return _plain((SECTIONS / f"{sid}.md").read_text(encoding="utf-8"))


def _numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in NUMBER.findall(text)]


def data(sid: str, quote: str) -> list[float]:
    """The numbers in a verbatim quotation from the section, in the order in which they stand.

    Raises AssertionError when the quotation is not in the section, so the data cannot drift from the text.
    """
    plain = _plain(quote)
    assert plain in section(sid), f"{sid} does not say: {quote}"
    return _numbers(plain)


def says(sid: str, template: str, *values: float) -> None:
    """Asserts that the section contains the template, rendered with recomputed values.

    ``says("s10", "a mean of {:.1f} minutes", statistics.mean(minutes))``
    """
    sentence = _plain(template.format(*values))
    before = section(sid)
    spot = before.find(sentence)
    assert spot >= 0, f"{sid} does not say: {sentence}"
    # 4.5 must not be accepted where the text says 14.5 or 4.57
    left = before[spot - 1] if spot else " "
    right = before[spot + len(sentence) : spot + len(sentence) + 2]
    cut = (sentence[0].isdigit() and (left.isdigit() or left == ".")) or (
        sentence[-1].isdigit() and re.match(r"\d|\.\d|,\d", right) is not None
    )
    assert not cut, f"{sid} says another number than: {sentence}"


def table(sid: str, first_header: str) -> dict[str, list[float]]:
    """The numeric columns of the pipe table whose first header is given; a column with text in it is left out."""
    lines = (SECTIONS / f"{sid}.md").read_text(encoding="utf-8").splitlines()
    for start, line in enumerate(lines):
        cells = _cells(line)
        if cells and cells[0] == first_header:
            body = []
            for row in lines[start + 2 :]:
                if not row.startswith("|"):
                    break
                body.append(_cells(row))
            columns = {}
            for place, name in enumerate(cells):
                read = [_numbers(row[place]) for row in body]
                if all(len(found) == 1 for found in read):
                    columns[name] = [found[0] for found in read]
            return columns
    raise AssertionError(f"{sid} has no table that begins with {first_header!r}")


def _cells(line: str) -> list[str]:
    return [_plain(cell).strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
