"""What the control room of a scene says beside what is said in it. Names and texts passed in are safe already."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.bot.strings import messages


def listed(names: Sequence[str]) -> str:
    """Names in a row."""
    return ", ".join(names)


def condition(name: str) -> str:
    """Which version."""
    return messages("scene-rooms-conditions").get(name, "one version only")


# ── what is said ─────────────────────────────────────────────────────────────────────────────────────────────────


def system(text: str) -> str:
    """A message of the system."""
    return "📄 " + "\n".join(f"> {line}" for line in text.split("\n")).removeprefix("> ")


# ── turns ────────────────────────────────────────────────────────────────────────────────────────────────────────


def waits(who: str, what: str, until: str) -> str:
    """A person is asked."""
    return f"⏳ Waiting for {who}: {what}{f' · ends {until}' if until else ''}"


def extended(by: str, seat: str, until: str) -> str:
    """More time."""
    return f"{by} gave {seat or 'the turn'} more time: it ends {until}."


def consented(seat: str, *, agreed: bool) -> str:
    """A decision on taking part."""
    return f"{seat} agrees to take part." if agreed else f"{seat} does not agree to take part."


def why(level: str, by: str, what: str, reason: str) -> str:
    """A deviation."""
    return f"*Deviation ({level}, seen by the {by}):* {' '.join(part for part in (what, reason) if part)}"


# ── results and the end ──────────────────────────────────────────────────────────────────────────────────────────


def verdict(subject: str, found: str, yes: int, no: int, unread: int, unfounded: int, misquoted: int) -> str:
    """What the judges say of a subject."""
    rest = [
        f"{unread} unreadable" if unread else "",
        f"{unfounded} unfounded" if unfounded else "",
        f"{misquoted} misquoted" if misquoted else "",
    ]
    counts = ", ".join([f"{yes} yes", f"{no} no", *filter(None, rest)])
    return f"**{subject}: {messages('scene-rooms-verdicts')[found]}** · {counts}"


def opinion(judge: str, subject: str, present: bool | None, *, unfounded: bool) -> str:
    """One judge."""
    answer = "–" if present is None else "yes, but unfounded" if unfounded else "yes" if present else "no"
    return f"{judge} on {subject}: {answer}"


# ── the panel ────────────────────────────────────────────────────────────────────────────────────────────────────


def at_rule(rule: int, of: int) -> str:
    """How far it is."""
    return f"{rule} of {of}" if rule else f"not begun, {of} in all"
