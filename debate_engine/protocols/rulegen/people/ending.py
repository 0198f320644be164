"""How a scene with people ends: early or not, with kind words where it is early, and with what it was all about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elenchus.debate_engine.events import CloseAsked, Command, DebriefAsked, Recorded, SeatLeft, Withdrawn
from elenchus.debate_engine.protocols.rulegen.casting import asked, speaking
from elenchus.debate_engine.protocols.rulegen.config import SceneConfig
from elenchus.debate_engine.protocols.rulegen.people.pages import as_long_as, part_of, prompts_in
from elenchus.debate_engine.protocols.rulegen.played import EndReason, Played, Statement
from elenchus.debate_engine.scenes import debriefs
from elenchus.debate_engine.scenes.language import phrase
from elenchus.debate_engine.scenes.outcome import names_in
from elenchus.debate_engine.scenes.scene import CONDITIONS, SYSTEM, Scene
from elenchus.debate_engine.scenes.versions import put
from elenchus.debate_engine.session import Session

UNPLAYED: tuple[EndReason, ...] = ("no consent", "screened")
"""Reasons for which nothing was played."""
ENDING = "ending"
DEBRIEF = "debrief"
UNSCRIPTED = "unscripted"
"""What is said beside the rules is about one of these."""


class SceneEnded(Exception):
    """The scene is over before its last rule, because of the person on `seat` ("" where it is nobody's), who said so,
    or was `silent`.
    """

    def __init__(self, why: EndReason, seat: str = "", *, silent: bool = False) -> None:
        super().__init__(why)
        self.why: EndReason = why
        self.seat = seat
        self.silent = silent


def ended_by(command: Recorded) -> SceneEnded:
    """What a command that ends a scene makes of it."""
    if isinstance(command.event, Withdrawn):
        return SceneEnded("withdrawn", command.event.seat)
    assert isinstance(command.event, CloseAsked)
    return SceneEnded("closed")


async def until_asked(s: Session, *besides: type[Command]) -> None:
    """Wait until the debriefing is asked for, or the person leaves or withdraws. Step key: `asked-for`."""

    async def asked() -> str:
        return str((await s.next_command((DebriefAsked, SeatLeft, Withdrawn, *besides))).event.kind)

    await s.step("asked-for", None, asked)


async def debrief(
    s: Session, cfg: SceneConfig, stated: Sequence[Statement] = (), ended: SceneEnded | None = None
) -> None:
    """Tell every person what was studied, who was what, and what the judges see. Step keys: `debrief/Robin`.

    `ended` says why it is over before its last rule; who was told before that is not told again.
    """
    for name in cfg.people:
        if ended is not None and s.found(f"debrief/{name}"):
            continue
        own = [one for one in stated if one.subject == name]
        back = ended is not None and (ended.why, ended.seat) == ("withdrawn", name)
        words = debrief_of(cfg, name, own, early=ended is not None, taken_back=back)
        await s.utter(f"debrief/{name}", SYSTEM, [name], words, DEBRIEF)


def debrief_of(
    cfg: SceneConfig,
    name: str,
    stated: Sequence[Statement] = (),
    *,
    early: bool = False,
    taken_back: bool = False,
) -> str:
    """The whole text for the person who played `name`; `early` says that it ended before its last rule. Pure.

    `taken_back`: they have withdrawn, and there is nothing left to offer. `stated` is what the person stated; places of
    measures in the debrief hold it, in words, and counts of it.
    """
    target, scene = cfg.target, cfg.scene
    own = {one.measure: one.told for one in stated if one.told}
    counted = debriefs.counts(scene, {one.measure: one.value for one in stated})
    return (
        prompts_in(cfg.scene.language)
        .debrief.render(
            subject=cfg.kind_of(name) == "subject",
            debrief=put(scene.debrief, {**dict.fromkeys(debriefs.names(scene), debriefs.MISSING), **own, **counted}),
            answers=list(_answers(scene, own, counted)),
            published=[source.result_in(scene.language) for source in scene.plan.literature if source.same != "name"],
            cast=[_played_by(cfg, role.name, name) for role in cfg.scene.roles],
            bias=target.name if target else "",
            definition=target.definition if target else "",
            version=_version(scene),
            judges=phrase(scene.language, "judges", n=len(cfg.judges)),
            judged=cfg.evaluated,
            early=early,
            deception=scene.plan.deception,
            mode="" if taken_back else cfg.mode,
            days=withdrawal_days(cfg),
        )
        .task
    )


def _answers(scene: Scene, own: Mapping[str, str], counted: Mapping[str, str]) -> Iterator[str]:
    """What the person said to that of which the outcome speaks, each in a line."""
    named = names_in(scene.outcome) if scene.outcome else ()
    told_of = {f"{name}{ending}" for name in named for ending in ("", *(f"_{met}" for met in scene.met))}
    for one in scene.measures:
        if one.name in own and one.name in told_of:
            yield f"{one.ask or one.name} {own[one.name]}"
    for block in scene.trials:
        plain = next(
            (block.name.removesuffix(f"_{met}") for met in scene.met if block.name.endswith(f"_{met}")), block.name
        )
        if f"{plain}_errors" in named and (errors := counted[f"{block.name}_errors"]) != debriefs.MISSING:
            yield phrase(scene.language, "errors", errors=errors, most=counted[f"{block.name}_critical"])


def _version(scene: Scene) -> str:
    """Which version was played, as people are told of it."""
    if scene.condition in CONDITIONS:
        return phrase(scene.language, scene.condition)
    varied = ", ".join(f"{factor.replace('_', ' ')} {level}" for factor, level in scene.levels)
    return phrase(scene.language, "version", varied=varied) if varied else ""


def _played_by(cfg: SceneConfig, role: str, told: str) -> str:
    """One line of the cast."""
    language, model = cfg.scene.language, cfg.models.get(role, "")
    if role not in (*cfg.people, *asked(cfg.scene)):
        who = phrase(language, "fixed" if role in speaking(cfg.scene) else "silent")
    elif role in cfg.people:
        who = phrase(language, "you" if role == told else "person")
    else:
        who = f"{phrase(language, 'model')}{f' ({model})' if model else ''}"
    return f"{role} ({phrase(language, cfg.kind_of(role))}): {who}"


def withdrawal_days(cfg: SceneConfig) -> int:
    """For how many days after the end a person may still withdraw; 0 where no promise was made."""
    return 0 if not cfg.mode else min(cfg.terms.withdrawal_days, cfg.terms.retention_days) if cfg.terms else 1


async def not_kept(s: Session, cfg: SceneConfig, ended: SceneEnded) -> Played:
    """Who was misled does not want it kept: thanks, and the run is no data. Step keys: `ended`, `ending/Robin`."""
    await s.record("ended", {"why": ended.why, "seat": ended.seat})
    for name in cfg.people:
        words = prompts_in(cfg.scene.language).ending.render(why=ended.why, own=name == ended.seat, silent=False).task
        await s.utter(f"ending/{name}", SYSTEM, [name], words, ENDING)
    return Played(turns=(), record=(), evaluation=None, ended=ended.why, ended_by=ended.seat)


async def end_early(s: Session, cfg: SceneConfig, ended: SceneEnded) -> Played:
    """Kind words and the debriefing; what was played does not count. Without consent nothing was played.

    Whose scene was closed is told when it is asked for, where the settings say so, or when they leave.

    Who has not agreed reads a page of the length that who has agreed reads next: from outside nobody can tell.

    Step keys: `ended`, `ending/Robin`, `debrief/Robin`.
    """
    await s.record("ended", {"why": ended.why, "seat": ended.seat})
    language = cfg.scene.language
    for name in cfg.people:
        words = prompts_in(language).ending.render(why=ended.why, own=name == ended.seat, silent=ended.silent).task
        if ended.why in UNPLAYED:
            role = next(one for one in cfg.scene.roles if one.name == name)
            words = as_long_as(part_of(name, role.background, role.task, language), words, language)
        await s.utter(f"ending/{name}", SYSTEM, [name], words, ENDING)
    if ended.why == "closed" and cfg.debriefing == "when asked":
        await until_asked(s)
    if ended.why not in UNPLAYED:
        await debrief(s, cfg, ended=ended)
    return Played(turns=(), record=(), evaluation=None, ended=ended.why, ended_by=ended.seat)
