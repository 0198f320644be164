"""A panel's buttons, drawn: pause, resume, stop … Pressed, they are heard in `handlers` and done in `actions`. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from elenchus.bot.rendering.post import Button, ButtonStyle
from elenchus.bot.strings import messages
from elenchus.service.lab.session_status import SessionStatus

STYLES: Mapping[str, ButtonStyle] = {
    "resume": "success", "pause": "primary", "stop": "danger", "budget": "primary",
}  # fmt: skip


def buttons_of(status: SessionStatus) -> tuple[Button, ...]:
    """What can be pressed now. A session that is over can only be exported."""
    shown = [action for action in status.allowed if action != "budget" or status.why == "budget"]
    files = ["export"] if status.over or status.state == "failed" else []
    return tuple(button(status, action, STYLES.get(action, "secondary")) for action in [*shown, *files])


def button(status: SessionStatus, action: str, style: ButtonStyle = "secondary") -> Button:
    """One of the panel's buttons; `PanelHandlers.button` hears its press."""
    return Button(f"el:panel:{status.id}:{action}", messages("panel-buttons")[action], style)
