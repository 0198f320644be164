"""`--dry-run`: what a session will ask of its models, before anything is spent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.dry_run.estimate import EXPECTED_SHARE
from elenchus.service.cli.output import Out

if TYPE_CHECKING:
    from elenchus.config.settings import Settings
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.debate_engine.llm.registry import Registry
    from elenchus.service.lab.default_models import Unnamed


_HOURS_FROM = 180
"""Minutes from which a time is told in hours."""


async def tell_plan(
    settings: Settings, registry: Registry, started: SessionStarted, out: Out, unnamed: Unnamed
) -> None:
    """Play the session dry, and tell calls, tokens, money and minutes, and who takes the seats that nobody named."""
    from elenchus.debate_engine.dry_run.estimate import estimated
    from elenchus.debate_engine.protocols.registry import spec_of

    document = await estimated(settings, registry, started)
    drawn = spec_of(started.protocol).dry.drawn
    seed = {"seed": started.seed} if drawn else {}
    out.document({**document, "defaults": unnamed.document(), **seed})
    for line in unnamed.told():
        out.tell(line)
    if not out.json:
        _tell(out, document)
        if drawn:
            out.line(f"who merges and drafts is drawn: this is the plan of --seed {started.seed}")


def _tell(out: Out, document: dict[str, Any]) -> None:
    from elenchus.service.cli.tables import WordTable

    table = WordTable()
    for column in ("seat", "model", "what"):
        table.add_column(column)
    for column in ("calls", "tokens in", "tokens out", "money"):
        table.add_column(column, justify="right")
    for row in document["by_seat"]:
        tokens = (f"{row['count']:,}", f"{row['input_tokens']:,}", f"{row['output_tokens']:,}")
        table.add_row(row["seat"], row["model"], row["what"].partition("/")[2], *tokens, dollars(row["usd"]))
    out.show(table)
    tell_turns(document["of_people"], out)
    out.line(
        f"\n{document['calls']:,} calls, {document['input_tokens']:,} tokens in, {document['output_tokens']:,} out, "
        f"{costing(document)}, about {lasting(document['minutes'])} ({_chained(document['longest_chain'])})"
    )
    tell_assumed(document, out)


def tell_turns(turns: Sequence[dict[str, Any]], out: Out) -> None:
    """What people will be asked, and how often."""
    for seat, who in dict.fromkeys((one["seat"], one["who"]) for one in turns):
        asked = [f"{one['count']} × {one['what'].partition('/')[2]}" for one in turns if one["seat"] == seat]
        times = sum(one["count"] for one in turns if one["seat"] == seat)
        out.line(f"{seat} ({who}) will be asked {times} time{'s' * (times > 1)}, at the most: {', '.join(asked)}")


def lasting(minutes: float) -> str:
    """A time in words: minutes, and hours from three of them on."""
    return f"{max(1, round(minutes))} min" if minutes < _HOURS_FROM else f"{round(minutes / 60)} h"


def _chained(calls: int) -> str:
    return "no call waits for another" if calls <= 1 else f"{calls} calls wait for one another"


def costing(document: dict[str, Any]) -> str:
    """The most that it costs, and what is expected."""
    most = dollars(document["usd"])
    return f"{most} (expected: {dollars(document['expected_usd'])})" if document["usd"] else most


def tell_assumed(document: dict[str, Any], out: Out) -> None:
    """What the figures of a plan hold and what not."""
    out.line(document["assumed"])
    if document["usd"]:
        out.line(
            f"expected is an assumption: {EXPECTED_SHARE:.0%} of the most, as few replies are as long as they may be"
        )
    if document["reasoning_tokens"]:
        out.line(
            f"the models' hidden reasoning comes on top: at the most {document['reasoning_tokens']:,} tokens out "
            f"({dollars(document['reasoning_usd'])}), and time"
        )


def dollars(usd: float | None) -> str:
    """Money in words."""
    if usd is None:
        return "unknown price"
    return f"${usd:.2f}" if usd == 0 or usd >= 1 else f"${usd:.4f}"
