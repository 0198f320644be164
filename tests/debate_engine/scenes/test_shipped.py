"""The scenes that come with the program: experiments, planned, versions alike but for their factors, playable.

How long one takes is reckoned at 200 words read and 25 typed a minute, 12 seconds over a closed question and 8 over one
of many judgements of a kind, with 350 words around the scene (`pace`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from elenchus.debate_engine.protocols.rulegen.moves import is_fixed
from elenchus.debate_engine.protocols.rulegen.study.power import smallest_difference, smallest_g
from elenchus.debate_engine.scenes import canonical
from elenchus.debate_engine.scenes.checks import giveaways
from elenchus.debate_engine.scenes.comparison import pairs_of
from elenchus.debate_engine.scenes.consistency import inconsistencies
from elenchus.debate_engine.scenes.contrasts import check as check_contrast, matches
from elenchus.debate_engine.scenes.examples import ordinary
from elenchus.debate_engine.scenes.library import BUILT_IN, scene_files
from elenchus.debate_engine.scenes.measures import Choice, stated
from elenchus.debate_engine.scenes.outcome import is_yes_or_no, names_in, outcome_of
from elenchus.debate_engine.scenes.pace import minutes_of, words_to
from elenchus.debate_engine.scenes.scene import Rule, Scene
from elenchus.debate_engine.scenes.script import check_any
from elenchus.debate_engine.scenes.trials import Item, shown
from elenchus.debate_engine.scenes.versions import design_of, versions
from tests.shipped_scenes import SCENES

FILES = {path.stem: path for path in scene_files(BUILT_IN)}
VERSIONS = [(name, label) for name, scene in SCENES.items() for label in versions(scene)]
MOST_WORDS, MOST_APART, MOST_LINES_APART = 480, 0.10, 0.15
END = ("manipulation", "met-before", "suspicion")
"""What is asked last, in this order; the outcome comes before."""
SHARED = {
    "endowment": ("{seat}",), "anchoring": ("{anchor}",), "sunk-cost": ("{paid}",),
}  # fmt: skip
"""Places of factors that debriefs fill."""
CHECKED = {
    ("Tversky and Kahneman (1981)", 0.5), ("Klein and others (2014)", 0.6), ("Klein and others (2014)", 0.27),
    ("Klein and others (2018)", 0.4), ("Klein and others (2018)", 0.04), ("Jachimowicz and others (2019)", 0.68),
    ("Guilbault and others (2004)", 0.39),
}  # fmt: skip
"""The sizes that were looked up (of 1981: 72 less 22 per cent); no other may be drawn."""
HEADINGS = {
    "en": ["## Before", "## What to expect", "## Afterwards", "## What it cannot show"],
    "de": ["## Vorher", "## Was zu erwarten ist", "## Danach", "## Was es nicht zeigen kann"],
}
TITLE = {"en": "for the teacher", "de": "für Lehrkräfte"}
ENTRIES = {
    "en": ("Time", "Age", "Deception", "Versions", "People", "Who counts"),
    "de": ("Zeit", "Alter", "Täuschung", "Fassungen", "Personen", "Wer zählt"),
}
TIME, AGE = {"en": "minutes to play", "de": "Minuten zum Spielen"}, {"en": "from", "de": "ab"}
TO = {"en": "to", "de": "bis"}
REACHED = {
    "en": r"- People: (\d+), (\d+) a side .*? find a difference of (?:d ([\d.]+)|(\d+) points)",
    "de": r"- Personen: (\d+), also (\d+) auf jeder Seite .*? finden einen Unterschied von (?:d ([\d,]+)|(\d+) Proz)",
}
CLOSING = {"en": "never a person. Thank you", "de": "nie einen Menschen. Danke"}
"""What pages for teachers and debriefings say in each language."""
RESEARCH = re.compile(
    r"\b(?:experiment\w*|stud(?:y|ies)|subjects?|confederates?|participants?|hypothes\w+|manipulat\w+|psycholog\w+|"
    r"observ(?:e|ed|ation)|treatment|control group|debrief\w*|deceiv\w*|demonstration|"
    r"versuchs\w*|studien?|proband\w*|teilnehm\w*|psycholog\w+|beobacht\w*|täusch\w*|vorführung)\b",
    re.IGNORECASE,
)
"""Words that would tell those who play that they are watched."""


def version(name: str, label: str) -> Scene:
    return versions(SCENES[name])[label]


def subject_of(scene: Scene) -> str:
    (name,) = [role.name for role in scene.roles if role.kind == "subject"]
    return name


def told(scene: Scene) -> Iterator[str]:
    """All that the subject reads: who it is, what reaches it, and what it is asked."""
    name = subject_of(scene)
    for role in scene.roles:
        if role.name == name:
            yield from (role.background, role.task)
    for rule in scene.rules:
        if rule.initiator == name:
            yield rule.content
        elif name in rule.receivers:
            yield from (rule.message, rule.says)
    for measure in (*scene.measures, *(block.answer for block in scene.trials)):
        yield from (measure.ask, *(measure.options if isinstance(measure, Choice) else ()))
    for block in scene.trials:
        yield from (shown(block, number, number)[0] for number in range(1, len(block.items) + 1))


def lines_of(scene: Scene) -> Iterator[str]:
    """The same by line, as it is said: with the names of roles in it."""
    for line in "\n".join(told(scene)).splitlines():
        yield with_names(scene, line).strip()


def with_names(scene: Scene, text: str) -> str:
    """A text with the names of roles in their places."""
    names = {f"{{{role.name}}}": role.name for role in scene.roles}
    return re.sub(r"{\w+}", lambda place: names.get(place[0], place[0]), text)


def of_others(name: str, label: str) -> set[str]:
    """The lines of other versions that whoever plays this one must not read."""
    own = "\n".join(lines_of(version(name, label)))
    others = (one for other in versions(SCENES[name]).values() for one in lines_of(other))
    return {line for line in others if len(line.split()) > 3 and line not in own}


@pytest.mark.parametrize("name", FILES)
def test_an_experiment_reads_without_a_finding_and_is_written_back_as_it_stands(name: str) -> None:
    text = FILES[name].read_text(encoding="utf-8")
    assert check_any(text) == ()
    assert canonical.write(canonical.read(text)) == text
    scene = SCENES[name]
    assert all((scene.title, scene.purpose, scene.background, scene.observation, scene.debrief, scene.outcome))
    assert len(scene.debrief) < 1900  # one message in Discord
    assert CLOSING[scene.language] in scene.debrief
    assert "judge" not in scene.debrief.replace("judgement", "")


@pytest.mark.parametrize("name", FILES)
def test_what_an_experiment_plans_stands_in_its_front_matter(name: str) -> None:
    scene, plan = SCENES[name], SCENES[name].plan
    assert plan.deception in ("omission", "active")
    assert not re.search(r"deception|contrast:", scene.purpose, re.IGNORECASE), "it is said in the front matter"
    assert plan.age is not None
    assert plan.age >= (18 if plan.deception == "active" else 12)
    assert plan.n is not None
    assert plan.n % len(versions(scene)) == 0, "every version gets as many"
    assert str(plan.n) in plan.stop
    assert plan.questions == "fixed"
    assert len(scene.answers) >= 2
    assert all(len(text) <= 160 for text in scene.answers)
    assert len(set(scene.answers)) == len(scene.answers)


@pytest.mark.parametrize("name", FILES)
def test_a_page_for_teachers_that_counts_comparisons_counts_those_of_the_file(name: str) -> None:
    page = BUILT_IN.joinpath(f"{name}-teacher.md").read_text(encoding="utf-8")
    counts = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
    told = [counts[one] for one in re.findall(rf"plans ({'|'.join(counts)}) comparisons?", page)]
    assert told in ([], [len(SCENES[name].plan.contrasts)])
    assert not re.search(r"\b(?:both|all) comparisons\b", page, re.IGNORECASE)


@pytest.mark.parametrize("name", FILES)
def test_an_experiment_names_its_contrasts_and_the_first_is_within_reach(name: str) -> None:
    scene, labels = SCENES[name], list(versions(SCENES[name]))
    assert scene.plan.contrasts
    for contrast in scene.plan.contrasts:
        check_contrast(contrast, design_of(scene))
    first = scene.plan.contrasts[0]
    assert scene.plan.n is not None
    side = scene.plan.n // len(labels) * sum(matches(label, first.one) for label in labels)
    page = BUILT_IN.joinpath(f"{name}-teacher.md").read_text(encoding="utf-8")
    told = re.sub(r"\s+", " ", page)
    found = re.search(REACHED[scene.language], told)
    assert found, "the page says what so many people find"
    assert (int(found[1]), int(found[2])) == (scene.plan.n, side)
    if found[3]:
        assert float(found[3].replace(",", ".")) == pytest.approx(smallest_g(side), abs=0.006)
        assert not is_yes_or_no(scene.outcome)
    else:
        assert float(found[4]) / 100 == pytest.approx(smallest_difference(side), abs=0.006)
        assert is_yes_or_no(scene.outcome)


@pytest.mark.parametrize("name", FILES)
def test_what_others_have_found_is_typed_and_a_size_stands_only_where_it_was_checked(name: str) -> None:
    sources = SCENES[name].plan.literature
    assert sources
    for source in sources:
        assert re.fullmatch(r"(10\.\d{4,}/\S+)?", source.doi), source
        assert source.arms, source
        assert source.told or source.size is not None, source
        assert (source.metric != "other") == (source.size is not None), "a size has its metric"
        cited = source.citation.replace("und andere", "and others").replace(" und ", " and ")
        assert source.size is None or (cited, source.size) in CHECKED, source
        assert "second hand" not in source.told or source.size is None, "what is second-hand is told, never drawn"
        assert source.same != "task", "no scene repeats a study's very task"


@pytest.mark.parametrize("name", FILES)
def test_the_last_questions_are_asked_in_the_order_that_gives_least_away(name: str) -> None:
    scene = SCENES[name]
    last = [rule for rule in scene.rules if rule.measures][-1]
    assert tuple(scene.measure(one).serves for one in last.measures) == END
    before = {one for rule in scene.rules if rule is not last for one in rule.measures}
    in_trials = {count for block in scene.trials for count in block.counted}
    assert set(names_in(scene.outcome)) <= before | in_trials
    assert scene.measure(last.measures[0]).right


@pytest.mark.parametrize(("name", "label"), VERSIONS)
def test_what_was_varied_can_be_noticed_and_missed_in_every_version(name: str, label: str) -> None:
    scene = version(name, label)
    (check,) = [one for one in scene.measures if one.serves == "manipulation"]
    noticed = stated(check, ordinary(scene)[check.name])
    assert outcome_of(check.right, {check.name: noticed}) is True
    given = {outcome_of(check.right, {check.name: stated(check, end)}) for end in check.answers.ends}
    assert given in ({True, False}, {False}), "an answer may be wrong"


@pytest.mark.parametrize("name", FILES)
def test_nobody_is_left_out_for_what_the_versions_may_have_changed(name: str) -> None:
    """Only answers that were given before anything differed may leave somebody out."""
    scene = SCENES[name]
    first = {
        f"{block.name}_{n}"
        for block in scene.trials
        for n in range(1, len(block.items) + 1)
        if not any(map(by_level, block.items[:n]))
    }
    assert {name for rule in scene.plan.exclusions for name in names_in(rule)} <= first
    assert all(not one.serves for one in scene.measures if one.name in first)


@pytest.mark.parametrize("name", FILES)
def test_a_debrief_gives_back_what_was_stated(name: str) -> None:
    scene = SCENES[name]
    places = set(re.findall(r"\{(\w+)\}", scene.debrief))
    counted = {f"{block.name}_{what}" for block in scene.trials for what in ("errors", "critical")}
    assert places & {*(one.name for one in scene.measures if not one.serves), *counted}
    assert places <= {*(one.name for one in (*scene.measures, *scene.factors)), *counted}
    assert all(place in scene.debrief for place in SHARED.get(name, ()))


@pytest.mark.parametrize("name", FILES)
def test_it_takes_five_to_eight_minutes_as_the_file_and_the_page_say(name: str) -> None:
    scene = SCENES[name]
    assert scene.plan.minutes
    low, high = scene.plan.minutes
    assert 5 <= low < high <= 8
    assert all(low <= minutes_of(played) <= high for played in versions(scene).values())
    page = BUILT_IN.joinpath(f"{name}-teacher.md").read_text(encoding="utf-8")
    of = scene.language
    time, age = ENTRIES[of][:2]
    assert f"- {time}: {low} {TO[of]} {high} {TIME[of]}" in page
    if scene.plan.deception == "omission":
        assert f"- {age}: {AGE[of]} {scene.plan.age}" in page


@pytest.mark.parametrize("name", FILES)
def test_no_two_versions_differ_beside_their_factor(name: str) -> None:
    assert [(pair.one, pair.other, pair.warnings) for pair in pairs_of(SCENES[name]) if pair.warnings] == []


@pytest.mark.parametrize("name", FILES)
def test_an_experiment_has_a_page_for_the_teacher(name: str) -> None:
    page = BUILT_IN.joinpath(f"{name}-teacher.md").read_text(encoding="utf-8")
    of = SCENES[name].language
    assert page.startswith(f"# {SCENES[name].title}: {TITLE[of]}\n")
    assert [line for line in page.splitlines() if line.startswith("## ")] == HEADINGS[of]
    for said in ENTRIES[of]:
        assert any(line.startswith(f"- {said}: ") for line in page.splitlines()), said


@pytest.mark.parametrize(("name", "label"), VERSIONS)
def test_each_version_is_a_scene_in_which_everything_but_the_subject_is_fixed(name: str, label: str) -> None:
    scene = version(name, label)
    assert len(versions(SCENES[name])) >= 2
    assert not [*inconsistencies(scene), *giveaways(scene)]
    subject = subject_of(scene)
    spoken = [rule for rule in scene.rules if rule.mode != "self-receiving"]
    assert all(bool(rule.measures or rule.trials) if rule.initiator == subject else is_fixed(rule) for rule in spoken)
    assert not [text for text in told(scene) if RESEARCH.search(text)]
    assert not [text for text in told(scene) if re.search(r"\{(?!\w+\})", text)]


@pytest.mark.parametrize(("name", "label"), VERSIONS)
def test_no_nine_words_of_what_is_told_afterwards_are_read_before(name: str, label: str) -> None:
    scene = version(name, label)
    read = plain(" ".join(lines_of(scene)))
    for text in (scene.purpose, scene.debrief):
        words = plain(text).split()
        runs = (" ".join(words[at : at + 9]) for at in range(len(words) - 8))
        assert [run for run in runs if run in read] == []


def plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


@pytest.mark.parametrize("name", FILES)
def test_the_versions_are_equally_long_and_short(name: str) -> None:
    counts = {label: words_to(scene, subject_of(scene)) for label, scene in versions(SCENES[name]).items()}
    assert max(counts.values()) <= min(counts.values()) * (1 + MOST_APART), counts
    assert max(counts.values()) <= MOST_WORDS, counts
    assert len(SCENES[name].measures) <= 6


@pytest.mark.parametrize("name", FILES)
def test_lines_that_stand_in_for_one_another_are_equally_long(name: str) -> None:
    each = [placed(scene) for scene in versions(SCENES[name]).values()]
    assert len({tuple(lines) for lines in each}) == 1, "the same people speak in the same order"
    for where in each[0]:
        counts = [len(f"{lines[where].message} {lines[where].says}".split()) for lines in each]
        # where a line is short, a word more or less is no difference
        assert max(counts) <= max(min(counts) * (1 + MOST_LINES_APART), min(counts) + 2), where


def placed(scene: Scene) -> dict[str, Rule]:
    """The rules by who speaks to whom, counted: as `differences` names them."""
    counted: Counter[str] = Counter()
    rules = {}
    for rule in scene.rules:
        who = f"{rule.initiator} → {', '.join(rule.receivers)}"
        counted[who] += 1
        rules[f"{who} ({counted[who]})"] = rule
    return rules


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_two_versions_differ_in_nothing_but_what_depends_on_their_factors(name: str) -> None:
    scene = SCENES[name]
    for pair in pairs_of(scene):
        one, other, varied = pair.one, pair.other, set(pair.factors)
        apart = {where for where, _, _ in pair.apart}
        assert apart, f"{one} and {other} are the same"
        may = {f"measure {m.name}" for m in scene.measures if depends(m.ask, varied)}
        may |= {f"role {r.name}" for r in scene.roles if depends(f"{r.background} {r.task}", varied)}
        may |= {where for where, values in items_of(scene).items() if values & levels_of(scene, varied)}
        may |= {where for where, texts in origins(scene, one, other).items() if depends(texts, varied)}
        assert apart <= may, (one, other)


def by_level(item: Item) -> set[str]:
    """The levels by which an item of trials varies."""
    return {level for value in item.values.values() if isinstance(value, dict) for level in value}


def items_of(scene: Scene) -> dict[str, set[str]]:
    """By place of an item in trials: the levels by which it varies."""
    places = {block.name: enumerate(block.items, 1) for block in scene.trials}
    return {f"trials {name} ({n})": by_level(item) for name, items in places.items() for n, item in items}


def levels_of(scene: Scene, factors: set[str]) -> set[str]:
    return {level.name for factor in scene.factors if factor.name in factors for level in factor.levels}


def depends(text: str, factors: set[str]) -> bool:
    return any(re.search(rf"\b{name}\b(?= *!?=)|{{ *{name} *}}", text) for name in factors)


def origins(scene: Scene, *labels: str) -> dict[str, str]:
    """By place of a rule in versions: conditions and words of the rules that stand there, as they are in the file."""
    texts: dict[str, str] = {}
    for label in labels:
        rules = [rule for rule in scene.rules if plays(scene, rule, label)]
        for where, rule in zip(placed(versions(scene)[label]), rules, strict=True):
            texts[where] = f"{texts.get(where, '')}\n{rule.when}\n{rule.content} {rule.message} {rule.says}"
    return texts


def plays(scene: Scene, rule: Rule, label: str) -> bool:
    alone = scene.model_copy(update={"rules": (rule,)})
    return bool(versions(alone)[label].rules)


@pytest.mark.parametrize("label", versions(SCENES["comfort-zone"]))
def test_each_task_of_the_jars_has_one_way_and_the_last_has_two(label: str) -> None:
    scene = version("comfort-zone", label)
    tasks = [re.findall(r"\d+", rule.message)[1:] for rule in scene.rules if rule.message]
    ways = [solutions(*map(int, numbers)) for numbers in tasks]
    assert [len(found) for found in ways] == [1, 1, 2]
    assert ways[0] == ways[1], "what is practised is the same way twice"
    assert ways[2] == {"A less C", "B less A, less C twice"}
    assert [ordinary(scene)[name] for name in ("first", "second")] == [*ways[0], *ways[1]]


def solutions(a: int, b: int, c: int, needed: int) -> set[str]:
    gives = {"A and C": a + c, "A twice, and C": 2 * a + c, "A less C": a - c, "B less A, less C twice": b - a - 2 * c}
    return {way for way, amount in gives.items() if amount == needed}
