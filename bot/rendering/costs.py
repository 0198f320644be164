"""What an offer says before something starts: what it will use, and where it pauses. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from elenchus.bot.rendering.amounts import dollars
from elenchus.bot.strings import msg


def cost(plan: Mapping[str, Any]) -> str:
    """What a session will use, from its plan (see `debate_engine.dry_run.estimate`)."""
    expected = plan.get("expected_usd")
    text = msg(
        "debate-calls",
        calls=plan["calls"],
        input=plan["input_tokens"],
        output=plan["output_tokens"],
        usd=_money(plan["usd"]),
        expected=msg("debate-expected", usd=_money(expected)) if expected else "",
        minutes=max(1, round(plan["minutes"])),
    )
    if not plan["reasoning_tokens"]:
        return text
    more = msg("debate-reasoning", tokens=plan["reasoning_tokens"], usd=_money(plan["reasoning_usd"]))
    return f"{text}\n{more}"


def _money(usd: float | None) -> str:
    if usd is None:
        return msg("debate-unknown-price")
    return f"${usd:.4f}" if 0 < usd < 1 else f"${usd:.2f}"


def where(private: bool) -> str:
    """What kind of thread."""
    return msg("debate-private") if private else msg("debate-public")


def budget(usd: float | None, left: float | None) -> str:
    """Where a debate pauses, and what the server has left of its day."""
    own = msg("debate-no-limit") if usd is None else msg("debate-pauses-at", usd=dollars(usd))
    return own if left is None else own + msg("debate-left-today", usd=dollars(left))


def budget_of_day(usd: float | None, tokens: int | None) -> str:
    """What the server has left of its day, where a detection pauses."""
    left = [
        dollars(usd) if usd is not None else "",
        msg("detecting-tokens", n=tokens) if tokens is not None else "",
    ]
    shown = " and ".join(filter(None, left))
    return msg("detecting-pauses-at", left=shown) if shown else msg("detecting-no-limit")
