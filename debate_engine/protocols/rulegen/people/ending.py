"""How a scene with people ends: early or not, with kind words where it is early, and with what it was all about."""

from __future__ import annotations

from elenchus.debate_engine.events import CloseAsked, Recorded, Withdrawn
from elenchus.debate_engine.prompts import prompts_of
from elenchus.debate_engine.protocols.rulegen.casting import with_fixed_lines
from elenchus.debate_engine.protocols.rulegen.schemas import EndReason, Played, SceneConfig
from elenchus.debate_engine.scenes.scene import SYSTEM
from elenchus.debate_engine.session import Session

ENDING = "ending"
DEBRIEF = "debrief"
UNSCRIPTED = "unscripted"
"""What is said beside the rules is about one of these."""


class SceneEnded(Exception):
    """The scene is over before its last rule, because of the person on `seat` ("" where it is nobody's)."""

    def __init__(self, why: EndReason, seat: str = "") -> None:
        super().__init__(why)
        self.why: EndReason = why
        self.seat = seat


def ended_by(command: Recorded) -> SceneEnded:
    """What a command that ends a scene makes of it."""
    if isinstance(command.event, Withdrawn):
        return SceneEnded("withdrawn", command.event.seat)
    assert isinstance(command.event, CloseAsked)
    return SceneEnded("closed")


prompts = prompts_of("elenchus.debate_engine.protocols.rulegen.people")

_VERSIONS = {
    "treatment": "the version in which the others were asked to influence the choice",
    "control": "the quiet version, in which nobody was asked to influence anything",
}
_A_PERSON, _A_MODEL = "a person", "a language model"
_FIXED = "nobody: these lines were written beforehand, the same for everybody"


async def debrief(s: Session, cfg: SceneConfig, *, early: bool = False) -> None:
    """Tell every person what was studied, who was what, and what the judges see. Step keys: `debrief/Robin`."""
    for name in cfg.people:
        await s.utter(f"debrief/{name}", SYSTEM, [name], debrief_of(cfg, name, early=early), DEBRIEF)


def debrief_of(cfg: SceneConfig, name: str, *, early: bool = False) -> str:
    """The whole text for the person who played `name`; `early` says that it ended before its last rule. Pure."""
    target = cfg.target
    return prompts.debrief.render(
        subject=cfg.kind_of(name) == "subject",
        debrief=cfg.scene.debrief,
        cast=[_played_by(cfg, role.name, name) for role in cfg.scene.roles],
        bias=target.name if target else "",
        definition=target.definition if target else "",
        version=_VERSIONS.get(cfg.scene.condition or "", ""),
        judges=f"{len(cfg.judges)} of them",
        judged=cfg.evaluated,
        early=early,
    ).task


def _played_by(cfg: SceneConfig, role: str, told: str) -> str:
    """One line of the cast."""
    model = cfg.models.get(role, "")
    who = "you" if role == told else _A_PERSON if role in cfg.people else f"{_A_MODEL}{f' ({model})' if model else ''}"
    if role in with_fixed_lines(cfg.scene) and role not in cfg.people:
        who = _FIXED
    kind = cfg.kind_of(role)
    return f"{role} ({'taking part' if kind == 'other' else f'the {kind}'}): {who}"


async def end_early(s: Session, cfg: SceneConfig, ended: SceneEnded) -> Played:
    """Kind words and the debriefing; what was played does not count. Without consent nothing was played.

    Step keys: `ended`, `ending/Robin`, `debrief/Robin`.
    """
    await s.record("ended", {"why": ended.why, "seat": ended.seat})
    for name in cfg.people:
        words = prompts.ending.render(why=ended.why, own=name == ended.seat).task
        await s.utter(f"ending/{name}", SYSTEM, [name], words, ENDING)
    if ended.why != "no consent":
        await debrief(s, cfg, early=True)
    return Played(turns=(), record=(), evaluation=None, ended=ended.why, ended_by=ended.seat)
