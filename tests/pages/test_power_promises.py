"""Section 5 of Power and intervals, what links lead to it, and what is left when its figures cannot be read."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from evalcore.evidence.claims import number
from evalcore.planning.promises import promises
from evalcore.stats import coverage
from evalcore.stats.coverage import figures
from evalcore.stats.coverage.kinds import FAMILY
from evalcore.studies import TOY_TITLE
from tests.pages.test_abstention import TABS
from tests.pages.test_pages import everything, opened
from tests.pages.test_power import FIGURE_KEYS, alt, bare, caption_of, cells, first_visit, listed, power, said, tables
from ui.pages import PAGES

__all__ = ["first_visit"]
FIGURES = coverage.stored()
BY_ROW = {f.row: f for f in FIGURES}
PROMISES = "Lowest share of samples"
SIGNS = {"yes": "✓", "no": "✗", "too close to say": "~", "not for every sample": "~"}


def test_choosing_a_kind_shows_a_row_for_each_of_its_stored_figures_and_what_is_better(first_visit):
    kinds = list(dict.fromkeys(FAMILY[f.interval] for f in FIGURES))
    app = power()
    assert app.selectbox(key="of").options == kinds
    for kind in kinds:
        app.selectbox(key="of").set_value(kind).run()
        mine = [p for p in promises(FIGURES) if p.family == kind]
        rows = listed(app, PROMISES)
        assert len(rows) == len(mine)
        for shown, p in zip(rows, mine, strict=True):
            f, beside = p.figure, p.better
            assert shown == [
                *(p.name, f"{100 * f.share:.1f} % ± {100 * f.error:.1f}", f.population, coverage.without(f)),
                f"{SIGNS[p.keeps]} {p.keeps}",
                f"{beside.interval}, {100 * beside.share:.1f} %" if beside else "–",
            ]
        assert f"from {mine[0].figure.simulations:,} samples of each population" in caption_of(app, PROMISES)
        assert {p.figure.simulations for p in mine} == {mine[0].figure.simulations}
        for p in mine:
            assert f"{p.name} {number(p.share.value)}" in alt(app, "plot_promises")


def test_a_row_that_does_not_keep_its_word_says_a_better_one_of_its_kind_and_size():
    app = power(of="rate")
    broken = [r for r in listed(app, PROMISES) if r[4] == "✗ no"]
    by_name = {r[0]: float(r[1].split(" %")[0]) for r in listed(app, PROMISES)}
    assert len(broken) > 5
    for name, held, *_, beside in broken:
        better, share = beside.removesuffix(" %").split(", ")
        assert by_name[f"{better}, {name.split(', ')[1]}"] == float(share) > float(held.split(" %")[0])
        assert not name.startswith(better)
    kept = [r[-1] for r in listed(app, PROMISES) if r[4] == "✓ yes"]
    assert set(kept) == {"–"}


@pytest.mark.parametrize("query", [{}, {"of": "rate"}], ids=["row alone", "row and kind"])
def test_a_link_to_a_row_shows_its_sentence_at_the_top_and_marks_it(query):
    app = power(row="wilson-24", **query)
    (promise,) = [p for p in promises(FIGURES) if p.figure.row == "wilson-24"]
    top = next(e for e in app.main if e.type in ("alert", "info", "header"))
    assert top.value.replace("\\", "").startswith(promise.sentence())
    assert app.selectbox(key="of").value == "rate"
    (marked,) = re.findall(r'<tr class="el-marked">(.*?)</tr>', everything(app))
    assert bare(re.search(r"<th[^>]*>(.*?)</th>", marked).group(1)) == "Wilson, n = 24"


def test_intervals_of_items_in_topics_lead_to_the_nearest_shape_and_say_what_was_shown():
    app = power(topics="8", items="20")
    (shape,) = {query["row"][0] for query in links(app) if query["row"][0].startswith("cluster-wilson-t-8x20")}
    assert shape == "cluster-wilson-t-8x20"
    assert "more items in a topic stretch the promise further" in everything(app)
    few = power(topics="4", items="7")
    assert "cluster-wilson-t-4x7" in {query["row"][0] for query in links(few)}


def test_the_lowest_shares_of_items_in_topics_are_said_to_be_shown_for_their_shapes_only():
    caption = caption_of(power(of="clustered rate"), PROMISES)
    assert "Shown for these numbers of topics and items, rates from 0.8 to 0.98 and an ICC of up to 0.8" in caption


def test_a_link_to_a_row_that_is_not_here_is_said_and_marks_nothing():
    app = power(row="wilson-<b>25")
    assert not app.exception
    assert not app.error
    assert "The link names the row wilson-<b>25, which is not here." in said(app.caption)
    assert '<tr class="el-marked">' not in everything(app)
    assert len(app.info) == 1


def links(app):
    """What the page's intervals lead to, of its tables and of its sentences."""
    text = everything(app)
    found = re.findall(r'href="(power\?row=[^"]*)"', text) + re.findall(r"\]\((power\?row=[^)]*)\)", text)
    return [parse_qs(urlsplit(unescape(address)).query, strict_parsing=True) for address in found]


# these show no number before a run is opened, or files are declared; their own tests follow their links
@pytest.mark.parametrize("page", [p for p in PAGES if p.key not in ("harness", "data")], ids=lambda p: p.key)
def test_the_intervals_of_every_page_lead_to_a_stored_figure_of_their_kind(page):
    found = links(opened(page))
    assert found
    for query in found:
        ((name,), (kind,)) = query["row"], query["of"]
        assert FAMILY[BY_ROW[name].interval] == kind


@pytest.mark.parametrize("tab", TABS)
def test_the_intervals_of_every_tab_of_the_toy_run_lead_to_a_stored_figure(tab):
    abstention = next(p for p in PAGES if p.key == "abstention")
    found = links(opened(abstention, study=TOY_TITLE, figure=tab))
    assert {query["row"][0] for query in found} <= set(BY_ROW)
    assert found


def test_every_kind_is_named_above_the_selector():
    kinds = list(dict.fromkeys(FAMILY[f.interval] for f in FIGURES))
    assert f"There are intervals of {len(kinds)} kinds of number: {', '.join(kinds)}." in everything(power())


def test_a_row_that_many_samples_have_no_interval_for_is_no_yes_and_says_how_many_and_where():
    rows = {r[0]: r for r in listed(power(of="rate"), PROMISES)}
    shown = rows["percentile bootstrap of hits, n = 100"]
    assert re.fullmatch(r"up to 3[678]\.\d % \(at: rate 0\.99\)", shown[3])
    assert shown[4] == "~ not for every sample"
    assert shown[5].startswith("Clopper-Pearson, ")
    assert rows["Clopper-Pearson, n = 100"][3:5] == ["0 %", "✓ yes"]


def test_every_population_stands_with_its_share_and_the_share_without_an_interval():
    caption, rows = next((c, r) for c, r in tables(power(of="rate")) if c.startswith("Share of samples whose"))
    assert "in brackets the share that have none" in caption
    mine = [f for f in FIGURES if FAMILY[f.interval] == "rate"]
    by_population = {head: rest for head, *rest in rows}
    assert set(by_population) == set(mine[0].shares)
    for name, shown in by_population.items():
        for f, cell in zip(mine, shown, strict=True):
            assert cell.startswith(f"{100 * f.shares[name]:.1f} %")
            none = f" ({number(100 * f.without[name], 1)} % none)"
            assert cell.endswith(none) == bool(f.without[name])


def test_the_banner_of_a_link_carries_all_of_its_row_with_every_population():
    app = power(row="hits-resampled-100", of="rate")
    figure = BY_ROW["hits-resampled-100"]
    ((name, *cells_of_it),) = listed(app, "The row that the link names.")
    assert name == "percentile bootstrap of hits, n = 100"
    assert cells_of_it == next(rest for head, *rest in listed(app, PROMISES) if head == name)
    captions = [c for c, _ in tables(app)]
    whole = captions.index(next(c for c in captions if c.startswith("Share of samples whose")))
    assert whole == captions.index(next(c for c in captions if c.startswith("The row that the link names."))) + 1
    assert [head for head, _ in tables(app)[whole][1]] == list(figure.shares)


def test_a_link_with_two_rows_says_that_the_last_is_used():
    app = power(row=["wilson-6", "wilson-24"])
    assert "The link names 2 rows; the last, wilson-24, is used." in said(app.caption)
    assert said(app.info)[0].startswith("Wilson, n = 24: held")


def test_a_note_at_another_size_says_which_size_its_figure_is_of():
    notes = [c for c in said(power(n="33").caption) if c.startswith("How often these 95 % intervals")]
    assert "nearest simulated size: n = 40, here n = 33" in notes[0]
    notes = [c for c in said(power(n="40").caption) if c.startswith("How often these 95 % intervals")]
    assert "nearest simulated size" not in notes[0]


@pytest.mark.parametrize("text", [None, "", "[]", '{"a": 1}', "[{"], ids=["missing", "empty", "none", "other", "half"])
def test_without_usable_figures_only_section_five_and_the_notes_are_lost(text, tmp_path, monkeypatch):
    path = tmp_path / "figures.json"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(figures, "FIGURES", path)
    app = power(row="wilson-24")
    assert not app.exception
    assert len(app.error) == 1
    (problem,) = [c.value for c in app.code]
    assert problem.startswith("figures.json: ")
    assert problem.endswith("; simulate them again with: python -m evalcore coverage --write")
    assert "The link names the row wilson-24, which cannot be shown: figures.json:" in everything(app)
    assert not [c for c in said(app.caption) if c.startswith("How often these 95 % intervals")]
    assert {chart.key for chart in app.get("plotly_chart")} == FIGURE_KEYS - {"plot_promises"}
    assert cells(app, "With d_z ")["Questions for one test"][0] == "63"


def test_without_usable_figures_another_page_has_its_intervals_and_no_note(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FIGURES", tmp_path / "figures.json")
    app = opened(next(p for p in PAGES if p.key == "compare"))
    assert not app.exception
    assert not app.error
    assert "95 % interval" in everything(app)
    assert links(app) == []
