"""Rationality by a model that judges, blind to methods, and how far it agrees with the people who rated the same.

A judge's score says little before that: each result has the agreement beside it, over the items that people have rated
too, with intervals over topics and profiles. What another judge said is not what people said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.llm.schema import at_most
from elenchus.debate_engine.participant import Declined
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.session import Session
from elenchus.debate_engine.tasks import together
from elenchus.detectors.evaluation.cogbench import measures
from elenchus.detectors.evaluation.cogbench.bootstrap import Cluster, crosswise, estimate
from elenchus.detectors.evaluation.cogbench.in_words import profile_rows, what_was_read
from elenchus.detectors.evaluation.cogbench.results import RATED_BY, Results, has_reason, who
from elenchus.detectors.evaluation.cogbench.rubric import RUBRIC
from elenchus.detectors.evaluation.cogbench.shapes import UNRATED, Json
from elenchus.detectors.evaluation.intervals import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

JUDGE = "judge"

prompts = prompts_of("elenchus.detectors.evaluation.cogbench")


class JudgeItem(FrozenModel):
    """An answer: `record` and `question` (from 0) are where it stands; `people` is what their majority said of it."""

    record: int
    question: int
    cluster: str
    profile: str
    read: str
    statement: str
    rating: int
    reason: str
    people: int | None = None


class JudgeConfig(FrozenModel):
    """The answers of `method`, which the judge is not told. `judge` says who judges."""

    title: str = "rationality"
    method: str
    judge: str
    items: tuple[JudgeItem, ...] = Field(min_length=1)
    seed: int = 0


class JudgedReason(BaseModel):
    """How well a reason fits."""

    why: str = Field(description="at most 60 words", json_schema_extra=at_most(100, characters=700))
    score: int = Field(ge=1, le=5)


class JudgeRow(FrozenModel):
    """One answer and its score; None where the judge gave none that could be read, and `unread` says why."""

    record: int
    question: int
    cluster: str
    score: int | None
    why: str = ""
    unread: str = ""
    people: int | None = None


class WithPeople(FrozenModel):
    """The judge beside people, over the `items` that both have rated. `same`: the share of equal scores."""

    items: int
    same: Estimate
    quadratic_kappa: Estimate
    spearman: Estimate
    mean_absolute_error: Estimate


class JudgeResult(FrozenModel):
    """The outcome: every score, and what they are worth."""

    method: str
    judge: str
    rows: tuple[JudgeRow, ...]
    unread: int
    with_people: WithPeople


async def judge(s: Session, config: Mapping[str, Any]) -> dict[str, Any]:
    """A dumped `JudgeConfig` in, a dumped `JudgeResult` out. Step keys: `RECORD-QUESTION/score`."""
    cfg = JudgeConfig.model_validate(config)
    rows = await together(*(_row(s.recalling(), item) for item in cfg.items))
    found = await asyncio.to_thread(with_people, rows, cfg.seed)
    return JudgeResult(
        method=cfg.method,
        judge=cfg.judge,
        rows=rows,
        unread=sum(row.score is None for row in rows),
        with_people=found,
    ).model_dump(mode="json")


async def _row(s: Session, item: JudgeItem) -> JudgeRow:
    """The judge sees neither the method nor what people said."""
    said = await s.ask(
        f"{item.record}-{item.question}/score", JUDGE, prompts.rationality, JudgedReason,
        profile=item.profile, text=item.read, question=item.statement, rating=item.rating, reason=item.reason,
        rubric=RUBRIC,
    )  # fmt: skip
    row = JudgeRow(
        record=item.record, question=item.question, cluster=item.cluster, score=None, people=item.people
    )  # fmt: skip
    if isinstance(said, Declined):
        return row.model_copy(update={"unread": said.reason})
    return row.model_copy(update={"score": said.score, "why": said.why})


# ── what is judged (pure) ────────────────────────────────────────────────────────────────────────────────────────────


def items_of(results: Results, method: str, limit: int | None, seed: int) -> tuple[JudgeItem, ...]:
    """A method's answers that have a rating and a reason. Of more than `limit` those that people have rated come
    first, the others are drawn. Raises UsageError for a method that is nowhere.
    """
    results.answers(method)
    found = [
        _item(n, place, record, method)
        for n, record in enumerate(results.records)
        for place, question in enumerate(record["questionnaire"])
        if has_reason(question, method)
    ]
    if limit is None or limit >= len(found):
        return tuple(found)
    drawn = Random(seed).sample(found, len(found))
    chosen = sorted(drawn, key=lambda item: item.people is None)[:limit]
    return tuple(sorted(chosen, key=lambda item: (item.record, item.question)))


def _item(n: int, place: int, record: Json, method: str) -> JudgeItem:
    question = record["questionnaire"][place]
    given = question["answer"][method]
    profile = record.get("profile")
    rationality = given.get("rationality", UNRATED) if RATED_BY not in given else UNRATED
    return JudgeItem(
        record=n,
        question=place,
        cluster=f"{record.get('topic')}\n{who(profile)}",
        profile="\n".join(profile_rows(given.get("profile") or profile)),
        read=what_was_read(record) or "",
        statement=question["question"],
        rating=int(given["rating"]),
        reason=str(given.get("reason", "")),
        people=None if rationality in (UNRATED, None) else round(rationality),
    )


# ── what came of it (pure) ───────────────────────────────────────────────────────────────────────────────────────────


def with_people(rows: Sequence[JudgeRow], seed: int = 0) -> WithPeople:
    """How far the judge agrees with people. A tenth of a second for the resamples."""
    import numpy as np

    clusters: dict[Cluster, list[measures.Pair]] = {}
    for row in rows:
        if row.score is not None and row.people is not None:
            topic, _, profile = row.cluster.partition("\n")
            clusters.setdefault((topic, profile), []).append((row.people, row.score))
    tables = np.stack([measures.counts(pairs) for pairs in clusters.values() or [[]]])
    again, whole = crosswise(tables, list(clusters) or [("", "")], seed), tables.sum(0)

    def figure(of: Any) -> Estimate:
        return estimate(of(whole), of(again))

    return WithPeople(
        items=int(whole.sum()),
        same=figure(_same),
        quadratic_kappa=figure(measures.quadratic),
        spearman=figure(measures.spearman),
        mean_absolute_error=figure(measures.absolute_error),
    )


def _same(table: Array) -> Array:
    """The share of equal scores; NaN for nothing."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        return np.asarray(np.trace(table, axis1=-2, axis2=-1) / table.sum((-1, -2)))


def with_scores(results: Results, result: JudgeResult) -> list[Json]:
    """The records with the judge's scores in place of people's, each with who gave it; what was not judged has none."""
    records = deepcopy(list(results.records))
    scores = {(row.record, row.question): row.score for row in result.rows}
    for n, record in enumerate(records):
        for place, question in enumerate(record["questionnaire"]):
            if (given := question["answer"].get(result.method)) is not None:
                score = scores.get((n, place))
                given["rationality"] = UNRATED if score is None else score
                given[RATED_BY] = result.judge
    return records
