"""What a model wrote of a scene is not played before a person has read it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.review import accepted, demand_reviewed, is_reviewed, to_be_reviewed
from elenchus.debate_engine.scenes.scene import UNREVIEWED
from elenchus.debate_engine.scenes.script import check_any
from tests.debate_engine.scenes.test_canonical import EXAMPLE

BY_HAND = canonical.read(EXAMPLE)
BY_MODEL = to_be_reviewed(BY_HAND, "openai:x")


def test_a_scene_by_hand_needs_no_review() -> None:
    assert is_reviewed(BY_HAND)
    demand_reviewed(BY_HAND)


def test_a_scene_by_a_model_is_refused_in_one_sentence_until_it_is_accepted() -> None:
    with pytest.raises(UsageError, match=r"No person has reviewed the scene “Tea.*elenchus scene review") as refused:
        demand_reviewed(BY_MODEL)
    assert str(refused.value).count(". ") == 0
    with pytest.raises(UsageError, match=r"the scene “Tea.* \(control\), which"):
        demand_reviewed(BY_MODEL.model_copy(update={"condition": "control"}))
    demand_reviewed(accepted(BY_MODEL, "Grace  Hopper", datetime(2026, 5, 4, 3, 2, tzinfo=UTC)))


def test_the_file_says_who_reviewed_it_and_when_and_is_read_back() -> None:
    done = accepted(BY_MODEL, "Grace  Hopper", datetime(2026, 5, 4, 3, 2, tzinfo=UTC))
    text = canonical.write(done)
    assert 'reviewed: "by Grace Hopper on 2026-05-04 03:02 UTC"' in text
    assert canonical.read(text) == done
    assert "reviewed: false" in canonical.write(BY_MODEL)
    assert canonical.read(canonical.write(BY_MODEL)) == BY_MODEL


def test_a_check_says_that_nobody_has_reviewed_it() -> None:
    (finding,) = check_any(canonical.write(BY_MODEL))
    assert finding.what == "openai:x wrote of it, and no person has reviewed it"
    assert not finding.grave


def test_taking_the_mark_out_of_the_file_is_no_review() -> None:
    text = canonical.write(BY_MODEL).replace("reviewed: false\n", "")
    assert not is_reviewed(canonical.read(text))
    said = canonical.write(BY_MODEL).replace("reviewed: false", "reviewed: true")
    scene, findings = canonical.check(said)
    assert scene.reviewed == UNREVIEWED
    assert [finding.what for finding in findings if finding.grave] == ["it does not say who has reviewed the scene"]
