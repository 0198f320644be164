"""The panel of a session's thread at a moment: an embed and its buttons. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elenchus.bot.panel.buttons import buttons_of
from elenchus.bot.people.members import people_sit
from elenchus.bot.rendering import audience, safe
from elenchus.bot.rendering.amounts import dollars, two_places, when
from elenchus.bot.rendering.post import Button, Embed, EmbedField
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.protocols.judging.votes import WHENS, When
from elenchus.debate_engine.protocols.presentation import RoundProgress
from elenchus.debate_engine.reports.spending import CallUsage
from elenchus.service.lab.session_status import SessionStatus

COLOURS = {"running": 0x2E7D32, "paused": 0xF9A825, "finished": 0x1565C0, "stopped": 0x616161, "failed": 0xC62828}


@dataclass(frozen=True, slots=True)
class PanelContent:
    """A panel as it stands in the thread."""

    embed: Embed
    buttons: tuple[Button, ...]


def shown(status: SessionStatus) -> PanelContent:
    """The panel of a session as it stands."""
    return PanelContent(embed(status), buttons_of(status))


def embed(status: SessionStatus) -> Embed:
    """State, round, heat, Γ, spend against the budget."""
    view = status.view
    fields = [
        *(progress_fields(status, status.standing) if status.standing else []),
        EmbedField(msg("panel-spent"), spent(status), inline=True),
    ]
    if waiting := [view.name(turn.seat) for turn in view.asked]:
        fields.append(
            EmbedField(msg("panel-waiting"), safe.shortened(safe.inline(", ".join(waiting)), 1000), inline=True)
        )
    return Embed(
        title=safe.shortened(safe.inline(view.title), 256),
        description=state(status),
        fields=tuple(fields),
        footer=msg("panel-footer", session=status.id),
        colour=COLOURS[status.state],
    )


def progress_fields(status: SessionStatus, standing: RoundProgress) -> list[EmbedField]:
    """How far it has come; where people sit its scores come at the end, so that nobody is swayed."""
    view = status.view
    hidden = people_sit(view.started) and not status.ended
    known = [gamma for gamma in standing.qualities if gamma is not None]
    return [
        EmbedField(msg("panel-stage"), stage(view.projection.stage, standing.of), inline=True),
        EmbedField(msg("panel-heat"), heat(standing.heat, None if status.over else status.next_turn), inline=True),
        *([] if hidden else [EmbedField(msg("panel-gamma"), gammas(known), inline=True)]),
    ]


def state(status: SessionStatus) -> str:
    """How the session stands, and what was asked for that has not come about."""
    line = messages("panel-states")[status.state]
    if (reason := status.view.reason) and status.why != "interrupt":
        line = f"{line}: {safe.shortened(safe.inline(reason), 600)}"
    if status.state == "paused" and status.why in messages("panel-paused-for"):
        line = f"{line}\n{messages('panel-paused-for')[status.why]}"
    if status.state == "failed":
        line = f"{line}\n{msg('panel-failed')}"
    votes = [_vote(w, when(due)) for w in WHENS if not status.ended and (due := audience.due(status.view, w))]
    line = "\n".join([line, *votes])
    return f"{line}\n{messages('panel-asked')[status.asked]}" if status.asked and not status.ended else line


def _vote(which: When, until: str) -> str:
    return msg("panel-vote-before", until=until) if which == "before" else msg("panel-vote-after", until=until)


def spent(status: SessionStatus) -> str:
    """Calls, tokens and money, against the budget."""
    started = status.view.started
    ceiling = started.unpriced_usd if started else None
    return use_of_budget(status.view.spending.total, status.most_tokens, status.most_usd, ceiling)


# ── its fields in words ──────────────────────────────────────────────────────────────────────────────────────────────


def stage(name: str, of: int) -> str:
    """Opening, round 2 of 5, closing."""
    known = {"judging": msg("panel-judging"), "over": msg("panel-stage-over")}.get(name, name)
    return msg("panel-round-of", stage=known, most=of) if of else known


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


def use_of_budget(use: CallUsage, most_tokens: int | None, most_usd: float | None, unpriced_usd: float | None) -> str:
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
