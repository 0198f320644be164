"""What the panel looks like at a moment: an embed and its buttons. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from elenchus.bot.people.who import people_sit
from elenchus.bot.rendering import audience, panel as wording, safe
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.post import Button, ButtonStyle, Embed, EmbedField
from elenchus.bot.strings import messages, msg
from elenchus.debate_engine.protocols.socrasynth.projection import DebateProjection
from elenchus.service.lab.moderated_session import ModeratedSession
from elenchus.service.lab.participation import WHENS, When

COLOURS = {"running": 0x2E7D32, "paused": 0xF9A825, "finished": 0x1565C0, "stopped": 0x616161, "failed": 0xC62828}


@dataclass(frozen=True, slots=True)
class Shown:
    """A panel as it stands in the thread."""

    embed: Embed
    buttons: tuple[Button, ...]


def shown(board: ModeratedSession) -> Shown:
    """The panel of a session as it stands."""
    return Shown(embed(board), buttons(board))


def embed(board: ModeratedSession) -> Embed:
    """State, round, heat, Γ, spend against the budget."""
    view = board.view
    fields = [
        *(course(board, board.debate) if board.debate else []),
        EmbedField(msg("panel-spent"), spent(board), inline=True),
    ]
    if waiting := [view.name(turn.seat) for turn in view.asked]:
        fields.append(
            EmbedField(msg("panel-waiting"), safe.shortened(safe.inline(", ".join(waiting)), 1000), inline=True)
        )
    return Embed(
        title=safe.shortened(safe.inline(view.title), 256),
        description=state(board),
        fields=tuple(fields),
        footer=msg("panel-footer", session=board.id),
        colour=COLOURS[board.state],
    )


def course(board: ModeratedSession, debate: DebateProjection) -> list[EmbedField]:
    """How far a debate has come; where people sit its scores come at the end, so that nobody is swayed."""
    view = board.view
    hidden = people_sit(view.started) and not board.ended
    return [
        EmbedField(msg("panel-stage"), wording.stage(debate.stage, debate.round, board.most_rounds), inline=True),
        EmbedField(msg("panel-heat"), wording.heat(debate.heat, None if board.over else board.next_turn), inline=True),
        *([] if hidden else [EmbedField(msg("panel-gamma"), wording.gammas(board.gammas), inline=True)]),
    ]


def state(board: ModeratedSession) -> str:
    """How the session stands, and what was asked for that has not come about."""
    line = messages("panel-states")[board.state]
    if (reason := board.view.reason) and board.why != "interrupt":
        line = f"{line}: {safe.shortened(safe.inline(reason), 600)}"
    if board.state == "paused" and board.why in messages("panel-paused-for"):
        line = f"{line}\n{messages('panel-paused-for')[board.why]}"
    if board.state == "failed":
        line = f"{line}\n{msg('panel-failed')}"
    votes = [_vote(w, when(due)) for w in WHENS if not board.ended and (due := audience.due(board.view, w))]
    line = "\n".join([line, *votes])
    return f"{line}\n{messages('panel-asked')[board.asked]}" if board.asked and not board.ended else line


def _vote(which: When, until: str) -> str:
    return msg("panel-vote-before", until=until) if which == "before" else msg("panel-vote-after", until=until)


def spent(board: ModeratedSession) -> str:
    """Calls, tokens and money, against the budget."""
    started = board.view.started
    ceiling = started.unpriced_usd if started else None
    return wording.spent(board.view.spending.total, board.most_tokens, board.most_usd, ceiling)


STYLES: Mapping[str, ButtonStyle] = {
    "resume": "success", "pause": "primary", "stop": "danger", "budget": "primary",
}  # fmt: skip


def buttons(board: ModeratedSession) -> tuple[Button, ...]:
    """What can be pressed now. A session that is over can only be exported."""
    shown = [action for action in board.allowed if action != "budget" or board.why == "budget"]
    files = ["export"] if board.over or board.state == "failed" else []
    return tuple(button(board, action, STYLES.get(action, "secondary")) for action in [*shown, *files])


def button(board: ModeratedSession, action: str, style: ButtonStyle = "secondary") -> Button:
    """One of the panel's buttons; `panel.presses` hears it."""
    return Button(f"el:panel:{board.id}:{action}", messages("panel-buttons")[action], style)
