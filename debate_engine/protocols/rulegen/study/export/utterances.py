"""utterances.csv: all that was said in the scenes, in order, and where somebody was silent. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from elenchus.debate_engine.events import EVERYONE, Said, StepDone
from elenchus.debate_engine.privacy.person_words import REDACTED
from elenchus.debate_engine.protocols.rulegen.moves import is_fixed
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF, ENDING, UNSCRIPTED
from elenchus.debate_engine.protocols.rulegen.played import Turn
from elenchus.debate_engine.protocols.rulegen.record import DEVIATION
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession, is_turn
from elenchus.debate_engine.protocols.rulegen.study.export.table import SESSION, Field, Table
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.scenes.scene import KINDS, MODES, SYSTEM

_PLACE = re.compile(r"(rule/(\d+)(?:/turn/\d+)?)/(?:said|turn)")

_UTTERANCE = (
    SESSION,
    Field(name="n", type="integer", low=1, meaning="the place in the session"),
    Field(name="at", type="datetime", meaning="when it was said, UTC"),
    Field(name="rule", type="integer", low=1, meaning="the number of the rule in the version that was played",
          empty="said beside the rules"),
    Field(name="mode", meaning="how it was said", values=(*MODES, UNSCRIPTED),
          empty="put in from outside"),
    Field(name="purpose", meaning="the purpose that the rule names (see docs/scene-files.md)", empty="it names none"),
    Field(name="speaker", meaning="the role that spoke, or system"),
    Field(name="kind", meaning="what the role is in the scene", values=(*KINDS, SYSTEM)),
    Field(name="spoken_by", form="people, fixed, or provider:model",
          meaning="who found the words: people, a model, or nobody (fixed: the scene's file has them)"),
    Field(name="to", meaning="who heard it, apart by commas; all: everybody"),
    Field(name="applied", type="boolean", meaning="whether the rule's condition held"),
    Field(name="text", meaning="the words that were heard", empty="none were heard, or they were redacted"),
    Field(name="words", type="integer", low=0, meaning="how many words that are"),
    Field(name="redacted", type="boolean", meaning="whether somebody's words were taken out of it"),
    Field(name="silent", meaning="why nothing was heard", empty="something was heard"),
    Field(name="corrections", type="integer", low=0, meaning="replies that were sent back before this one"),
    Field(name="deviation", values=("micro", "macro"), empty="they do not",
          meaning="how far the words that were heard depart from the rule (micro) or the scene (macro)"),
    Field(name="deviation_seen_by", meaning="who saw that", values=("system agent", "program"),
          empty="they do not depart"),
    Field(name="deviation_is", meaning="what departs", empty="they do not depart"),
    Field(name="shortened", type="boolean", meaning="whether the words were cut to the limit of words"),
    Field(name="unchecked", meaning="why the system agent did not look at it", empty="it did, or need not"),
)  # fmt: skip
_ASIDE = (DEBRIEF, ENDING, DEVIATION)
"""What the program tells beside the scene: no words of it."""


def utterances(sessions: Sequence[PlayedSession]) -> Table:
    """All that was said in the scenes, and where somebody was silent."""
    return Table(
        name="utterances",
        meaning="One row is one thing that was said in the scene, or a turn in which nothing was heard, in order. What "
        "the program says beside the scene (consent, kind words at an early end, debriefing) is not among them.",
        fields=_UTTERANCE,
        rows=[row | {"n": n} for one in sessions for n, row in enumerate(_utterances(one), 1)],
        key=("session", "n"),
    )


def _utterances(session: PlayedSession) -> Iterator[dict[str, Any]]:
    turns = session.turns
    heard = {_at(r.event.step) for r in session.recorded if isinstance(r.event, Said)}
    for r in session.recorded:
        match r.event:
            case Said(about=about) as said if about not in _ASIDE:
                yield {**_said(session, said), **_of_turn(turns.get(_at(said.step))), "at": r.at}
            case StepDone(step=step) as done if is_turn(done) and _at(step) not in heard and _at(step) in turns:
                yield {**_unsaid(session, turns[_at(step)]), "at": r.at}


def _at(step: str) -> str:
    found = _PLACE.fullmatch(step)
    return found[1] if found else ""


def _said(session: PlayedSession, said: Said) -> dict[str, Any]:
    place = _PLACE.fullmatch(said.step)
    rule = session.cfg.scene.rules[int(place[2]) - 1] if place else None
    fixed = (rule is not None and is_fixed(rule)) or said.speaker == SYSTEM
    return {
        **_speaker(session, said.speaker, fixed=fixed),
        "rule": int(place[2]) if place else None,
        "mode": said.about if said.about in (*MODES, UNSCRIPTED) else "",
        "purpose": rule.purpose if rule else "",
        "to": "all" if EVERYONE in said.to else ", ".join(said.to),
        "applied": True,
        "text": said.text,
        "words": len(said.text.split()),
        "redacted": REDACTED in said.text,
        "corrections": 0,
        "shortened": False,
    }


def _speaker(session: PlayedSession, name: str, *, fixed: bool) -> dict[str, Any]:
    kind = next((role.kind for role in session.cfg.scene.roles if role.name == name), SYSTEM)
    seated = session.model_on(name)
    return {
        "session": session.session,
        "speaker": name,
        "kind": kind,
        "spoken_by": seated if seated and (seated == PEOPLE or not fixed) else "fixed",
    }


def _unsaid(session: PlayedSession, turn: Turn) -> dict[str, Any]:
    return {
        **_speaker(session, turn.speaker, fixed=is_fixed(session.cfg.scene.rules[turn.rule - 1])),
        "rule": turn.rule,
        "mode": turn.mode,
        "purpose": turn.purpose or "",
        "to": ", ".join(turn.to),
        "text": "",
        "words": 0,
        "redacted": False,
        **_of_turn(turn),
    }


def _of_turn(turn: Turn | None) -> dict[str, Any]:
    """What the turn tells beside its words; nothing for what no role said under a rule."""
    if turn is None:
        return {}
    departs = turn.deviation if turn.text else None
    return {
        "applied": turn.applied,
        "silent": safe.text(turn.silent),
        "corrections": len(turn.sent_back),
        "deviation": departs.level if departs else "",
        "deviation_seen_by": departs.by if departs else "",
        "deviation_is": departs.what if departs else "",
        "shortened": turn.shortened,
        "unchecked": safe.text(turn.unchecked),
    }
