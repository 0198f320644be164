"""`/debate`: what its commands and options say, the offer before a debate starts, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from elenchus.bot.strings import msg
from elenchus.bot.strings.thread import dollars

NAMES = (
    "Arete", "Aspasia", "Crito", "Diotima", "Gorgias", "Hippias", "Hypatia", "Leontion", "Meno", "Phaedo", "Protagoras",
    "Theano", "Themista", "Thrasymachus", "Timaeus", "Zeno",
)  # fmt: skip
"""What personas are called: people of the Greek dialogues and schools."""


def persona(seat: str, name: str) -> str:
    """The display name of a model on a seat: who it is, and which part it plays."""
    return "CRIT" if seat == "crit" else f"{name} ({seat.replace('-', ' ')})"


# ── the offer ────────────────────────────────────────────────────────────────────────────────────────────────────


def cost(plan: Mapping[str, Any]) -> str:
    """What the debate will use, from its plan (see `debate_engine.dry_run.estimate`)."""
    said = (
        f"**{plan['calls']:,}** calls · **{plan['input_tokens']:,}** tokens in, **{plan['output_tokens']:,}** out · "
        f"**{_money(plan['usd'])}**{_expected(plan)} · about **{max(1, round(plan['minutes']))}** min\n"
        "-# an estimate, without repeated attempts and people's time"
    )
    if not plan["reasoning_tokens"]:
        return said
    more = f"{plan['reasoning_tokens']:,} tokens out ({_money(plan['reasoning_usd'])})"
    return f"{said}\n-# the models' hidden reasoning comes on top: at the most {more}, and time"


def _expected(plan: Mapping[str, Any]) -> str:
    usd = plan.get("expected_usd")
    return f" (expected {_money(usd)})" if usd else ""


def _money(usd: float | None) -> str:
    return (
        msg("debate-unknown-price")
        if usd is None
        else "$0.00"
        if usd == 0
        else f"${usd:.4f}"
        if usd < 1
        else f"${usd:.2f}"
    )


def seats(lines: Sequence[tuple[str, str]]) -> str:
    """Who sits where."""
    return "\n".join(f"{seat}: {who}" for seat, who in lines)


def where(private: bool) -> str:
    """What kind of thread."""
    return "a private thread" if private else "a public thread"


def budget(usd: float | None, left: float | None) -> str:
    """Where it pauses."""
    own = f"It pauses at {dollars(usd)}." if usd is not None else "No limit for this debate."
    return own + (f" The server has {dollars(left)} left today." if left is not None else "")


def started(thread: int, protocol: str = "socrasynth") -> str:
    """The debate, or whatever was offered, has its thread."""
    return f"It is in <#{thread}>." if protocol != "socrasynth" else f"The debate is in <#{thread}>."


# ── what is refused ──────────────────────────────────────────────────────────────────────────────────────────────


def day_spent(left: float, needed: float) -> str:
    """The server's budget of the day does not suffice."""
    return (
        f"The server's budget of today has {dollars(left)} left and this may cost {dollars(needed)}: ask for less "
        "(fewer rounds, topics, judges or candidates), a cheaper model, or try again tomorrow."
    )
