"""An auditor of finished debates: looks at every number that a debate has stored, with arithmetic of its own.

It reads the log as anybody could: which answers were readable follows from the replies as they came, not from what the
program made of them. A number that rests on no readable answer, and any 0 in place of a missing one, is a finding.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose
from typing import Any

from elenchus.debate_engine.events import CallFailed, Recorded, StepDone

SCORES = {
    "gamma", "theta", "standing", "a_validity", "a_credibility", "b_validity", "b_credibility", "first_depth",
    "first_balance", "first_accuracy", "second_depth", "second_balance", "second_accuracy",
}  # fmt: skip
"""Everything on a scale of 1 to 10, by the names under which it is stored."""


@dataclass
class Audit:
    """A session's log, step by step. `unread` counts the asked answers that could not be had."""

    recorded: Sequence[Recorded]
    steps: dict[str, StepDone] = field(default_factory=dict)
    failed: int = 0
    unread: int = 0

    def __post_init__(self) -> None:
        for r in self.recorded:
            if isinstance(r.event, StepDone):
                self.steps[r.event.step] = r.event
            self.failed += isinstance(r.event, CallFailed)

    @property
    def calls(self) -> int:
        """Attempts that the log knows of: replies, and failures."""
        return self.failed + sum(len(step.calls) for step in self.steps.values())

    def look(self) -> None:
        """Look at everything. An AssertionError is a finding."""
        for step in self.steps.values():
            _looks_like_no_zero(step.result, step.step)
            if isinstance(step.result, dict) and step.result.keys() <= {"value", "declined"} and step.calls:
                self._was_read(step)
        self._qualities()
        for name, made, letters in (
            ("judging/judgement", _judged, "AB"),
            ("comparison/result", _compared, "AB"),
        ):
            if name in self.steps:
                _tally(self.steps[name].result, made, letters, self)

    def answer(self, step: str) -> Any:
        """What a seat answered, None where nothing could be read or nothing was asked."""
        done = self.steps.get(step)
        return done.result.get("value") if done is not None else None

    def _was_read(self, step: StepDone) -> None:
        """A stored value stands in the reply that was taken; where there is none, no reply was."""
        taken = [call for call in step.calls if call.outcome in ("ok", "cut") or call.adjusted]
        if "declined" in step.result:
            self.unread += 1
            assert not taken, f"{step.step}: a reply was taken and yet declined"
            assert step.result["declined"].strip(), f"{step.step}: nobody knows why there is no answer"
            return
        assert len(taken) == 1, f"{step.step}: a value without its reply"
        value, reply = step.result["value"], taken[0].reply
        if step.inputs["answer_schema"] is None:
            assert value, f"{step.step}: an empty text passes for an answer"
            assert value in reply, f"{step.step}: words that the model did not say"
        elif taken[0].adjusted:
            assert [leaf for leaf in _leaves(value) if not _stands(leaf, reply)] == [], f"{step.step}: made up"
        else:
            assert _spelt(json.loads(reply)) == _spelt(value), f"{step.step}: not what the model said"

    # ── CRIT ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _qualities(self) -> None:
        known: list[dict[str, Any]] = []
        for step in self.steps.values():
            if step.step.endswith("crit/quality"):
                new = step.result["new"]
                self._scores(step.step.removesuffix("quality"), new)
                known += new
                _quality(step.result, known)

    def _scores(self, under: str, new: Sequence[Mapping[str, Any]]) -> None:
        """Each reason's score is what the model gave, or none."""
        number: dict[tuple[str, str], int] = defaultdict(int)
        for reason in new:
            place = reason["side"], "-".join(reason["about"].split())
            number[place] += 1
            verdict = self.answer(f"{under}validate/{place[0]}/{place[1]}/{number[place]}/score")
            scores = (verdict["validity"], verdict["credibility"]) if verdict else (None, None)
            assert (reason["gamma"], reason["theta"]) == scores, reason
            assert bool(reason["unread"]) is (verdict is None), reason


def _leaves(value: Any) -> Iterator[Any]:
    """The texts and numbers of a value."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    else:
        yield value


def _stands(leaf: Any, reply: str) -> bool:
    """Whether a text (as far as it goes) or a number is in a reply."""
    if isinstance(leaf, str):
        return leaf.removesuffix("…") in reply or json.dumps(leaf, ensure_ascii=False)[1:-1] in reply
    return re.search(rf"(?<![\d.]){re.escape(json.dumps(leaf))}(?![\d])", reply) is not None


def _spelt(value: Any) -> str:
    """A JSON value as text; half a character, which nobody can store, is U+FFFD."""
    return (
        json.dumps(value, ensure_ascii=False, sort_keys=True)
        .encode("utf-16", "surrogatepass")
        .decode("utf-16", "replace")
    )


def _quality(stored: Mapping[str, Any], reasons: Sequence[Mapping[str, Any]]) -> None:
    scored = [(r["gamma"], r["theta"]) for r in reasons if r["gamma"] is not None]
    assert stored["unreadable"] == len(reasons) - len(scored)
    if stored["gamma"] is not None:
        assert scored, "a Γ out of nothing"
        assert 2 * len(scored) >= len(reasons), "a Γ although most reasons could not be read"
        assert isclose(stored["gamma"], sum(g * t for g, t in scored) / sum(t for _, t in scored))
    elif scored and 2 * len(scored) >= len(reasons):
        fresh = [r for r in stored["new"] if r["gamma"] is not None]
        assert not fresh, "Γ is kept back although something new was read"
    for topic in stored["by_topic"]:
        own = [(r["gamma"], r["theta"]) for r in reasons if r["topic"] == topic["number"] and r["gamma"] is not None]
        if topic["gamma"] is not None:
            assert isclose(topic["gamma"], sum(g * t for g, t in own) / sum(t for _, t in own))


# ── tallies ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Points:
    """One judge on one topic in one order: the points of A and B out of the judge's own reply."""

    judge: str
    first: str
    a: float
    b: float


def _judged(cell: Mapping[str, Any], audit: Audit) -> Points | None:
    ruling = audit.answer(f"judging/{cell['judge']}/{cell['claimant']}-claims/topic/{cell['topic']}")
    assert cell["ruling"] == ruling
    if ruling is None:
        return None
    a, b = ((ruling[f"{side}_validity"] + ruling[f"{side}_credibility"]) / 2 for side in "ab")
    return Points(cell["judge"], cell["claimant"], a, b)


def _compared(cell: Mapping[str, Any], audit: Audit) -> Points | None:
    order = "debate" if cell["debate_first"] else "answer"
    given = audit.answer(f"comparison/{cell['judge']}/{order}-first/topic/{cell['topic']}")
    assert cell["preference"] == given
    if given is None:
        return None
    one, two = (
        sum(given[f"{at}_{what}"] for what in ("depth", "balance", "accuracy")) / 3 for at in ("first", "second")
    )
    return Points(cell["judge"], *(("A", one, two) if cell["debate_first"] else ("B", two, one)))


def _tally(stored: Mapping[str, Any], made: Any, letters: str, audit: Audit) -> None:
    """Totals, votes and the verdict, counted again from the replies."""
    read = [points for cell in stored["cells"] if (points := made(cell, audit))]
    for total in stored["totals"]:
        _sum(total, [p for p in read if (p.judge, p.first) == (total["judge"], total["first"])])
    readable = []
    for vote in stored["votes"]:
        own = [p for p in read if p.judge == vote["judge"]]
        _sum(vote, own)
        enough = 2 * len(own) >= vote["asked"]
        assert (vote["vote"] is None) is (not enough), vote
        assert (vote["judge"] in {f["judge"] for f in stored["failed"]}) is (not enough)
        readable += [vote["judge"]] if enough else []
    counted = [p for p in read if p.judge in readable]
    _sum({**stored, "read": len(counted)}, counted)
    if len(readable) < min(2, len(stored["judges"])) or 2 * len(readable) < len(stored["judges"]):
        assert {stored[f"winner{by}"] for by in ("", "_by_total", "_by_majority")} == {"undecided"}
    else:
        a, b = sum(p.a for p in counted), sum(p.b for p in counted)
        assert stored["winner_by_total"] == ("tie" if isclose(a, b) else letters[a < b])


def _sum(stored: Mapping[str, Any], own: Sequence[Points]) -> None:
    """A sum over what was read; no sum, and not 0, where nothing was."""
    assert stored["read"] == len(own)
    if not own:
        assert (stored["a"], stored["b"]) == (None, None), f"nothing was read, and yet there are points: {stored}"
    else:
        assert isclose(stored["a"], sum(p.a for p in own), abs_tol=1e-5)
        assert isclose(stored["b"], sum(p.b for p in own), abs_tol=1e-5)


def _looks_like_no_zero(value: Any, where: str) -> None:
    for name, score in _scores_in(value):
        assert score is None or 1 <= score <= 10, f"{where}: {name} is {score}"


def _scores_in(value: Any) -> Iterator[tuple[str, Any]]:
    match value:
        case dict():
            for name, inner in value.items():
                if name in SCORES:
                    yield name, inner
                yield from _scores_in(inner)
        case list():
            for inner in value:
                yield from _scores_in(inner)
