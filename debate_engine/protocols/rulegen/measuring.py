"""What a subject states under a rule, and the outcome of a scene: typed values beside what is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.schemas import Outcome, Statement
from elenchus.debate_engine.scenes.measures import Measure, Stated, form, in_words, stated
from elenchus.debate_engine.scenes.outcome import outcome_of
from elenchus.debate_engine.scenes.scene import Rule, Scene
from elenchus.debate_engine.scenes.templates import filled, names_in
from elenchus.debate_engine.session import Session

LEFT_OUT = "left out"
"""Why there is no value where the subject skipped what may be skipped."""

prompts = prompts_of("elenchus.debate_engine.protocols.rulegen")


async def statements(
    s: Session, number: int, measures: Sequence[Measure], known: Mapping[str, Any]
) -> tuple[Statement, ...]:
    """Ask a subject for these measures, in one form. `known` is what its prompts hold. Step keys: `stated`, `measures`.

    Nobody stands in for a person here; an answer that cannot be read is no value.
    """
    name = known["name"]
    questions = [one.ask for one in measures if one.ask]
    answer = await s.ask("stated", name, prompts.state, form(tuple(measures)), **known, questions=questions)
    declined = answer.reason if isinstance(answer, Declined) else ""
    given = [None if isinstance(answer, Declined) else getattr(answer, one.name) for one in measures]
    values = [None if value is None else stated(one, value) for one, value in zip(measures, given, strict=True)]
    found = tuple(
        Statement(
            step=f"{s.prefix}stated",
            rule=number,
            subject=name,
            measure=one.name,
            value=value,
            told="" if value is None else in_words(one, value),
            why=declined or ("" if value is not None else LEFT_OUT),
        )
        for one, value in zip(measures, values, strict=True)
    )
    await s.record("measures", [one.model_dump(mode="json") for one in found])
    return found


def words_of(rule: Rule, measures: Sequence[Measure], values: Mapping[str, Stated], names: Mapping[str, str]) -> str:
    """What the others hear of what was stated: the rule's own words around it, else the values alone.

    What is asked beside the scene (whether one has met it before, what one suspects, about oneself) nobody hears.
    """
    told = {one.name: in_words(one, values[one.name]) for one in measures if one.name in values}
    if rule.says:
        return filled(rule.says, {**dict.fromkeys(rule.measures, "–"), **names, **told})
    heard = [one.name for one in measures if one.name in rule.measures and not one.serves]
    return "; ".join(told[name] for name in heard if name in told)


def missing_in(rule: Rule, measures: Sequence[Measure], values: Mapping[str, Stated]) -> list[str]:
    """The measures that a rule's words hold and nobody has stated."""
    return [one.name for one in measures if one.name not in values and one.name in names_in(rule.says)]


def outcomes_of(scene: Scene, found: Sequence[Statement]) -> tuple[Outcome, ...]:
    """The outcome of each subject; none where the scene has no rule for it."""
    if not scene.outcome:
        return ()
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
    values = {name: {one.measure: one.value for one in found if one.subject == name} for name in subjects}
    return tuple(
        Outcome(subject=name, rule=scene.outcome, value=outcome_of(scene.outcome, values[name])) for name in subjects
    )
