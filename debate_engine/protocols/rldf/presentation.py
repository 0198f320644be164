"""How a debate of roles is told: its statements, the scores by role and round, and what they give for training."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.protocols.presentation import Column, Presentation, Scores
from elenchus.debate_engine.protocols.rldf.schemas import Debated
from elenchus.debate_engine.protocols.spec import DryRun
from elenchus.debate_engine.reports.blocks import Block, Fact, Rows
from elenchus.debate_engine.reports.document import Section, table
from elenchus.debate_engine.reports.escape import inline

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView

NAME = "scores-for-bias"


def _table(debated: Debated) -> tuple[list[str], list[list[str]]]:
    """A row a role, a column a round; a dash where there is no score."""
    head = ["role", *(f"round {of.number}" for of in debated.rounds)]
    scores = {(one.identity, one.round): one.score for one in debated.statements}
    rows = [
        [identity, *(_number(scores.get((identity, of.number))) for of in debated.rounds)]
        for identity in debated.identities
    ]
    return head, rows


def _number(score: int | None) -> str:
    return "–" if score is None else str(score)


def counted(debates: Sequence[Debated]) -> dict[str, int]:
    """How many statements of which kind there are, and how many rounds hold both kinds. Pure."""
    highs = [one.high for debated in debates for one in debated.statements]
    rounds = [of for debated in debates for of in debated.rounds]
    return {
        "statements": len(highs),
        "high": highs.count(True),
        "low": highs.count(False),
        "unread": highs.count(None),
        "rounds": len(rounds),
        "rounds_with_pair": sum(of.gives_pair for of in rounds),
    }


def in_short(debated: Debated) -> str:
    """The same of one debate, in a sentence."""
    of = counted([debated])
    told = f"{of['high']} statements of high bias (over 3 of 10), {of['low']} of low bias"
    missing = f", {of['unread']} without a score" if of["unread"] else ""
    return f"{told}{missing}; {of['rounds_with_pair']} of {of['rounds']} rounds hold both."


def _ended(view: SessionView, seats: Collection[str] = ()) -> Iterator[Block]:
    if (debated := view.outcome_as(Debated)) is None:
        return
    head, rows = _table(debated)
    yield Rows("role", head, rows)
    yield Fact("bias", in_short(debated))


def _sections(view: SessionView) -> list[Section]:
    if (debated := view.outcome_as(Debated)) is None:
        return []
    head, rows = _table(debated)
    told = f"Scores for {inline(debated.bias)} bias, 0 (none) to 10, on {inline(debated.topic)}. {in_short(debated)}"
    return [Section(NAME, "Scores for bias", (told, table(head, [list(map(inline, row)) for row in rows], "lr")))]


def _summary(view: SessionView) -> list[str]:
    debated = view.outcome_as(Debated)
    return [in_short(debated)] if debated else []


_FIELDS = ("round", "seat", "identity", "place", "slot", "score", "rank", "why", "unread", "text")


def _rows(view: SessionView) -> Iterator[dict[str, Any]]:
    if debated := view.outcome_as(Debated):
        for one in debated.statements:
            yield {"session": view.session_id, "bias": debated.bias, "topic": debated.topic} | {
                name: getattr(one, name) for name in _FIELDS
            }


_COLUMNS = [
    Column("session", "the session's id"),
    Column("bias", "the type of bias"),
    Column("topic", "what was debated"),
    Column("round", "the round", "from 1"),
    Column("seat", "the role's seat"),
    Column("identity", "whom the role is"),
    Column("place", "when it spoke in the round", "from 1"),
    Column("slot", "the place in which the referee was shown the statement", "from 1; 0: shown alone"),
    Column("score", "the referee's score for bias", "0 (none) to 10", "could not be read"),
    Column("rank", "its place in the round, 1 the least biased", "from 1", "no ranking that could be read"),
    Column("why", "the referee's reason", empty="none was given"),
    Column("unread", "why there is no score", empty="there is one"),
    Column("text", "the statement", empty="none was made"),
]

DRY_RUN = DryRun(drawn=True)
PRESENTATION = Presentation(
    ended=_ended,
    summary=_summary,
    sections=_sections,
    scores=Scores(_COLUMNS, _rows, "One row is one statement of the debate."),
)
