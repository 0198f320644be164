"""Rules over measures: the outcome, the exclusions, and when an answer is right. Each reads, names what there is,
compares what can be the same, and is worked out of answers that the forms accept, in every version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from elenchus.debate_engine.scenes import versions
from elenchus.debate_engine.scenes.examples import ordinary, others_than
from elenchus.debate_engine.scenes.faults import Fault, Place, entry
from elenchus.debate_engine.scenes.measures import Measure, Stated, stated
from elenchus.debate_engine.scenes.outcome import UnreadableRule, at_level, check, names_in, outcome_of
from elenchus.debate_engine.scenes.rule_types import NUMBER, TEXT, YES_NO, Term, complaints, term_of
from elenchus.debate_engine.scenes.scene import Scene

_COMPARE = "compare a number with one that its form accepts, and a choice with one of its options in quotation marks"


OUTCOME = "the outcome"
"""How complaints call it."""


@dataclass(frozen=True)
class Ruled:
    """A rule over measures: where it stands, what it is called, how it is written, and what may be written instead."""

    place: Place
    what: str
    rule: str
    remedy: str


def rules_of(scene: Scene) -> Iterator[Ruled]:
    """All rules over measures, in the order of the file."""
    if scene.outcome:
        remedy = "write a rule over its measures, such as `price >= 240`"
        yield Ruled(entry("outcome"), OUTCOME, scene.outcome, remedy)
    remedy = "write a rule over what is asked before the versions part, such as `age < 18`"
    for rule in scene.plan.exclusions:
        yield Ruled(entry("exclusions"), "the exclusion", rule, remedy)
    remedy = 'write when an answer is right, such as `colour = "blue"`'
    for one in scene.measures:
        if one.right:
            yield Ruled(Place("measures", name=one.name), f"what is right for {one.name}", one.right, remedy)


def of_the_rules_over_measures(scene: Scene) -> Iterator[Fault]:
    """What is wrong with the rules as they are written, the first of each; then what answers make of them.

    In a version the values of factors stand in the rules, and may well be compared with what they cannot be.
    """
    known = terms_of(scene)
    if scene.levels or scene.met:
        yield from _of_answers(scene)
        return
    written = [fault for one in rules_of(scene) if (fault := next(_as_written(one, known), None))]
    yield from written or _of_answers(scene)


def _as_written(one: Ruled, known: Mapping[str, Term]) -> Iterator[Fault]:
    try:
        check(one.rule, known, one.what)
        yield from (Fault(one.place, problem, _COMPARE) for problem in complaints(one.rule, known, one.what))
        term = term_of(one.rule, known)
    except UnreadableRule as error:
        yield Fault(one.place, str(error), one.remedy)
        return
    if one.what == OUTCOME and term.is_text:
        what = f"the outcome {one.rule} is in words, and neither yes or no nor a number"
        yield Fault(one.place, what, f'write what is counted, such as `{one.rule} = "…"`')
    elif one.what != OUTCOME and not term.is_yes_or_no:
        yield Fault(one.place, f"{one.what} “{one.rule}” is neither yes nor no", one.remedy)


def terms_of(scene: Scene) -> dict[str, Term]:
    """What each name that a rule may hold can be."""
    known = {one.name: _term(one, one.name) for one in scene.measures}
    for factor in scene.factors:
        values = frozenset(versions.value_in_rules(level.value or level.name) for level in factor.levels)
        types = (TEXT if isinstance(value, str) else NUMBER for value in values)
        known[factor.name] = Term(frozenset().union(*types), values, factor.name)
    for block in scene.trials:
        known |= {name: Term(NUMBER, name=name) for name in block.counted}
        known |= {one.name: _term(one, one.name) for one in block.measures}
    ended = ((f"_{met}", name) for met in scene.met for name in [*known] if name.endswith(f"_{met}"))
    return known | {name.removesuffix(ending): known[name] for ending, name in ended}


def _term(measure: Measure, name: str) -> Term:
    answers = measure.answers
    types = {"number": NUMBER, "text": TEXT, "yes-no": YES_NO}[answers.stored]
    low, high = (answers.bounds.get(end) for end in ("ge", "le"))
    return Term(types, None if answers.values is None else frozenset(answers.values), name, low, high)


def _of_answers(scene: Scene) -> Iterator[Fault]:
    """A rule that cannot be worked out of some answers in a version: the first such one."""
    for name, version in versions.versions(scene).items():
        for one in rules_of(version):
            try:
                _worked_out(version, one)
            except UnreadableRule:
                what = f"{one.what} “{one.rule}” compares a text with a number"
                yield Fault(one.place, f"{what} in the version {name}" if name else what, _COMPARE)
                return


def never_told(scene: Scene) -> Iterator[Fault]:
    """Each rule that says nothing in any version, whatever is answered; of a consistent scene."""
    played = list(versions.versions(scene).values())
    for several in zip(*map(rules_of, played), strict=True):
        if not any(map(_worked_out, played, several)):
            one = several[-1]
            yield Fault(one.place, f"{one.what} “{one.rule}” can never be told, whatever is answered", one.remedy)


def _worked_out(version: Scene, one: Ruled) -> bool:
    """Whether a rule says something of some answers. Raises UnreadableRule."""
    found = [outcome_of(one.rule, values) for values in _answered(version, one)]
    return any(value is not None for value in found)


def _answered(version: Scene, one: Ruled) -> Iterator[Mapping[str, Stated | None]]:
    """What a rule is worked out of: of ordinary answers, then of those at the ends; at each level met."""
    asked = _only(version, names_in(one.rule))
    answers = ordinary(asked)
    for given in (answers, *others_than(asked, answers, [*answers])):
        values = dict(_stated(asked, given))
        yield from (at_level(asked, values, level) for level in ("", *version.met))


def _only(version: Scene, names: Iterable[str]) -> Scene:
    """The scene with nothing measured but what a rule speaks of, at whatever level it is stated."""
    endings = ["", *(f"_{met}" for met in version.met)]
    named = {f"{name}{ending}" for name in names for ending in endings}
    blocks = [
        block
        for block in version.trials
        if named & {*block.counted, *(one.name for one in block.measures)}
        or any(name.startswith(f"{block.name.removesuffix(ending)}_") for name in names for ending in endings)
    ]
    measures = tuple(one for one in version.measures if one.name in named)
    return version.model_copy(update={"measures": measures, "trials": tuple(blocks)})


def _stated(scene: Scene, answers: Mapping[str, object]) -> Iterator[tuple[str, Stated]]:
    """What is stored of answers; none of what is no answer, which is told as a fault of its own."""
    for one in (*scene.measures, *(one for block in scene.trials for one in block.measures)):
        try:
            yield one.name, stated(one, answers[one.name])
        except ValueError:
            continue
