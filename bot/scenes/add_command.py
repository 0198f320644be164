"""`/scene add`: an attached script is read, checked, kept for the server, and shown with what is still to be mended."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import discord
from discord.app_commands import Range

from elenchus.bot.attachments import content_of
from elenchus.bot.guild import may_steer
from elenchus.bot.interactions import Interaction, requester_of, tell
from elenchus.bot.posting.discord_objects import embed_of
from elenchus.bot.rendering import embeds, safe
from elenchus.bot.rendering.post import Embed
from elenchus.bot.rules import check_may_start
from elenchus.bot.scenes.library import Library, name_of
from elenchus.bot.services import BotServices
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.protocols.rulegen.casting import speaking
from elenchus.debate_engine.scenes.canonical import write
from elenchus.debate_engine.scenes.checks import giveaways, unlike
from elenchus.debate_engine.scenes.consistency import left_open
from elenchus.debate_engine.scenes.faults import Fault, Finding
from elenchus.debate_engine.scenes.review import is_reviewed
from elenchus.debate_engine.scenes.scene import Scene
from elenchus.debate_engine.scenes.script import LARGEST, check_any, read_any

SHOWN_FINDINGS = 12
READ_SUFFIXES = (".md", ".txt")


@dataclass(frozen=True, slots=True)
class SceneAddCommand:
    """Takes scripts in."""

    services: BotServices
    library: Library

    async def add(self, interaction: Interaction, script: discord.Attachment, bias: Range[str, 1, 80] = "") -> None:
        """Keep the script if it is a scene, and show what is in it. Raises UsageError, StorageError."""
        member = requester_of(interaction)
        rules = await check_may_start(self.services, member)
        if not script.filename.casefold().endswith(READ_SUFFIXES) or script.size > LARGEST:
            raise UsageError(msg("scene-scripts-not-a-script", most=LARGEST // 1000))
        source = await content_of(script, LARGEST)
        findings = await asyncio.to_thread(check_any, source, bias=bias)
        name = name_of(script.filename)
        if not may_steer(rules.guild, member) and await self.library.is_anothers(member.guild.id, name, member.id):
            raise UsageError(msg("scene-scripts-anothers"))
        if any(finding.grave for finding in findings):
            await tell(interaction, msg("scene-scripts-refused"), embed=embed_of(faults(findings)))
            return
        scene = (await asyncio.to_thread(read_any, source)).scene(bias=bias)
        if scene.pictures:
            raise UsageError(msg("scene-scripts-pictures"))
        if (twin := await self.library.twin(member.guild.id, scene)) is not None:
            findings = await asyncio.to_thread(check_any, source, partial(unlike, twin=twin), bias=bias)
        await self.library.keep(member.guild.id, name, scene, member.id)
        written = discord.File(io.BytesIO(write(scene).encode()), f"{name}.md")
        first, *more = embeds.packed(preview(name, scene, findings))
        await tell(
            interaction, msg("scene-scripts-kept", name=name), embeds=[embed_of(one) for one in first], file=written
        )
        for group in more:
            await tell(interaction, "", embeds=[embed_of(one) for one in group])


def faults(findings: Sequence[Finding]) -> Embed:
    """What is wrong, by line, with the remedy."""
    lines = [
        msg(
            "scene-scripts-finding",
            mark="❌" if f.grave else "▫",
            line=f.line,
            what=safe.inline(f.what),
            remedy=safe.inline(f.remedy),
        )
        for f in findings
    ]
    shown = lines[:SHOWN_FINDINGS]
    if len(lines) > len(shown):
        shown.append(msg("scene-scripts-more-findings", n=len(lines) - len(shown)))
    return embeds.embeds(msg("scene-scripts-findings"), "\n".join(shown), colour=embeds.ORANGE)[0]


def preview(name: str, scene: Scene, findings: Sequence[Finding]) -> list[Embed]:
    """What was read: the roles, how many rules, and whether the scene can be played."""
    roles = "\n".join(
        msg("scene-scripts-role", name=safe.inline(role.name), kind=role.kind)
        if role.name in speaking(scene)
        else msg("scene-scripts-silent-role", name=safe.inline(role.name), kind=role.kind)
        for role in scene.roles
    )
    fields = [
        (msg("scene-scripts-roles"), roles),
        (
            msg("scene-scripts-rules"),
            msg(
                "scene-scripts-rules-text",
                n=len(scene.rules),
                messages=sum(rule.mode == "self-receiving" for rule in scene.rules),
            ),
        ),
        (msg("scene-scripts-bias"), safe.inline(scene.bias) or msg("scene-scripts-no-bias")),
        (msg("scene-scripts-playable"), playable(scene)),
        (msg("scene-scripts-to-write"), "\n".join(still_to_write(scene))),
    ]
    title = ": ".join(filter(None, (name, safe.inline(scene.title))))
    shown = embeds.embeds(title, fields=fields, colour=embeds.GREEN)
    told = {fault.what for fault in left_open(scene)}
    others = [finding for finding in findings if finding.what not in told]
    return [*shown, *([faults(others)] if others else [])]


def still_to_write(scene: Scene) -> list[str]:
    """What the scene leaves open, rule by rule, and what mends it."""
    found = [_left_open(fault) for fault in left_open(scene)]
    more = [msg("scene-scripts-more-findings", n=len(found) - SHOWN_FINDINGS)] if len(found) > SHOWN_FINDINGS else []
    return found[:SHOWN_FINDINGS] + more


def _left_open(fault: Fault) -> str:
    what, remedy = safe.inline(fault.what), safe.inline(fault.remedy)
    if rule := rule_of(fault):
        return msg("scene-scripts-left-open-in-rule", rule=rule, what=what, remedy=remedy)
    return msg("scene-scripts-left-open", what=what, remedy=remedy)


def rule_of(fault: Fault) -> int:
    """The number of the rule that is at fault, 0 where it is none."""
    return fault.place.index + 1 if fault.place.part == "rule" else 0


def playable(scene: Scene) -> str:
    """Whether it can be played, and by whom."""
    if not is_reviewed(scene):
        return msg("scene-scripts-unreviewed")
    open_parts = {fault.place.part for fault in left_open(scene)}
    if open_parts - {"debrief"} or any(giveaways(scene)):
        return msg("scene-scripts-to-mend")
    return msg("scene-scripts-no-debrief") if open_parts else msg("scene-scripts-ready")
