"""How a scene is told: what it shows while it runs, and what the judges say at its end. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.events import EVERYONE, PromptTrimmed, Recorded, Said, StepDone
from elenchus.debate_engine.log import reached
from elenchus.debate_engine.protocols.presentation import Presentation
from elenchus.debate_engine.protocols.rulegen.evaluation import judge_asked
from elenchus.debate_engine.protocols.rulegen.people.ending import DEBRIEF, ENDING
from elenchus.debate_engine.protocols.rulegen.people.pages import part_of
from elenchus.debate_engine.protocols.rulegen.played import Evaluation, Opinion, Played, Verdict
from elenchus.debate_engine.protocols.rulegen.projection import SceneProjection, scene_of
from elenchus.debate_engine.protocols.rulegen.report import VERDICTS, ended_for, scene_sections, scene_sentences
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.blocks import Block, Heading, Note, Paragraph, Speech
from elenchus.debate_engine.reports.said import model_of
from elenchus.debate_engine.scenes.scene import SYSTEM

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView


def shown(r: Recorded, view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """Words with those to whom they go; to who has agreed to take part, the part, once it is known.

    The judges read the record at its end, and hear nothing of it before. What the scene itself says was written by
    nobody's model.
    """
    match r.event:
        case Said() as said if _heard(said, view, seats) and not _names_who_ended_it(said, view, seats):
            yield _spoken(said, view, seats)
        case StepDone():
            yield from (who_you_are(view, seat) for seat in scene_of(view).told_parts if seat in seats)


def _heard(said: Said, view: SessionView, seats: Collection[str]) -> bool:
    judges = view.started.config.get("judges", ()) if view.started else ()
    return all(seat not in judges and reached(seat, said) for seat in seats)


def _names_who_ended_it(said: Said, view: SessionView, seats: Collection[str]) -> bool:
    """Whether by these words whoever runs the scene would learn who declined, stopped or withdrew."""
    return not seats and (said.about == ENDING or (said.about == DEBRIEF and bool(scene_of(view).ended)))


def who_you_are(view: SessionView, seat: str) -> Speech:
    """What a person is told of the part it plays, before anything of the scene reaches it."""
    scene = scene_of(view)
    role = scene.role(seat)
    told = (role.background, role.task) if role else ("", "")
    return Speech(seat, "who you are", part_of(seat, *told, scene.language))


def _spoken(said: Said, view: SessionView, seats: Collection[str]) -> Speech:
    written = said.speaker == SYSTEM and said.about != "deviation"
    model = model_of(view, said.speaker) if not seats and not written else ""
    return Speech(said.speaker, addressed(said), said.text, None, model, said.picture)


def addressed(said: Said) -> str:
    """To whom words of a scene go, and what they are where no rule has them said."""
    to = "everybody" if EVERYONE in said.to else ", ".join(said.to)
    beside = said.about if said.about in ("ending", "debrief", "deviation") else ""
    return f"to {to}{f' ({beside})' if beside else ''}"


def ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    """The verdict on each subject, and what each judge says. Those who play are told none: they were debriefed."""
    played = view.outcome_as(Played)
    if played is None or seats:
        return
    if told := shortened_for(view.failures.trimmed):
        yield Note(told, "warn")
    if played.stated:
        yield Heading("what came out", "judge")
        yield from map(Paragraph, stated_lines(played))
    if played.evaluation is not None or not played.stated:
        yield Heading("what the judges say", "judge")
        yield from map(Paragraph, played_lines(played))


def stated_lines(played: Played) -> Iterator[str]:
    """What each subject stated, and the outcome by the scene's rule, in lines."""
    for one in played.stated:
        yield f"{one.subject} stated {one.measure}: {one.told or f'nothing ({one.why})'}"
    for outcome in played.outcomes:
        yield f"{outcome.subject}: {outcome.rule}: {outcome.told}"


def played_lines(played: Played) -> Iterator[str]:
    """The outcome of a scene in lines."""
    if played.ended:
        yield f"it ended early{ended_for(played)}: nothing of it counts"
    elif played.evaluation is None:
        yield "nobody judged it"
    else:
        for verdict in played.evaluation.verdicts:
            yield from _judged(played.evaluation, verdict)


def _judged(evaluation: Evaluation, verdict: Verdict) -> Iterator[str]:
    counts = f"{verdict.yes} yes, {verdict.no} no, {verdict.unread} unread"
    unfounded = f", {verdict.unfounded} unfounded" if verdict.unfounded else ""
    misquoted = f"; {verdict.misquoted} of those that count quote words that nobody said" if verdict.misquoted else ""
    told = f"{evaluation.bias}; judges: {counts}{unfounded}{misquoted}"
    yield f"{verdict.subject}: {VERDICTS[verdict.verdict]} ({told})"
    yield from (_said(one) for one in evaluation.opinions if one.subject == verdict.subject)


def _said(one: Opinion) -> str:
    answer = words.yes_or_no(one.present, unfounded=one.unfounded)
    return f"- {one.judge}: {answer}: {' '.join((one.unread or one.reason).split())}"


def shortened_for(trimmed: Iterable[PromptTrimmed]) -> str:
    """Which judges of a scene could not read the whole record, in a sentence; "" where all could."""
    judges = sorted({asked[1] for one in trimmed if (asked := judge_asked(one.step))})
    return f"{', '.join(judges)} judged by a shortened record: the model's context is too small" if judges else ""


def as_json(view: SessionView) -> dict[str, Any]:
    """The outcome; of an early end what whoever runs the scene may know."""
    document = dict(view.outcome or {})
    if document.get("ended") and document["ended"] != "closed":
        document |= {"ended": "early", "ended_by": ""}
    return document


PRESENTATION = Presentation(
    project=SceneProjection, shown=shown, ended=ended, summary=scene_sentences, sections=scene_sections, as_json=as_json
)
