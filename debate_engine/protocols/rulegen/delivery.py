"""What is said reaches those to whom it is said; fixed words are the same for everybody."""

from __future__ import annotations

from elenchus.debate_engine.events import EVERYONE, ShownPicture, with_alt
from elenchus.debate_engine.protocols.rulegen.moves import Move
from elenchus.debate_engine.protocols.rulegen.played import Reply
from elenchus.debate_engine.protocols.rulegen.role_agent import SceneState
from elenchus.debate_engine.scenes.measures import in_words
from elenchus.debate_engine.scenes.pictures import Picture
from elenchus.debate_engine.scenes.scene import Rule
from elenchus.debate_engine.scenes.templates import filled, names_in
from elenchus.debate_engine.session import Session


async def deliver(s: Session, state: SceneState, move: Move, text: str, picture: Picture | None = None) -> None:
    """Let those hear it whom the move speaks to, and see the picture: models read what is on it. Step key: `said`."""
    to = [EVERYONE] if move.mode == "broadcast" else move.to
    seen = None
    if picture is not None:
        told = with_alt(picture.alt, "")
        text = with_alt(picture.alt, text)
        seen = ShownPicture(sha256=picture.sha256, media_type=picture.media_type, lines=told.count("\n") + 1)
    said = await s.say("said", move.speaker, to, text, move.mode, seen)
    state.said[said.step] = said


async def say_as_written(s: Session, state: SceneState, rule: Rule, move: Move) -> Reply:
    """The rule's own words, the same for every subject: nobody is asked. Silent where they need what was not stated."""
    await state.take_in(s.under("meanwhile"))
    if missing := missing_in(rule, state):
        return Reply(silent=f"it needs what was not stated: {', '.join(missing)}")
    text = words_of(rule, state)
    await deliver(s, state, move, text)
    return Reply(text=text)


def missing_in(rule: Rule, state: SceneState) -> list[str]:
    """The measures that a rule's words hold and nobody has stated."""
    measured = {one.name for one in state.cfg.scene.measures}
    return [name for name in names_in(rule.says) if name in measured and name not in state.values]


def words_of(rule: Rule, state: SceneState) -> str:
    """What the others hear of what was stated: the rule's own words around it, else the values alone.

    What is asked beside the scene (whether one has met it before, what one suspects, about oneself) nobody hears.
    """
    measures = {one.name: one for one in state.cfg.scene.measures}
    language, values = state.cfg.scene.language, state.values
    told = {name: in_words(measures[name], value, language) for name, value in values.items() if name in measures}
    if rule.says:
        return filled(rule.says, {**dict.fromkeys(rule.measures, "–"), **state.names, **told})
    return "; ".join(told[name] for name in rule.measures if name in told and not measures[name].serves)
