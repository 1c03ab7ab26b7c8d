"""The report and its second computation, laid out flat, one path a field, and compared."""

from fnmatch import fnmatchcase

ABSENT = "(absent)"
TOLERANCE = 1e-9
NAMES = ("type", "run", "first", "second", "measure", "name", "score")


class Beginning(str):
    """The beginning of a sentence; how the sentence goes on is not compared."""

    __slots__ = ()


def named(row, place):
    """What a row of a list is called: by the fields that identify it, or by its place."""
    words = [row[name] for name in NAMES if name in row] if isinstance(row, dict) else []
    return " ".join(words) or str(place)


def leaves(node, path=""):
    """Every field as (path, value); an empty list or object is a field of its own."""
    inner = []
    if isinstance(node, dict):
        inner = list(node.items())
    elif isinstance(node, list):
        inner = [(named(row, place), row) for place, row in enumerate(node)]
    if not inner:
        yield path, node
    for name, child in inner:
        yield from leaves(child, f"{path}/{name}" if path else name)


def flat(node):
    """{path: value}; a path that is there twice is refused."""
    fields = list(leaves(node))
    assert len(dict(fields)) == len(fields), "a row is there twice"
    return dict(fields)


def agree(stated, computed):
    """Floats within 1e-9; of a sentence its beginning; everything else the same, and of the same type."""
    if isinstance(computed, Beginning):
        return isinstance(stated, str) and stated.startswith(computed)
    if isinstance(computed, float):
        return isinstance(stated, float) and abs(stated - computed) <= TOLERANCE
    return type(stated) is type(computed) and stated == computed


def covered(path, patterns):
    return any(fnmatchcase(path, pattern) for pattern in patterns)


def differing(stated, computed, patterns=("*",)):
    """The fields, among those that the patterns name, on which the two do not agree."""
    paths = [path for path in stated | computed if covered(path, patterns)]
    pairs = {path: (stated.get(path, ABSENT), computed.get(path, ABSENT)) for path in paths}
    return {path: pair for path, pair in pairs.items() if not agree(*pair)}


def broken(value):
    """The value made wrong by as little as must be seen."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return value + 2 * TOLERANCE
    if isinstance(value, int):
        return value + 1
    return f"?{value}" if isinstance(value, str) else 0.0
