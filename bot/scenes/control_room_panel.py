"""The panel of one subject's scene in the control room: how it stands, and what whoever runs it may do. Pure."""

from __future__ import annotations

from elenchus.bot.panel import content
from elenchus.bot.panel.content import COLOURS, PanelContent
from elenchus.bot.rendering.amounts import when
from elenchus.bot.rendering.post import Button, ButtonStyle, Embed, EmbedField, buttons_of
from elenchus.bot.rendering.safe import inline, shortened
from elenchus.bot.rendering.scenes import at_rule, version
from elenchus.bot.scenes.scene_view import SceneView
from elenchus.bot.strings import messages, msg

PANEL = "room"
"""The name of clicks on its panels; the rest is SESSION:ACTION."""


def version_of(view: SceneView) -> str:
    """The version that this subject meets, where there are several."""
    return version(view.scene.condition, of_several=bool(view.scene.config and view.scene.config.versions))


def panel_of(view: SceneView, number: int) -> PanelContent:
    """How one subject's scene stands, and what whoever runs it may do."""
    embed = Embed(
        title=msg("scene-rooms-panel-title", number=number, condition=version_of(view)),
        description=_state(view),
        fields=(
            EmbedField(msg("scene-rooms-rule-label"), at_rule(view.scene.rule, view.scene.rules), inline=True),
            EmbedField(msg("scene-rooms-waiting"), _waits_for(view), inline=True),
            EmbedField(msg("scene-rooms-spent"), content.spent(view.status), inline=True),
        ),
        footer=msg("scene-rooms-footer", session=view.session),
        colour=COLOURS[view.status.state],
    )
    return PanelContent(embed, _panel_buttons(view))


def _state(view: SceneView) -> str:
    status, lines = view.status, [messages("scene-rooms-states")[view.status.state]]
    if status.view.reason and status.why != "interrupt":
        lines.append(shortened(inline(status.view.reason), 600))
    if status.asked == "pause" and not status.ended:
        lines.append(msg("scene-rooms-asked"))
    return "\n".join(lines)


def _waits_for(view: SceneView) -> str:
    if view.over:
        return "–"
    turns = view.open_turns
    named = [f"{inline(turn.seat)}{f' until {when(turn.due)}' if turn.due else ''}" for turn in turns]
    return shortened(", ".join(named), 1_000) or msg("scene-rooms-models")


def _panel_buttons(view: SceneView) -> tuple[Button, ...]:
    look: tuple[Button, ...] = ()
    if view.status.over:
        actions: list[tuple[str, ButtonStyle]] = [("results", "primary")]
        if not view.counts:
            actions.append(("place", "secondary"))
        look = (Button(f"el:biases:{view.session}", msg("detecting-look")),)
    else:
        first: tuple[str, ButtonStyle] = ("pause", "primary")
        if view.status.state in ("paused", "failed"):
            first = ("resume", "success")
        actions = [first, ("word", "secondary"), ("status", "secondary"), ("close", "danger")]
    labels = messages("scene-rooms-buttons")
    return (*buttons_of(f"{PANEL}:{view.session}", [(name, labels[name], style) for name, style in actions]), *look)
