"""What came of a scene that was played: the verdict on each subject, and what each judge says. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.reports import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from elenchus.debate_engine.events import PromptTrimmed
    from elenchus.debate_engine.protocols.rulegen.schemas import Evaluation, Opinion, Verdict


def played_lines(outcome: Mapping[str, Any]) -> Iterator[str]:
    """The outcome of a scene, a dumped `Played`, in lines."""
    from elenchus.debate_engine.protocols.rulegen.schemas import Played

    played = Played.model_validate(outcome)
    if played.ended:
        yield f"it ended early ({played.ended}): nothing of it counts"
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
    yield f"{verdict.subject}: {words.VERDICTS[verdict.verdict]} ({told})"
    yield from (_said(one) for one in evaluation.opinions if one.subject == verdict.subject)


def _said(one: Opinion) -> str:
    answer = words.yes_or_no(one.present, unfounded=one.unfounded)
    return f"- {one.judge}: {answer}: {' '.join((one.unread or one.reason).split())}"


def shortened_for(trimmed: Iterable[PromptTrimmed]) -> str:
    """Which judges of a scene could not read the whole record, in a sentence; "" where all could."""
    judges = sorted({one.step.split("/")[3] for one in trimmed if one.step.startswith("evaluation/subject/")})
    return f"{', '.join(judges)} judged by a shortened record: the model's context is too small" if judges else ""
