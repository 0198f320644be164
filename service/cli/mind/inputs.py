"""`elenchus mind feed`, `ask` and `survey`: what a mind is given is read first, then planned or carried out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elenchus.config.documents import STANDARD_INPUT, read_standard_input
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import Fed, GivenToMind, Surveyed, Talked
from elenchus.debate_engine.printable import is_blank
from elenchus.debate_engine.protocols.cognition.presentation import answers_block, reading_blocks
from elenchus.debate_engine.reports.blocks import Heading, Note, Speech
from elenchus.detectors.evaluation.cogbench.flows.reading import LARGEST, flow_of, flows_in_folder
from elenchus.service.cli import checks, context, failures
from elenchus.service.cli.launch import detached
from elenchus.service.cli.mind.creation import opinions_in
from elenchus.service.cli.mind.shown import show_blocks
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.preflight import tell_document
from elenchus.service.lab.lab_minds import MindWaits
from elenchus.service.lab.mind_options import mind_id, typed

if TYPE_CHECKING:
    from elenchus.debate_engine.protocols.cognition.projection import Exchange, MindProjection, Reading, Survey
    from elenchus.debate_engine.protocols.cognition.schemas import Flow
    from elenchus.service.app import App


@dataclass(frozen=True, slots=True)
class InputOptions:
    """How something is given to a mind, and by whom."""

    out: CommandOutput
    by: str = ""
    dry_run: bool = False
    detach: bool = False

    def __post_init__(self) -> None:
        """Raises UsageError where nothing can be left to a worker."""
        if self.detach:
            checks.detachable(dry_run=self.dry_run)

    @property
    def apart(self) -> bool:
        """Whether nothing is carried out here."""
        return self.dry_run or self.detach


async def flows_typed(what: Sequence[str], title: str) -> list[Flow]:
    """What stands in files, folders, at addresses and in standard input. Raises UsageError."""
    found: list[Flow] = []
    for one in what:
        if is_blank(one):  # as a path it would be the folder where one stands
            raise UsageError("There is nothing to read: name a file, a folder or an address, and not an empty text.")
        if one == STANDARD_INPUT:
            found.append(typed(clean(await asyncio.to_thread(read_standard_input, LARGEST, "text")), "standard input"))
        elif await asyncio.to_thread(Path(one).is_dir):
            found += await flows_in_folder(Path(one))
        else:
            found.append(await flow_of(one))
    if title and len(found) != 1:
        raise UsageError(f"--title is for one text, and there are {len(found)}.")
    return [one.model_copy(update={"title": title}) for one in found] if title else found


@dataclass(frozen=True, slots=True)
class Feeding:
    """How texts are fed: its opinions rated after each (`survey`), and none that it has read already (`unread`)."""

    survey: bool
    unread: bool

    def leaves_out(self, mind: MindProjection, flow: Flow) -> bool:
        """Whether it has read this, and is to read only what it has not."""
        return self.unread and mind.read_in(flow.texts) is not None

    def given(
        self, mind: MindProjection, flows: Sequence[Flow], opinions: tuple[str, ...], by: str
    ) -> Iterator[GivenToMind]:
        """All that it is given, one after the other."""
        for flow in flows:
            if not self.leaves_out(mind, flow):
                yield _fed(flow, by)
                if self.survey:
                    yield Surveyed(by=by, questions=opinions)


async def feed_mind(name: str, what: Sequence[str], title: str, how: InputOptions, feeding: Feeding) -> int:
    """Have it read one text after the other, and rate its opinions in between; the exit code."""
    flows, who, out = await flows_typed(what, title), context.name_of(how.by), how.out
    async with context.opened() as app:
        opinions = await app.minds.questions(name) if feeding.survey else ()
        if how.apart:
            return await _apart(app, name, list(feeding.given(await app.minds.look(name), flows, opinions, who)), how)
        documents: list[dict[str, Any]] = []
        for n, flow in enumerate(flows, 1):
            mind = await app.minds.look(name)
            if len(flows) > 1 or not out.json:
                of = f" ({n} of {len(flows)})" if len(flows) > 1 else ""
                out.tell(f"{name} {_beforehand(mind, flow, feeding)}{of} …")
            try:
                if left_out := feeding.leaves_out(mind, flow):
                    before = mind.read_in(flow.texts)
                    read: dict[str, Any] = {"title": flow.title, "source": flow.source, "read_before": before}
                else:
                    read = _told_reading(await app.minds.feed(name, flow, by=who), out)
                if opinions and not (left_out and _was_rated(mind, flow)):
                    read["survey"] = _told_survey(await app.minds.survey(name, opinions, by=who), out)
            except MindWaits:
                _tell_not_given(flows[n:], out)
                raise
            documents.append(read)
    out.document({"name": name, "read": documents})
    return failures.OK


def _fed(flow: Flow, by: str) -> Fed:
    return Fed(by=by, texts=flow.texts, title=flow.title, source=flow.source)


def _beforehand(mind: MindProjection, flow: Flow, feeding: Feeding) -> str:
    """What it does with a text, as it begins."""
    title, before = flow.title or "it", mind.read_in(flow.texts)
    if mind.waits(_fed(flow, "")) is not None:
        return f"reads {title}, which waited already"
    if before is None:
        return f"reads {title}"
    return f"{'leaves out' if feeding.unread else 'reads once more'} {title}, read in iteration {before}"


def _was_rated(mind: MindProjection, flow: Flow) -> bool:
    """Whether its opinions were rated after this text, or can no more be, as it has read on."""
    after = mind.read_in(flow.texts)
    return mind.iteration != after or any(survey.iteration == after for survey in mind.surveys)


def _tell_not_given(left: Sequence[Flow], out: CommandOutput) -> None:
    """What was not put into the mind's log, as the one before it could not be carried out."""
    if left:
        were = "1 text was" if len(left) == 1 else f"{len(left)} texts were"
        out.tell(f"{were} not given, from {left[0].title or 'the next'} on: feed it them when it goes on again")


async def ask_mind(name: str, text: str, how: InputOptions) -> int:
    """Say something to it, and tell the answer; the exit code."""
    who, out = context.name_of(how.by), how.out
    async with context.opened() as app:
        if how.apart:
            return await _apart(app, name, [Talked(by=who, text=text)], how)
        said = await app.minds.ask(name, text, by=who)
        called = (await app.minds.look(name)).versions[-1].profile.name
    _tell_answer(said, called, name, out)
    return failures.OK if said.said else failures.PROVIDER


def _tell_answer(said: Exchange, called: str, name: str, out: CommandOutput) -> None:
    out.document({"name": name, "text": said.text, "answer": said.said or None, "why_not": said.why_silent or None})
    if said.said:
        show_blocks([Speech(called, "", said.said)], out)
    else:
        show_blocks([Note(f"no answer: {said.why_silent}", "warn")], out)


async def survey_mind(name: str, asked: Sequence[str], file: Path | None, how: InputOptions) -> int:
    """Have it rate opinions; the exit code."""
    opinions, who, out = (*asked, *opinions_in(file)), context.name_of(how.by), how.out
    async with context.opened() as app:
        if how.apart:
            questions = await app.minds.questions(name, opinions)
            return await _apart(app, name, [Surveyed(by=who, questions=questions)], how)
        survey = await app.minds.survey(name, opinions, by=who)
    out.document({"name": name, **_told_survey(survey, out)})
    return failures.OK if any(answer.rating for answer in survey.answers) else failures.PROVIDER


async def _apart(app: App, name: str, given: Sequence[GivenToMind], how: InputOptions) -> int:
    """Tell what it would cost, or put it into the mind's log and leave it to a worker."""
    if how.dry_run:
        tell_document(await app.minds.estimate(name, *given), how.out)
        return failures.OK
    for one in given:
        await app.minds.give(name, one)
    return await detached(app, mind_id(name), how.out)


def _told_reading(reading: Reading, out: CommandOutput) -> dict[str, Any]:
    show_blocks(reading_blocks(reading), out)
    return {
        "seq": reading.seq,
        "title": reading.title,
        "source": reading.source,
        "iteration": reading.iteration.iteration if reading.iteration else None,
        "why_not": reading.why_silent or None,
        "read_before": reading.before,
        "taken": reading.taken.model_dump(mode="json"),
    }


def _told_survey(survey: Survey, out: CommandOutput) -> dict[str, Any]:
    heading = Heading(f"rated after iteration {survey.iteration}", "strong")
    show_blocks([heading, answers_block(survey.answers)], out)
    return {"iteration": survey.iteration, "answers": [one.model_dump(mode="json") for one in survey.answers]}
