"""What a scene's file plans of its experiment: read, written back, and refused where it makes no sense."""

from __future__ import annotations

import tracemalloc

import pytest

from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.contrasts import Contrast
from elenchus.debate_engine.scenes.faults import FaultyScene
from elenchus.debate_engine.scenes.measures import form
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.script import check_any
from elenchus.debate_engine.scenes.versions import at, versions
from tests.debate_engine.scenes.test_shipped import FILES

FACTORS = 'factors: {"anchor": {"low": "90", "high": "4,800"}, "pressure": {"cue": "", "quiet": ""}}'


def scene(front: str = "", measures: str = "", asked: str = "price", more: str = "") -> str:
    return f"""---
scene: 1
title: "A lamp"
bias: ""
{FACTORS}
{front}
---

# Roles

## Robin (subject)

## Ada (confederate)

# Rules

1. **unicast, ADV** Ada → Robin: Name a number.
   says: "Somebody said {{anchor}}."
2. **unicast, ADV** Ada → Robin: Press.
   when: pressure = cue
   says: "Quickly!"
3. **unicast, FEL** Robin → Ada: Say the price.
   measure: {asked}

# Measures

price: {{kind: number, unit: euros, ask: "What is it worth?"}}
{measures}

{more}
# Observation

Higher after high.

# Debrief

The number was {{anchor}}.
"""


def faults(text: str) -> list[str]:
    return [finding.what for finding in canonical.check(text)[1] if finding.grave]


PLAN = """deception: omission
minutes: [5, 8]
age: 14
n: 40
stop: "after 40 people, or on the last day of June"
contrasts: ["high/* - low/*", {compare: "*/cue - */quiet", expect: same, margin: 30}]
exclusions: ["known", "price > anchor * 10"]
questions: fixed
literature: [{citation: "Tversky & Kahneman (1974)", doi: 10.1126/x, same: paradigm, metric: d, size: 0.93, n: 95}]"""

KNOWN = 'known: {kind: yes-no, ask: "Met before?", serves: met-before}'


def test_a_plan_is_read_and_written_back_as_it_stands() -> None:
    read = canonical.read(
        scene(PLAN, KNOWN, "price, known", '# Answers\n\n- "I cannot say more."\n- I still cannot.\n')
    )
    plan = read.plan
    assert (plan.deception, plan.minutes, plan.age, plan.n) == ("omission", (5, 8), 14, 40)
    assert plan.contrasts == (
        Contrast(compare="high/* - low/*"), Contrast(compare="*/cue - */quiet", expect="same", margin=30.0),
    )  # fmt: skip
    assert read.answers == ("I cannot say more.", "I still cannot.")
    assert plan.literature[0].comparable
    assert canonical.read(canonical.write(read)) == read


def test_a_version_holds_its_own_values_in_rules_and_in_the_debrief() -> None:
    read = canonical.read(scene(PLAN, KNOWN, "price, known"))
    high = versions(read)["high/cue"]
    assert high.plan.exclusions == ("known", "price > 4800 * 10")
    assert high.debrief == "The number was 4,800."
    assert at(read, (("anchor", "low"), ("pressure", "cue"))).debrief == "The number was 90."


@pytest.mark.parametrize(
    ("front", "measures", "asked", "says"),
    [
        ('contrasts: ["high/* - none/*"]', "", "price", "“high/* - none/*” compares no two versions"),
        ('contrasts: [{compare: "high/* - low/*", expect: same}]', "", "price", "claims no difference"),
        ("contrasts: high", "", "price", "contrasts: "),
        ('exclusions: ["dreams"]', "", "price", "the exclusion speaks of dreams, which the scene does not have"),
        ('exclusions: ["price >"]', "", "price", "the exclusion “price >” cannot be read"),
        ("strata: [school]", "", "price", "the stratum school is no measure of few answers"),
        ("strata: [price]", "", "price", "the stratum price is no measure of few answers"),
        ("strata: [known]", KNOWN, "price, known", "the stratum known is asked when the versions have parted"),
        ("n: 3", "", "price", "3 subjects do not fill 4 versions"),
        ("n: many", "", "price", "n: "),
        ("minutes: [8, 5]", "", "price", "minutes are no time from … to …"),
        ("deception: white", "", "price", "deception: "),
        ("age: -3", "", "price", "age: "),
        ("literature: [{doi: 1}]", "", "price", "literature (0 citation): it is missing"),
        ("outcome: colour", "colour: {kind: choice, options: [red, blue]}", "price, colour",
         "the outcome colour is in words, and neither yes or no nor a number"),
        ("outcome: price", KNOWN, "known, price", "price (outcome) is asked after known (met-before)"),
        ("", "age: {kind: number, serves: demographic}", "price, age", "age asks of the person, without a reason"),
        ("", "age: {kind: number, serves: demographic, optional: true}", "price, age", "age asks of the person"),
        ("", 'age: {kind: number, serves: demographic, why: "To compare."}', "price, age", "age asks of the person"),
        ("", "look: {kind: choice, options: [red, blue], serves: attention}", "price, look",
         "nothing says what is right for look"),
        ("", 'look: {kind: yes-no, right: "loook"}', "price, look", "what is right for look speaks of loook"),
    ],
)  # fmt: skip
def test_a_plan_that_makes_no_sense_is_refused(front: str, measures: str, asked: str, says: str) -> None:
    found = faults(scene(front, measures, asked))
    assert any(says in what for what in found), found
    with pytest.raises(FaultyScene):
        canonical.read(scene(front, measures, asked))


def test_what_may_be_skipped_is_a_field_that_may_be_left_out() -> None:
    age = 'years: {kind: number, whole: true, low: 0, serves: demographic, optional: true, why: "to say who took part"}'
    read: Scene = canonical.read(scene("", age, "price, years"))
    asked = form(read.measures)
    schema = asked.model_json_schema()
    assert schema["required"] == ["price"]
    assert "to say who took part; you may leave it out" in schema["properties"]["years"]["description"]
    assert getattr(asked.model_validate({"price": 3.5}), "years") is None  # noqa: B009


def test_a_file_of_few_lines_that_means_billions_of_versions_is_refused_at_once() -> None:
    for within in ("", f"\nwithin: [{', '.join(f'f{n}' for n in range(40))}]"):
        many = ", ".join(f'"f{n}": ["x", "y"]' for n in range(40))
        text = scene().replace(FACTORS, f"factors: {{{many}}}{within}")
        tracemalloc.start()
        found = faults(text)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert any("the factors make" in what for what in found), found
        assert most < 100_000_000


def late(text: str) -> list[str]:
    return [finding.what for finding in check_any(text) if "leaves people out" in finding.what]


def test_an_exclusion_by_what_is_asked_after_the_versions_part_is_warned_of_and_not_refused() -> None:
    text = scene(PLAN, KNOWN, "price, known")
    assert faults(text) == []
    assert late(text) == [
        f"“{rule}” leaves people out by {name}, which is asked after the versions have parted and may come from them"
        for rule, name in (("known", "known"), ("price > anchor * 10", "price"))
    ]


def test_an_exclusion_by_what_is_asked_before_anything_differs_is_in_order() -> None:
    asked_first = scene(PLAN.replace(', "price > anchor * 10"', ""), KNOWN, "price").replace(
        "# Rules\n\n1.", "# Rules\n\n1. **unicast, DES** Robin → Ada: Say whether you know it.\n   measure: known\n2."
    )
    assert late(asked_first) == []


def test_an_exclusion_by_a_trial_that_is_the_same_in_every_version_is_in_order_and_a_later_one_is_late() -> None:
    shipped = FILES["conformity"].read_text(encoding="utf-8")
    assert late(shipped) == []
    assert late(shipped.replace('["lines_1 != \\"2\\" and', '["lines_3 = \\"1\\" and')) != []
    shuffled = shipped.replace('lines: {"show"', 'lines: {"order": "shuffled", "show"')
    assert len(late(shuffled)) == 1, "shuffled, the first items may come last"
