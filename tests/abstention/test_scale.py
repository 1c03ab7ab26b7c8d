import json

import pytest

from evalcore.abstention.scale import CURRENT, STALE, Scale, StoredThreshold, read_threshold
from evalcore.files import BadInput

PARTS = {"score": "top-1 cosine", "model_sha256": "a" * 64, "chunking_sha256": "b" * 64, "corpus_sha256": "c" * 64}
SCALE = Scale(**PARTS)
STORED = StoredThreshold.of(0.45, SCALE, rule="cheapest at 10 %", date="2024-10-09")


def changed(**parts):
    return Scale(**{**PARTS, **parts})


@pytest.mark.parametrize("part", list(PARTS))
def test_each_of_the_four_parts_changes_the_fingerprint_and_makes_the_threshold_stale(part):
    now = changed(**{part: "d" * 64})
    assert now.fingerprint != SCALE.fingerprint
    assert STORED.state(now) == f"stale: re-tune on development ({part.removesuffix('_sha256')} changed)"


def test_a_threshold_on_its_own_scale_is_current():
    assert STORED.state(changed()) == CURRENT == "current"
    assert changed().fingerprint == SCALE.fingerprint
    assert len(SCALE.fingerprint) == 64


def test_two_parts_exchanged_are_another_scale():
    assert changed(model_sha256="b" * 64, chunking_sha256="a" * 64).fingerprint != SCALE.fingerprint


def test_everything_that_changed_is_named():
    now = changed(score="rerank", model_sha256="d" * 64, corpus_sha256="e" * 64)
    assert STORED.state(now) == f"{STALE} (score, model, corpus changed)"


def test_a_fingerprint_that_is_not_its_scales_is_stale():
    forged = STORED.model_copy(update={"fingerprint": "f" * 64})
    assert forged.state(SCALE) == f"{STALE} (fingerprint changed)"


def test_a_scale_exchanged_under_a_kept_fingerprint_is_stale():
    other = changed(corpus_sha256="e" * 64)
    swapped = STORED.model_copy(update={"scale": other})
    assert swapped.state(other) == f"{STALE} (fingerprint changed)"
    assert swapped.state(SCALE) == f"{STALE} (corpus changed)"


@pytest.mark.parametrize("threshold", [0.45, -1.5, 0.1 + 0.2, None])
def test_a_stored_threshold_reads_back_to_the_last_digit(tmp_path, threshold):
    stored = StoredThreshold.of(threshold, SCALE, rule="r", date="2024-10-09")
    (tmp_path / "threshold.json").write_text(stored.model_dump_json())
    found = read_threshold(tmp_path / "threshold.json")
    assert found == stored
    assert found.threshold == threshold
    assert found.state(SCALE) == CURRENT


def without(*path):
    table = json.loads(STORED.model_dump_json())
    inner = table
    for name in path[:-1]:
        inner = inner[name]
    del inner[path[-1]]
    return json.dumps(table)


def replaced(**parts):
    return json.dumps(json.loads(STORED.model_dump_json()) | parts)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (without("threshold"), "threshold: "),
        (without("rule"), "rule: "),
        (without("fingerprint"), "fingerprint: "),
        (without("scale"), "scale: "),
        (without("scale", "model_sha256"), "scale.model_sha256: "),
        (replaced(threshold="high"), "threshold: "),
        (replaced(rule=""), "rule: "),
        (replaced(note="mine"), "note: "),
        ("{", "the file: "),
        ("", "the file: "),
        ("[]", "the file: "),
    ],
)
def test_what_is_no_stored_threshold_says_which_part(tmp_path, text, where):
    (tmp_path / "threshold.json").write_text(text)
    with pytest.raises(BadInput) as caught:
        read_threshold(tmp_path / "threshold.json")
    (problem,) = caught.value.problems
    assert str(problem).startswith(f"threshold.json: is no stored threshold ({where}")
    assert problem.remedy == "store one anew"


def test_a_threshold_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(BadInput, match=r"^threshold\.json: cannot be read \(No such file or directory\)"):
        read_threshold(tmp_path / "threshold.json")
