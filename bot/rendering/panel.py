"""How far a debate is and what it has used, as its panel shows them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.bot.rendering.amounts import dollars, two_places
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.reports.spending import Use


def stage(name: str, number: int, most: int) -> str:
    """Opening, round 2 of 5, closing."""
    known = {"aftermath": msg("panel-judging"), "over": msg("panel-stage-over")}.get(name, name)
    return msg("panel-round-of", stage=known, most=most) if name.startswith("round") and most >= number else known


def heat(now: float | None, coming: tuple[str, float, float] | None) -> str:
    """A bar with the number, and the next turn with its heat by the schedule and the one that was asked for."""
    lines = [] if now is None else ["▰" * round(now * 10) + "▱" * (10 - round(now * 10)) + f" {two_places(now)}"]
    if coming is not None:
        turn, scheduled, will_be = coming
        changed = "" if two_places(scheduled) == two_places(will_be) else f" → {two_places(will_be)}"
        lines.append(f"{next_turn(turn)} {two_places(scheduled)}{changed}")
    return "\n".join(lines) or "–"


def next_turn(turn: str) -> str:
    """The turn that comes next, in words."""
    return messages("panel-next").get(turn) or messages("panel-next")["round"]


def gammas(values: Sequence[float]) -> str:
    """Γ after each round, the last one first in the reader's eye."""
    if not values:
        return "–"
    course = " → ".join(f"{value:.1f}" for value in values[-6:])
    return msg("panel-gamma-of", gamma=values[-1]) + (f"\n{course}" if len(values) > 1 else "")


def spent(use: Use, most_tokens: int | None, most_usd: float | None, unpriced_usd: float | None) -> str:
    """Calls, tokens and money so far, and how much of the budget that is: calls without a price at their ceiling."""
    tokens = use.tokens.input_tokens + use.tokens.output_tokens
    money = msg("panel-price-unknown") if use.usd is None and use.calls else dollars(use.usd or 0)
    lines = [msg("panel-use", calls=use.calls, tokens=tokens, money=money)]
    if use.usd is not None and use.unpriced:
        lines[0] += msg("panel-unpriced", n=use.unpriced)
    if most_tokens:
        lines.append(msg("panel-tokens-share", share=tokens / most_tokens, most=most_tokens))
    if most_usd:
        share = use.share_of(most_usd, unpriced_usd) or msg("panel-unknown-share")
        ceiling = msg("panel-ceiling", usd=dollars(unpriced_usd)) if use.unpriced and unpriced_usd else ""
        lines.append(msg("panel-usd-share", share=share, most=dollars(most_usd)) + ceiling)
    return "\n".join(lines)
