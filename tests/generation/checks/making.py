"""Items for tests, by their parts."""

from evalcore.generation.items import Item, Kind


def short(question="What is the median?", key="the middle value", citations=("p1",), name="t-s1"):
    return Item(name, "t", Kind.SHORT, question, (), key, tuple(citations))


def choice(
    question="Which value is the median?",
    options=("the middle value", "the mean value", "the largest value", "the first value"),
    key="A",
    citations=("p1",),
    name="t-m1",
):
    return Item(name, "t", Kind.CHOICE, question, tuple(options), key, tuple(citations))
