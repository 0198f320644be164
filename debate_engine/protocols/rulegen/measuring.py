"""What a subject states under a rule, and the outcome of a scene: typed values beside what is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.debate_engine.human_seat import LATE, LEFT
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.delivery import deliver, words_of
from elenchus.debate_engine.protocols.rulegen.moves import Move
from elenchus.debate_engine.protocols.rulegen.people.ending import SceneEnded
from elenchus.debate_engine.protocols.rulegen.played import Outcome, Reply, Statement
from elenchus.debate_engine.protocols.rulegen.role_agent import SceneState, asked_of_a_person, known_to
from elenchus.debate_engine.scenes.language import Language
from elenchus.debate_engine.scenes.measures import Choice, Measure, form, in_words, stated
from elenchus.debate_engine.scenes.outcome import at_level, outcome_of
from elenchus.debate_engine.scenes.scene import SYSTEM, Rule, Scene
from elenchus.debate_engine.scenes.trials import Trials, shown
from elenchus.debate_engine.session import Session

LEFT_OUT = "left out"
"""Why there is no value where the subject skipped what may be skipped."""

_PACKAGE = "elenchus.debate_engine.protocols.rulegen"


async def statements(
    s: Session, number: int, measures: Sequence[Measure], known: Mapping[str, Any], language: Language = "en"
) -> tuple[Statement, ...]:
    """Ask a subject for these measures, in one form. `known` is what its prompts hold. Step keys: `stated`, `measures`.

    Nobody stands in for a person here; an answer that cannot be read is no value.
    """
    name = known["name"]
    questions = [one.ask for one in measures if one.ask]
    prompt, asked = prompts_of(_PACKAGE, language).state, form(tuple(measures), language)
    answer = await s.ask("stated", name, prompt, asked, **known, questions=questions)
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
            told="" if value is None else in_words(one, value, language),
            why=declined or ("" if value is not None else LEFT_OUT),
        )
        for one, value in zip(measures, values, strict=True)
    )
    await s.record("measures", [one.model_dump(mode="json") for one in found])
    return found


async def ask_statements(
    s: Session, state: SceneState, number: int, measures: Sequence[Measure], known: dict[str, Any]
) -> tuple[Statement, ...]:
    """What the subject states; nobody stands in for a person. Raises SceneEnded where it is gone."""
    name = known["name"]
    person = state.is_person(name)
    asking, shown_to = (s.in_person(name), asked_of_a_person(known)) if person else (s, known)
    found = await statements(asking, number, measures, shown_to, state.cfg.scene.language)
    if person and found[0].why in (LEFT, LATE):
        raise SceneEnded("vanished", name)
    state.stated += found
    await state.take_in(s.under("meanwhile"))
    return found


async def state_measures(
    s: Session, state: SceneState, number: int, rule: Rule, move: Move, known: dict[str, Any]
) -> Reply:
    """What the subject states; the others hear the values. Raises SceneEnded where a person is gone."""
    measures = [state.cfg.scene.measure(name) for name in rule.measures]
    found = await ask_statements(s, state, number, measures, known)
    if why := next((one.why for one in found if one.why not in ("", LEFT_OUT)), ""):
        return Reply(silent=why)
    if text := words_of(rule, state):
        await deliver(s, state, move, text)
    return Reply(text=text)


async def go_through_trials(s: Session, state: SceneState, number: int, rule: Rule, move: Move) -> Reply:
    """The block's items one after another, in an order that is in the log; each is shown, then judged.

    Step keys: `order`, and of the first item shown `trial/1/shown/said`, `trial/1/stated`, `trial/1/said`.
    """
    block = state.cfg.scene.block(rule.trials)
    told: list[str] = []
    for place, (item, options) in enumerate(await trials_order(s, block), 1):
        under = s.under(f"trial/{place}")
        text, measure = shown(block, item, place, options)
        picture = state.cfg.scene.picture(str(block.items[item - 1].picture))
        if text or picture:
            await deliver(under.under("shown"), state, Move(SYSTEM, (move.speaker,), "self-receiving"), text, picture)
        known = await known_to(under, state, rule, move)
        (found,) = await ask_statements(under, state, number, [measure], known)
        if found.value is None:
            return Reply(text="; ".join(told), silent=found.why)
        told.append(found.told)
        await deliver(under, state, move, found.told)
    return Reply(text="; ".join(told))


async def trials_order(s: Session, block: Trials) -> list[tuple[int, tuple[str, ...]]]:
    """The items (from 1) as they are shown, each with its options as they stand there. Step key: `order`."""
    items = list(range(1, len(block.items) + 1))
    if block.order == "shuffled":
        items = s.shuffled("order", items)
    options = block.answer.options if isinstance(block.answer, Choice) else ()
    mixed = [s.shuffled(f"options/{item}", options) if block.shuffle_options else list(options) for item in items]
    recorded = await s.record("order", [[item, own] for item, own in zip(items, mixed, strict=True)])
    return [(item, tuple(own)) for item, own in recorded]


def outcomes_of(scene: Scene, found: Sequence[Statement]) -> tuple[Outcome, ...]:
    """The outcome of each subject, at each level that it met one after another; none where the scene has no rule."""
    if not scene.outcome:
        return ()
    subjects = [role.name for role in scene.roles if role.kind == "subject"]
    stated = {name: {one.measure: one.value for one in found if one.subject == name} for name in subjects}
    return tuple(
        Outcome(subject=name, rule=scene.outcome, met=level, value=outcome_of(scene.outcome, values))
        for name in subjects
        for level in scene.met or ("",)
        for values in [at_level(scene, stated[name], level)]
    )
