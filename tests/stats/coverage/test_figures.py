"""Reading, finding and judging the stored figures."""

import json
from dataclasses import replace
from math import isfinite, sqrt

import pytest

from evalcore.stats.agreement import BY_TOPIC, JACKKNIFE
from evalcore.stats.auc import NEWCOMBE_AUC, STRATIFIED
from evalcore.stats.clusters import CLUSTER_WILSON
from evalcore.stats.coverage import (
    Coverage,
    UnusableFigures,
    Word,
    better,
    figures,
    keeps_word,
    lines,
    nearest,
    stored,
    table,
)
from evalcore.stats.coverage.kinds import FAMILY, KINDS, PLACES
from evalcore.stats.means import BCA, HITS_RESAMPLED, PERCENTILE, STUDENT_T
from evalcore.stats.paired import PAIRED_BOOTSTRAP
from evalcore.stats.power import D_Z_INTERVAL
from evalcore.stats.proportions import EXACT, NEWCOMBE, NORMAL, WILSON

STORED = {f.row: f for f in stored()}
every = pytest.mark.parametrize("row", PLACES)


def made(interval=WILSON, share=0.9, error=0.002, size="n = 10", row="x", none=0.0):
    without = {"rate 0.95": 0.0, "rate 0.99": none}
    shares = {"rate 0.95": share, "rate 0.99": 1.0}
    return Coverage(interval, 10, size, share, error, "rate 0.95", 20_000, shares, without, row)


def test_every_interval_has_a_stored_figure_at_each_of_its_sizes():
    assert list(STORED) == list(PLACES)
    assert [(f.interval, f.n, f.size) for f in stored()] == [(k.method, d.n, d.text) for k, d in PLACES.values()]


@every
def test_a_stored_figure_is_the_lowest_of_its_populations_with_a_finite_error(row):
    figure = STORED[row]
    assert figure.simulations >= 10_000
    assert 0 <= figure.undefined < 1
    defined = round((1 - figure.undefined) * figure.simulations)
    assert isfinite(figure.error)
    assert figure.error == pytest.approx(sqrt(figure.share * (1 - figure.share) / defined))
    assert 0 < figure.error < 0.01
    kind, design = PLACES[row]
    assert set(figure.shares) == set(figure.without) == set(kind.drawn(design))
    assert figure.undefined <= figure.most_without == figure.without[figure.most_without_at] < 1
    assert figure.shares[figure.population] == figure.share == min(figure.shares.values())


@pytest.mark.parametrize(
    ("method", "n", "row"),
    [
        *((WILSON, n, f"wilson-{at}") for n, at in ((1, 6), (8, 6), (9, 10), (24, 24), (33, 40), (69, 40))),
        *((WILSON, n, "wilson-100") for n in (71, 5_000)),
        *((PERCENTILE, n, f"percentile-bootstrap-{at}") for n, at in ((1, 10), (24, 10), (26, 40), (71, 100))),
        *((NEWCOMBE_AUC, n, f"auc-{at}") for n, at in ((16, "10-6"), (64, "40-24"), (130, "84-48"))),
        *((D_Z_INTERVAL, n, f"d-z-{at}") for n, at in ((5, 10), (30, 40), (84, 100))),
        *((NORMAL, n, f"normal-{at}") for n, at in ((6, 6), (400, 100))),
        *((HITS_RESAMPLED, n, f"hits-resampled-{at}") for n, at in ((7, 6), (40, 40))),
        *((STRATIFIED, n, "auc-difference-40-24") for n in (16, 64, 132)),
        *((method, 50, f"kappa-{how}-8x7") for method, how in ((BY_TOPIC, "resampled"), (JACKKNIFE, "jackknife"))),
    ],
)
def test_the_figure_beside_an_interval_is_the_one_of_the_nearest_size(method, n, row):
    assert nearest(method, n) == STORED[row]


@pytest.mark.parametrize(
    ("topics", "items", "shape"),
    [
        *((8, 7, "8x7"), (8, 6, "8x7"), (8, 14, "8x20"), (8, 40, "8x20"), (4, 7, "4x7"), (2, 3, "4x7")),
        *((16, 7, "16x7"), (64, 7, "16x7"), (16, 10, "16x7"), (12, 7, "16x7"), (4, 20, "8x20"), (11, 7, "8x7")),
    ],
)
def test_the_figure_of_items_in_topics_is_that_of_the_nearest_shape(topics, items, shape):
    # 16 topics of 10 and 8 of 20 are both 160 items
    assert nearest(CLUSTER_WILSON, topics * items, topics) == STORED[f"cluster-wilson-t-{shape}"]


def test_items_whose_topics_are_not_known_have_the_figure_of_the_nearest_number_of_items():
    assert nearest(CLUSTER_WILSON, 60) == STORED["cluster-wilson-t-8x7"]


def test_a_method_that_is_not_simulated_has_no_figure():
    assert nearest("a guess", 40) is nearest("a guess", 56, 8) is None


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not_parsed_again(tmp_path, monkeypatch):
    path = tmp_path / "figures.json"
    monkeypatch.setattr(figures, "FIGURES", path)
    before, (first, *others) = tuple(STORED.values()), STORED.values()
    figures.write(before)
    assert [p.name for p in tmp_path.iterdir()] == ["figures.json"]
    assert stored() == before
    assert stored() is stored()
    changed = replace(first, share=0.91)
    figures.write([changed, *others])
    assert stored() == (changed, *others)
    assert json.loads(path.read_text())[0]["shares"] == first.shares


def test_figures_of_other_intervals_than_are_simulated_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FIGURES", tmp_path / "figures.json")
    figures.write(list(STORED.values())[1:])
    with pytest.raises(UnusableFigures, match="does not hold the figures of the simulated intervals"):
        stored()


@pytest.mark.parametrize(
    ("share", "error", "kept"),
    [
        *((0.95, 0.0, Word.KEPT), (0.94, 0.0, Word.KEPT), (0.9399, 0.0, Word.BROKEN)),
        *((0.944, 0.002, Word.KEPT), (0.9439, 0.002, Word.UNCLEAR)),
        *((0.936, 0.002, Word.UNCLEAR), (0.9359, 0.002, Word.BROKEN)),
    ],
)
def test_a_word_is_kept_or_broken_by_two_errors_at_94_per_cent_and_else_too_close_to_say(share, error, kept):
    assert keeps_word(made(share=share, error=error)) is kept


@pytest.mark.parametrize(
    ("share", "none", "kept"),
    [
        *((0.95, 0.05, Word.KEPT), (0.95, 0.051, Word.PARTLY), (0.94, 0.05, Word.UNCLEAR), (0.94, 0.051, Word.PARTLY)),
        *((0.93, 0.051, Word.BROKEN), (1.0, 0.99, Word.PARTLY)),
    ],
)
def test_no_word_is_kept_for_every_sample_where_more_than_one_in_twenty_has_no_interval(share, none, kept):
    assert keeps_word(made(share=share, none=none)) is kept


def test_beside_an_interval_that_some_samples_lack_stands_one_that_keeps_its_word_for_all():
    lacking, whole = made(HITS_RESAMPLED, 0.96, none=0.4), made(EXACT, 0.951)
    assert better(lacking, [lacking, whole]) == whole
    assert better(lacking, [lacking, made(NORMAL, 0.951, none=0.4)]) is None


def test_an_interval_that_more_samples_lack_is_not_better():
    poor, lacking = made(share=0.9), made(HITS_RESAMPLED, 0.97, none=0.4)
    assert better(poor, [poor, lacking]) is None
    assert better(replace(poor, without=lacking.without), [lacking]) == lacking


def test_an_interval_too_close_to_say_has_the_better_one_beside_it():
    close, other = made(share=0.9405), made(EXACT, 0.97)
    assert keeps_word(close) is Word.UNCLEAR
    assert better(close, [close, other]) == other


def test_a_file_that_cannot_be_put_in_its_place_leaves_the_old_one_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "figures.json"
    path.write_text("old")

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(type(path), "replace", full)
    with pytest.raises(OSError, match="no space left"):
        figures.replace_text(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interval_that_keeps_its_word_has_none_better_beside_it():
    assert better(made(share=0.9451), [made(EXACT, 0.99)]) is None


def test_the_better_interval_is_the_one_that_holds_most_of_the_same_kind_and_size():
    poor = made(PERCENTILE, 0.88)
    beside = [
        made(STUDENT_T, 0.91),
        made(BCA, 0.92),
        made(BCA, 0.95, size="n = 40"),
        made(PAIRED_BOOTSTRAP, 0.96),
        made(WILSON, 0.97),
    ]
    assert better(poor, [poor, *beside]) == beside[1]
    assert better(poor, [poor]) is None


@pytest.mark.parametrize(("share", "named"), [(0.9056, False), (0.9058, True), (0.89, False)])
def test_a_better_interval_is_better_by_more_than_twice_the_combined_error(share, named):
    # the combined error is 0.002 x sqrt(2), twice of it 0.00566
    poor, other = made(share=0.9), made(EXACT, share)
    assert better(poor, [poor, other]) == (other if named else None)


def test_of_two_better_intervals_that_hold_equally_often_the_one_simulated_first_is_named():
    poor, equals = made(share=0.9), [made(EXACT, 0.95), made(HITS_RESAMPLED, 0.95)]
    assert better(poor, [poor, *equals]) == equals[0]


def test_kinds_of_numbers_are_not_mixed():
    families = {}
    for method, family in FAMILY.items():
        families.setdefault(family, []).append(method)
    assert len(KINDS) == len(FAMILY)
    assert families["rate"] == [WILSON, EXACT, NORMAL, HITS_RESAMPLED]
    assert families["difference of rates"] == [NEWCOMBE]
    assert families["d_z"] == [D_Z_INTERVAL]
    assert families["AUC"] == [NEWCOMBE_AUC]
    assert families["difference of AUCs"] == [STRATIFIED]
    assert [len(methods) for methods in families.values()] == [3, 3, 1, 4, 1, 2, 2, 1, 1]


def test_a_figure_can_stand_in_a_set():
    assert len({made(), made(), made(share=0.8)}) == 2


def test_a_figure_says_itself_with_its_error_and_where_it_is_lowest():
    figure = made(share=0.917)
    assert list(lines([figure])) == ["Wilson, n = 10: 91.7 % (Monte Carlo error 0.2), lowest at: rate 0.95"]
    none = next(lines([made(share=0.917, none=0.125)]))
    assert none.endswith("lowest at: rate 0.95, no interval in up to 12.5 % (at: rate 0.99)")


def test_the_table_has_a_link_target_the_verdict_and_what_is_better():
    rows = table([made(share=0.917, row="wilson-10"), made(EXACT, 0.981, row="clopper-pearson-10")]).splitlines()
    assert rows[0].count("|") == rows[1].count("|") == 9
    assert rows[2:] == [
        '| <a id="wilson-10"></a>Wilson | n = 10 | 91.7 % | 0.2 | rate 0.95 | 0 % | no | Clopper-Pearson, 98.1 % |',
        '| <a id="clopper-pearson-10"></a>Clopper-Pearson | n = 10 | 98.1 % | 0.2 | rate 0.95 | 0 % | yes | – |',
    ]
