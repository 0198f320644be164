"""The panel, its buttons and forms, and the answers to what a moderator does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from elenchus.bot.strings.thread import dollars, two_places
from elenchus.debate_engine.reports.spending import Use

VOTES: Mapping[str, str] = {
    "before": "The audience votes before the debate; the opening comes {}. **Begin the debate** under it: at once.",
    "after": "The audience votes after the debate; the verdict comes {}. **Close the vote**, under it: at once.",
}


def stage(name: str, number: int, most: int) -> str:
    """Opening, round 2 of 5, closing."""
    known = {"aftermath": "judging and joint proposal", "over": "over"}.get(name, name)
    return f"{known} of {most}" if name.startswith("round") and most >= number else known


def heat(now: float | None, coming: tuple[str, float, float] | None) -> str:
    """A bar with the number, and the next turn with its heat by the schedule and the one that was asked for."""
    lines = [] if now is None else ["▰" * round(now * 10) + "▱" * (10 - round(now * 10)) + f" {two_places(now)}"]
    if coming is not None:
        turn, scheduled, will_be = coming
        changed = "" if two_places(scheduled) == two_places(will_be) else f" → {two_places(will_be)}"
        lines.append(f"{_next(turn)} {two_places(scheduled)}{changed}")
    return "\n".join(lines) or "–"


def _next(turn: str) -> str:
    """The turn that comes next, in words."""
    return {"opening": "the opening", "closing": "the closings"}.get(turn, "next round")


def gammas(values: Sequence[float]) -> str:
    """Γ after each round, the last one first in the reader's eye."""
    if not values:
        return "–"
    course = " → ".join(f"{value:.1f}" for value in values[-6:])
    return f"**{values[-1]:.1f}** of 10" + (f"\n{course}" if len(values) > 1 else "")


def spent(use: Use, most_tokens: int | None, most_usd: float | None, unpriced_usd: float | None) -> str:
    """Calls, tokens and money so far, and how much of the budget that is: calls without a price at their ceiling."""
    tokens = use.tokens.input_tokens + use.tokens.output_tokens
    money = "price unknown" if use.usd is None and use.calls else dollars(use.usd or 0)
    lines = [f"{use.calls:,} calls · {tokens:,} tokens · {money}"]
    if use.usd is not None and use.unpriced:
        lines[0] += f" + {use.unpriced:,} calls without a price"
    if most_tokens:
        lines.append(f"{tokens / most_tokens:.0%} of {most_tokens:,} tokens")
    if most_usd:
        share = use.share_of(most_usd, unpriced_usd) or "an unknown share"
        ceiling = f", no price: {dollars(unpriced_usd)} a million tokens" if use.unpriced and unpriced_usd else ""
        lines.append(f"{share} of {dollars(most_usd)}{ceiling}")
    return "\n".join(lines)


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────────


def heat_set(turn: str, before: float, value: float) -> str:
    """A new heat, from the one that it would have been."""
    return f"Heat of {_next(turn)}: {two_places(before)} → {two_places(value)}."


def deepening(side: str, *, scored: bool) -> str:
    """A weak reason is to be deepened."""
    return f"{side} is asked to deepen its weakest reason{'' if scored else ', as soon as its reasons have scores'}."


def budget_set(tokens: int | None, usd: float | None) -> str:
    """New limits."""
    limits = [f"{tokens:,} tokens" if tokens else "", dollars(usd) if usd else ""]
    return f"The budget is now {' and '.join(part for part in limits if part)}."


# ── mistakes ─────────────────────────────────────────────────────────────────────────────────────────────────────


def day_spent(most: float) -> str:
    """A budget above what the day has left."""
    return f"The server's budget of today allows this debate {dollars(most)} at the most: give less, or try tomorrow."


def left_out(names: Sequence[str]) -> str:
    """Files that Discord does not take."""
    return f"Too large for Discord: {', '.join(names)}; `elenchus sessions export` on the bot's machine writes them."
