"""The registry of pages: it draws the navigation and drives a smoke test for each page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its file, its place in the navigation, and the question that it answers."""

    key: str
    file: str
    title: str
    icon: str
    section: str
    question: str
    study: str = "**Statistics textbook** · 40 questions"

    @property
    def url(self) -> str:
        """The page's address below the root: the stem of its file."""
        return "" if self.file == "app.py" else self.key


PAGES = (
    Page(
        "overview",
        "app.py",
        "Overview",
        ":material/flag:",
        "Measure",
        "What does this study show, and what does it leave open?",
    ),
    Page(
        "compare",
        "pages/compare.py",
        "Compare rankers",
        ":material/balance:",
        "Measure",
        "Is one ranker better than another on these questions, by how much, and how sure can you be?",
        "Chosen on the page: textbook or your own",
    ),
    Page(
        "abstention",
        "pages/abstention.py",
        "Abstention",
        ":material/front_hand:",
        "Measure",
        "Where should the threshold be below which a question is refused, for these gates, costs and this traffic?",
        "Chosen on the page: textbook or toy run",
    ),
    Page(
        "power",
        "pages/power.py",
        "Power and intervals",
        ":material/straighten:",
        "Measure",
        "How wide will an interval be, which questions decide, how many are needed, and do our own intervals keep "
        "their word?",
        "Assumed numbers; **Statistics textbook** for your own data",
    ),
    Page(
        "data",
        "pages/data.py",
        "Your data",
        ":material/upload_file:",
        "Measure",
        "Bring runs and judgements; what is wrong with them, and what do they show?",
        "Your own files, in this visit only",
    ),
    Page(
        "harness",
        "pages/harness.py",
        "Generation harness",
        ":material/robot_2:",
        "Generate",
        "Are generated items faithful to the passages they cite, and do the checks agree with a person?",
        "**Statistics textbook** · 8 topics",
    ),
)
BY_KEY = {page.key: page for page in PAGES}
