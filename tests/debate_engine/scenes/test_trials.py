"""Repeated judgements and what varies within subjects: read, written back, played versions, and what is refused."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.contrasts import kind_of
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.measures import Choice
from elenchus.debate_engine.scenes.trials import shown
from elenchus.debate_engine.scenes.versions import design_of, versions

LINES = """---
scene: 1
title: "Lines"
bias: ""
outcome: "lines_errors"
factors: {others: [wrong, right]}
contrasts: ["wrong - right"]
---

# Roles

## Mika (subject)

## Sunna (moderator)

# Rules

1. **unicast, DES** Sunna → Mika: Say how it goes.
   says: "Choose the line that is as long as S."
2. **unicast, DES** Mika → Sunna: Choose.
   trials: lines

# Trials

lines: {"show": "Round {round}: S {s}. Before you: {before}", "order": "shuffled", "shuffle_options": true, "answer":
  {"kind": "choice", "ask": "Round {round}: which is as long?", "options": ["1", "2", "3"]}, "items": [
  {"right": "2", "critical": false, "s": "━━", "before": "2, 2"},
  {"right": "3", "s": "━━━", "before": {"wrong": "1, 1", "right": "3, 3"}}]}

# Observation

Count the errors.

# Debrief

That was all.
"""


def test_trials_are_read_and_written_back_as_they_stand() -> None:
    scene = canonical.read(LINES)
    block = scene.block("lines")
    assert [one.name for one in block.measures] == ["lines_1", "lines_2"]
    assert block.counted == ("lines_errors",)
    assert canonical.read(canonical.write(scene)) == scene


def test_an_item_shows_what_belongs_to_the_version_and_to_its_place() -> None:
    wrong = versions(canonical.read(LINES))["wrong"].block("lines")
    text, measure = shown(wrong, 2, 1, ("3", "1", "2"))
    assert text == "Round 1: S ━━━. Before you: 1, 1"
    assert isinstance(measure, Choice)
    assert (measure.name, measure.ask, measure.options) == ("lines_2", "Round 1: which is as long?", ("3", "1", "2"))


def test_errors_are_counted_in_critical_items_alone_and_not_where_one_is_missing() -> None:
    block = canonical.read(LINES).block("lines")
    assert block.counts({"lines_1": "1", "lines_2": "1"}) == {"lines_errors": 1}
    assert block.counts({"lines_1": None, "lines_2": "3"}) == {"lines_errors": 0}
    assert block.counts({"lines_1": "2"}) == {"lines_errors": None}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"before": "2, 2"}', '"after": "2, 2"}', "item 1 of lines: {before} is nothing"),
        ('"right": "3, 3"}', '"sideways": "3, 3"}', "item 2 of lines has no text for some level"),
        ('{"right": "2", "crit', '{"right": "7", "crit', "what is right in item 1 is no option"),
        ("trials: lines", "trials: circles", "no block of trials is called circles"),
        ("**unicast, DES** Mika → Sunna: Choose.", "**unicast, DES** Sunna → Mika: Choose.", "Sunna is no subject"),
        ('"items": [', '"items": [], "rest": [', "items: "),
        ("lines_errors", "lines_dreams", "the outcome speaks of lines_dreams"),
        ('"order": "shuffled"', '"order": "alphabetical"', "order: "),
    ],
)
def test_trials_that_make_no_sense_are_refused(old: str, new: str, says: str) -> None:
    assert old in LINES
    with pytest.raises(FaultyScene) as caught:
        canonical.read(LINES.replace(old, new))
    assert any(says in finding.what for finding in caught.value.findings), caught.value.findings


@pytest.mark.parametrize("outcome", ["lines_errors", 'lines_2 = "1"'])
def test_what_gives_it_away_is_not_asked_before_the_trials_that_tell_what_comes_out(outcome: str) -> None:
    text = LINES.replace("2. **unicast, DES** Mika → Sunna: Choose.", """2. **unicast, DES** Mika → Sunna: Answer.
   measure: known
3. **unicast, DES** Mika → Sunna: Choose.""").replace("# Trials", """# Measures

known: {kind: yes-no, serves: met-before, ask: "Have you met this before?"}

# Trials""")  # fmt: skip
    with pytest.raises(FaultyScene) as caught:
        canonical.read(text.replace('outcome: "lines_errors"', f"outcome: '{outcome}'"))
    (found,) = caught.value.findings
    assert found.what == "lines (outcome) is asked after known (met-before), which gives it away"


FRAMES = """---
scene: 1
title: "Frames"
bias: ""
outcome: "risk"
factors: {frame: {gain: "saved", loss: "lost"}, pressure: [cue, quiet]}
within: [frame]
contrasts: ["*/cue - */quiet"]
---

# Roles

## Robin (subject)

## Ada (confederate)

# Rules

1. **unicast, DES** Ada → Robin: Welcome.
   says: "Hello, {Robin}."
2. **unicast, ADV** Ada → Robin: Tell of one option.
   each: frame
   says: "200 of 600 are {frame}."
3. **unicast, ADV** Ada → Robin: Press.
   when: pressure = cue
   each: frame
   says: "Quickly!"
4. **unicast, FEL** Robin → Ada: Choose.
   each: frame
   measure: risk
   says: "I say {risk}."
5. **unicast, SDC** Ada → Robin: Close.
   says: "Thank you."

# Measures

risk: {"kind": "rating", "ask": "How far would you take the risk, with 200 {frame}?"}

# Observation

More risk after loss.

# Debrief

That was all.
"""


def test_who_meets_all_levels_meets_them_in_an_order_and_states_each_apart() -> None:
    scene = canonical.read(FRAMES)
    assert canonical.read(canonical.write(scene)) == scene
    found = versions(scene)
    assert list(found) == ["cue/gain-loss", "cue/loss-gain", "quiet/gain-loss", "quiet/loss-gain"]
    played = found["cue/loss-gain"]
    assert [rule.says for rule in played.rules] == [
        "Hello, {Robin}.",
        "200 of 600 are lost.", "Quickly!", "I say {risk_loss}.",
        "200 of 600 are saved.", "Quickly!", "I say {risk_gain}.",
        "Thank you.",
    ]  # fmt: skip
    assert [rule.measures for rule in played.rules if rule.measures] == [("risk_loss",), ("risk_gain",)]
    assert played.measure("risk_gain").ask == "How far would you take the risk, with 200 saved?"
    assert played.met == ("loss", "gain")
    design = design_of(scene)
    assert design.cells == ("gain/cue", "gain/quiet", "loss/cue", "loss/quiet"), "in the order of the file's factors"
    assert design.met["cue/loss-gain"] == (("loss", "loss/cue"), ("gain", "gain/cue"))
    assert kind_of(scene.plan.contrasts[0], design) == "between"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("   each: frame\n   says: \"200", "   says: \"200", "it depends on frame"),
        ("   each: frame", "   each: pressure", "it is played for each pressure, and frame varies within"),
        ("   each: frame\n", "", "it depends on frame"),
        ("outcome: \"risk\"", "outcome: \"risk_gain\"", "the outcome speaks of risk_gain"),
    ],
)  # fmt: skip
def test_what_varies_within_subjects_without_sense_is_refused(old: str, new: str, says: str) -> None:
    assert old in FRAMES
    with pytest.raises(FaultyScene) as caught:
        canonical.read(FRAMES.replace(old, new))
    assert any(says in finding.what for finding in caught.value.findings), caught.value.findings


def test_a_delivery_by_a_model_leaves_the_confederates_words_open_and_nobody_elses() -> None:
    text = FRAMES.replace("pressure: [cue, quiet]}", "pressure: [cue, quiet], delivery: [fixed, model]}").replace(
        '["*/cue - */quiet"]', '["*/cue/* - */quiet/*"]'
    )
    scene = canonical.read(text.replace("## Ada (confederate)", "## Ada (confederate)\n\n## Mo (moderator)").replace(
        "5. **unicast, SDC** Ada", "5. **unicast, SDC** Mo"))  # fmt: skip
    played = versions(scene)["cue/model/gain-loss"]
    assert [rule.says for rule in played.rules if rule.initiator == "Ada"] == [""] * 5
    assert [rule.says for rule in played.rules if rule.initiator == "Mo"] == ["Thank you."]
    assert all(rule.says for rule in versions(scene)["cue/fixed/gain-loss"].rules)


@pytest.mark.parametrize(
    ("contrast", "says"),
    [
        (
            "cue - quiet",
            "“cue” in “cue - quiet” names 1 level where there are 2 factors (frame, pressure): write",
        ),
        ("(gain/cue - loss/cue) - (gain/quiet - gain/cue)", "compares a version with itself"),
        ("(gain/cue - loss/quiet) - (gain/quiet - loss/cue)", "is no difference of differences: write (a/x - b/x)"),
        ("(gain/* - loss/*)", "nothing is (gain/*"),
        ("dawn/* - loss/*", "nothing is dawn/*; there is gain/cue, gain/quiet, loss/cue, loss/quiet"),
    ],
)
def test_a_contrast_without_sense_is_refused_in_one_sentence(contrast: str, says: str) -> None:
    with pytest.raises(FaultyScene) as caught:
        canonical.read(FRAMES.replace("*/cue - */quiet", contrast))
    assert any(says in finding.what for finding in caught.value.findings), caught.value.findings


def test_levels_within_subjects_are_not_compared_where_judges_see_each_subject_once() -> None:
    text = FRAMES.replace("*/cue - */quiet", "gain/* - loss/*")
    assert canonical.read(text).plan.contrasts
    with pytest.raises(FaultyScene) as caught:
        canonical.read(text.replace('outcome: "risk"\n', ""))
    assert any("judges see each subject once" in finding.what for finding in caught.value.findings)
