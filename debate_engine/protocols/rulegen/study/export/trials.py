"""trials.csv: each of many judgements of a kind, with what was shown before it. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from elenchus.debate_engine.events import Said, StepDone
from elenchus.debate_engine.pictures import EXPORTED, file_name
from elenchus.debate_engine.protocols.rulegen.played import Statement
from elenchus.debate_engine.protocols.rulegen.study.export.sessions import PlayedSession, readable
from elenchus.debate_engine.protocols.rulegen.study.export.table import SESSION, Field, Row, Table
from elenchus.debate_engine.protocols.rulegen.study.observation import PEOPLE, Observation
from elenchus.debate_engine.reports import safe
from elenchus.debate_engine.scenes.trials import Trials, told

_ANSWERED = re.compile(r"(rule/\d+/turn/\d+)/trial/(\d+)/measures")

_TRIAL = (
    SESSION,
    Field(name="role", meaning="the subject that judged"),
    Field(name="subject", meaning="the subject's model, or people", form="people, or provider:model"),
    Field(name="version", meaning="which version of the scene was played", empty="none was drawn yet"),
    Field(name="n", type="integer", low=1, meaning="the place among all that this subject judged"),
    Field(name="rule", type="integer", low=1, meaning="the rule under which it was judged"),
    Field(name="trials", meaning="the block's name"),
    Field(name="round", type="integer", low=1, meaning="the place at which the item came in its block"),
    Field(name="item", type="integer", low=1, meaning="the item's place as the scene's file has it"),
    Field(name="critical", type="boolean", meaning="whether an error in it counts"),
    Field(name="shown", meaning="the text before the question; of a picture the words that say what is on it",
          empty="nothing was shown"),
    Field(name="picture", meaning="the file of the picture, whose name is the SHA-256 of its bytes",
          empty="no picture was shown"),
    Field(name="picture_as", values=("picture", "words"), empty="no picture was shown",
          meaning="what the subject had of it: people see it (at a terminal they are told where it lies, beside its "
                  "words), models read its words alone"),
    Field(name="options", meaning="the options in the order in which they stood", form="option | option …",
          empty="there is none to choose from"),
    Field(name="value", meaning="what was answered", empty="there is no answer"),
    Field(name="right", meaning="the answer without error", empty="the item has none"),
    Field(name="correct", type="boolean", meaning="whether the answer was right", empty="it cannot be told"),
    Field(name="seconds", type="number", unit="seconds", low=0, empty="no person was asked",
          meaning="from being asked to the answer, the way to the person and back included: no reaction time"),
    Field(name="via", meaning="the front end that took the answer", empty="no person was asked, or it is not told"),
    Field(name="why", meaning="why there is no answer", empty="there is one"),
)  # fmt: skip


def trials(sessions: Sequence[PlayedSession]) -> Table:
    """What was judged again and again, a row an item: also of a session that did not come to its end."""
    return Table(
        name="trials",
        meaning="One row is one item of repeated judgements that one subject was asked about, in the order of asking.",
        fields=_TRIAL,
        rows=[row for session in sessions for row in _rows(session)],
        key=("session", "role", "n"),
    )


def _rows(session: PlayedSession) -> Iterator[Row]:
    seen = {one.role: one for one in session.observed}
    blocks = {
        measure.name: (block, number)
        for block in session.cfg.scene.trials
        for number, measure in enumerate(block.measures, 1)
    }
    shown = {r.event.step: r.event for r in session.recorded if isinstance(r.event, Said)}
    counted = Counter[str]()
    for turn, place, one in _stated(session):
        if (of := seen.get(one.subject)) is None or one.measure not in blocks:
            continue
        counted[one.subject] += 1
        block, number = blocks[one.measure]
        yield {
            **_asked(session, of, one, shown.get(f"{turn}/trial/{place}/shown/said")),
            **_judged(block, number, one),
            "n": counted[one.subject],
            "round": place,
            "options": " | ".join(_options(session.results.get(f"{turn}/order"), number)),
        }


def _stated(session: PlayedSession) -> Iterator[tuple[str, int, Statement]]:
    """Each answer with the turn in which it was given, as steps' keys have it, and its round (from 1)."""
    for r in session.recorded:
        if isinstance(r.event, StepDone) and (found := _ANSWERED.fullmatch(r.event.step)):
            given = r.event.result if isinstance(r.event.result, list) else []
            read = (readable(Statement, one) for one in given)
            yield from ((found[1], int(found[2]), one) for one in read if one is not None)


def _options(order: object, number: int) -> list[str]:
    """The options of an item as they stood, by the order that was recorded: each item with its own."""
    found = next((own for item, own in order if item == number), ()) if isinstance(order, list) else ()
    return [str(option) for option in found]


def _asked(session: PlayedSession, of: Observation, one: Statement, shown: Said | None) -> Row:
    """Who was asked, and what was shown before."""
    picture = shown.picture if shown else None
    page = next((page for page in session.pages if page.step == one.step), None)
    return {
        "session": session.session,
        "role": one.subject,
        "subject": of.cell.subject,
        "version": of.cell.condition,
        "rule": one.rule,
        "shown": shown.text if shown else "",
        "picture": f"{EXPORTED}/{file_name(picture)}" if picture else "",
        "picture_as": ("picture" if of.cell.subject == PEOPLE else "words") if picture else "",
        "seconds": page.seconds if page else None,
        "via": page.via if page else "",
    }


def _judged(block: Trials, number: int, one: Statement) -> Row:
    """The item, and what was answered."""
    item = block.items[number - 1]
    return {
        "trials": block.name,
        "item": number,
        "critical": item.critical,
        "value": "" if one.value is None else told(one.value),
        "right": item.right,
        "correct": told(one.value) == item.right if item.right and one.value is not None else None,
        "why": safe.text(one.why),
    }
