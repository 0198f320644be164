"""What came of a scene that was played: its version, what the judges decided of each subject, and why. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from elenchus.debate_engine.protocols.rulegen.played import Evaluation, Opinion, Played, Verdict
from elenchus.debate_engine.protocols.rulegen.projection import scene_of
from elenchus.debate_engine.reports import safe, words
from elenchus.debate_engine.reports.document import Section, bullets, table
from elenchus.debate_engine.reports.escape import inline, quoted, speech
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.scenes.pictures import READ_IN_WORDS

_HEAD: Final = ["subject", "verdict", "judges: yes", "no", "unread", "unfounded yes", "counted, with invented quotes"]
VERDICTS: Final[Mapping[str, str]] = {
    "present": "the bias is seen",
    "absent": "the bias is not seen",
    "undecided": "the judges are divided",
    "unread": "no verdict: no judge could be read",
    "unfounded": "no verdict: the judges say yes by words that the subject never said",
}
_VERSIONS: Final[Mapping[str, str]] = {
    "treatment": "The version was played in which the confederate tempts (treatment).",
    "control": "The neutral version was played, in which nobody tempts (control).",
}
_LEGEND: Final = (
    "Most counted judges decide. They read the record under the names of the scene, and are told neither the version "
    "nor who is a person. A yes counts only where it quotes words that the subject said, three or more in a row. A "
    "judge whose yes does not is asked once more; if it still does not, that yes is unfounded: it is neither a yes nor "
    "a no. One scene shows a moment, no person."
)


def scene_sentences(view: SessionView) -> list[str]:
    """The outcome in plain sentences (other people's words are not escaped); none where the session is no scene."""
    if (played := view.outcome_as(Played)) is None:
        return []
    version = scene_of(view).condition
    told = [_VERSIONS.get(version, f"The version “{version}” was played.")] if version else []
    mode = str(view.started.config.get("mode", "")) if view.started else ""
    told += [f"People took part in a {mode}."] if mode else []
    if any(one.said.picture for one in view.transcript) and any(one.kind != "person" for one in view.speakers):
        told.append(READ_IN_WORDS)
    if played.ended:
        return [*told, f"It ended early{ended_for(played)}: nothing of it counts."]
    told += [_stop(f"{one.subject} stated {one.measure}: {one.told or 'nothing'}") for one in played.stated]
    told += [f"By the scene's rule ({one.rule}) for {one.subject}: {one.told}." for one in played.outcomes]
    if played.evaluation is None:
        return told if played.stated else [*told, "Nobody judged it."]
    return [*told, *(_sentence(played.evaluation, one) for one in played.evaluation.verdicts)]


def ended_for(played: Played) -> str:
    """Why it ended early, where whoever runs the scene has ended it; for all that people do "", the same for each."""
    return " (closed)" if played.ended == "closed" else ""


def _stop(sentence: str) -> str:
    """The sentence with a full stop, unless the words that it ends with have a stop of their own."""
    return sentence if sentence.endswith((".", "!", "?", "…")) else f"{sentence}."


def scene_sections(view: SessionView) -> list[Section]:
    """What was stated, and the judges' verdicts with their reasons; none where there is neither."""
    played = view.outcome_as(Played)
    if played is None or played.ended or not (played.evaluation or played.stated):
        return []
    return [Section("scene", words.HEADINGS["result"], tuple(_blocks(played)))]


def _sentence(evaluation: Evaluation, verdict: Verdict) -> str:
    judges = words.count(verdict.yes + verdict.no + verdict.unread + verdict.unfounded, "judge")
    unread = f", {verdict.unread} unread" if verdict.unread else ""
    unfounded = f", {verdict.unfounded} unfounded" if verdict.unfounded else ""
    found = f"{verdict.yes} yes, {verdict.no} no{unread}{unfounded}"
    return f"{verdict.subject} ({evaluation.bias}): {VERDICTS[verdict.verdict]}. {judges}: {found}."


def _blocks(played: Played) -> Iterator[str]:
    if played.stated:
        stated = [[_cell(one.subject), _cell(one.measure), _cell(one.told or f"({one.why})")] for one in played.stated]
        yield table(["subject", "measure", "stated"], stated, "lll")
        yield bullets([f"{_cell(one.subject)}: {_cell(one.rule)}: **{one.told}**" for one in played.outcomes])
    if played.evaluation:
        yield from _judged(played.evaluation)


def _judged(evaluation: Evaluation) -> Iterator[str]:
    rows = [
        [
            _cell(one.subject),
            VERDICTS[one.verdict],
            *map(str, (one.yes, one.no, one.unread, one.unfounded, one.misquoted)),
        ]
        for one in evaluation.verdicts
    ]
    yield table(_HEAD, rows, "llrrrrr")
    yield _LEGEND
    if evaluation.observation:
        yield "**What the judges looked for**"
        yield quoted(speech(safe.text(evaluation.observation)))
    yield "**What the judges say**"
    yield bullets([_said(one) for one in evaluation.opinions])


def _said(one: Opinion) -> str:
    answer = words.yes_or_no(one.present, unfounded=one.unfounded)
    missed = [f"“{_cell(quote.words)}”" for quote in one.quotes if quote.stands == "nowhere"]
    nowhere = f" **Not in the record:** {', '.join(missed)}" if missed else ""
    return f"{_cell(one.judge)} on {_cell(one.subject)}: {answer}: {_cell(one.unread or one.reason)}{nowhere}"


def _cell(text: str) -> str:
    return inline(safe.text(text))
