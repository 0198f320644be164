"""How the making of a benchmark and the judging of reasons are told."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from elenchus.debate_engine.dry_run.stubs import SchemaFiller
from elenchus.debate_engine.participant import Ask
from elenchus.debate_engine.protocols.presentation import Column, Presentation, Scores
from elenchus.debate_engine.protocols.spec import DryRun
from elenchus.debate_engine.reports.blocks import Block, Heading, Paragraph
from elenchus.debate_engine.reports.document import Section, bullets, table
from elenchus.debate_engine.reports.escape import inline
from elenchus.debate_engine.reports.safe import spec
from elenchus.debate_engine.reports.view import SessionView
from elenchus.detectors.evaluation.cogbench.generate_schemas import GenerateConfig, GenerateResult
from elenchus.detectors.evaluation.cogbench.judging import JudgeResult, WithPeople
from elenchus.detectors.evaluation.intervals import Estimate

# ── the making of a benchmark ────────────────────────────────────────────────────────────────────────────────────────


class _Stub:
    """Nothing passes the checks in the first round, everything in the second, and each profile is sent back."""

    def __init__(self, cfg: GenerateConfig) -> None:
        self._filler, self._cfg = SchemaFiller(), cfg

    def __call__(self, ask: Ask) -> Any:
        if ask.answer_schema is None:
            return self._filler.words(100)
        value = self._filler.fill(ask.answer_schema, items=self._cfg.opinions)
        if ask.schema_name == "WrittenOpinions":
            one = value["opinions"][0]
            words = [self._filler.words(20).replace("words", f"w{n}") for n in range(self._cfg.opinions)]
            return {"opinions": [{**one, "opinion": text, "supporters": [text[:40]]} for text in words]}
        if ask.schema_name == "CheckedOpinion":
            return value | {"relevant": "yes" if "/2/" in ask.step else "no", "same_as": 0}
        return value


GENERATE_DRY_RUN = DryRun(stub=_Stub)


def _generated(result: GenerateResult) -> Iterator[str]:
    rows = [
        [inline(topic.topic), str(len(topic.opinions)), str(len(topic.refused))] for topic in result.topics
    ]  # fmt: skip
    yield table(["topic", "opinions", "refused"], rows, "lrr")
    made = [one for one in result.profiles if one.profile is not None]
    yield f"{len(made)} profiles, of {len(result.profiles)} supporters. Nobody has reviewed any of it."
    for topic in result.topics:
        if topic.opinions:
            yield f"{inline(topic.topic)}:\n\n{bullets([inline(one.opinion) for one in topic.opinions])}"


# ── the judging of reasons ───────────────────────────────────────────────────────────────────────────────────────────

_NAMES = {
    "same": "the same score",
    "quadratic_kappa": "κ with quadratic weights",
    "spearman": "Spearman's ρ",
    "mean_absolute_error": "mean absolute error",
}
COLUMNS = {
    "record": "the record of the results, from 0",
    "question": "its question, from 0",
    "score": "the judge's, 1 to 5; empty where none could be read",
    "people": "what people's majority said; empty where nobody has rated it",
    "why": "the judge's reason",
    "unread": "why there is no score",
}


def judged_tables(result: JudgeResult) -> Iterator[str]:
    """What the judge's scores are, and how far people agree with them."""
    scores = [row.score for row in result.rows if row.score is not None]
    mean = f"{sum(scores) / len(scores):.3f}" if scores else "–"
    yield (
        f"{inline(spec(result.judge))} rated {len(scores)} reasons of {inline(result.method)}, {mean} on average; "
        f"{result.unread} scores could not be read."
    )
    rated = sum(row.people is not None for row in result.rows)
    yield _beside_people(result.with_people, rated)


def _beside_people(found: WithPeople, rated: int) -> str:
    """A table, or why there is nothing to compare with; `rated`: reasons that people have rated."""
    if not found.items and rated:
        return (
            "How far the judge agrees with people is not known: none of its scores for what people have rated "
            f"({rated}) could be read."
        )
    if not found.items:
        return (
            "Nobody has rated any of these reasons: how far the judge agrees with people is not known, and its scores "
            "say little before that."
        )
    rows = [[name, _interval(getattr(found, field))] for field, name in _NAMES.items()]
    return table([f"judge and people, on {found.items} reasons", "value (95 %)"], rows, "lr")


def _interval(of: Estimate) -> str:
    if of.value is None:
        return "not defined"
    between = "no interval" if of.low is None or of.high is None else f"{of.low:.3f} to {of.high:.3f}"
    return f"{of.value:.3f} ({between})"


# ── both ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _told(view: SessionView) -> list[str]:
    match view.spec.outcome_of(view.outcome):
        case GenerateResult() as result:
            return list(_generated(result))
        case JudgeResult() as result:
            return list(judged_tables(result))
    return []


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if told := _told(view):
        yield Heading("done", "good")
        yield from (Paragraph(text, markdown=True) for text in told)


def _sections(view: SessionView) -> list[Section]:
    told = _told(view)
    return [Section("cogbench", "What came of it", tuple(told))] if told else []


def _rows(view: SessionView) -> Iterable[Mapping[str, Any]]:
    result = view.spec.outcome_of(view.outcome)
    if isinstance(result, JudgeResult):
        yield from (row.model_dump(mode="json", include=set(COLUMNS)) for row in result.rows)


GENERATE = Presentation(ended=_ended, sections=_sections)
JUDGING = Presentation(
    ended=_ended,
    sections=_sections,
    scores=Scores([Column(name, meaning) for name, meaning in COLUMNS.items()], _rows, "One row is a reason."),
)
