"""What is examined: a text, a file, a message, or what was said in a finished session that the member may see."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import discord

from elenchus.bot.attachments import text_in
from elenchus.bot.bindings import Binding
from elenchus.bot.interactions import Interaction, requester_of
from elenchus.bot.people.members import people_sit, person
from elenchus.bot.rendering import safe
from elenchus.bot.rendering.post import mark_in
from elenchus.bot.rules import seen_by
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import Recorded, Said, SessionStarted
from elenchus.debate_engine.log import SessionInfo, state_after
from elenchus.debate_engine.protocols.registry import spec_or_default
from elenchus.detectors.examined_text import people_examined, speakers_of, turns_of
from elenchus.detectors.schemas import Turn
from elenchus.service.lab.options import LONGEST_DOCUMENT

OVER = ("finished", "stopped")
"""The states of sessions whose transcripts may be examined."""


@dataclass(frozen=True, slots=True)
class DetectionSource:
    """The title of a detection and what it examines; `private`: it was not said before everybody."""

    title: str
    turns: tuple[Turn, ...]
    source: str = ""
    speaker: str = ""
    private: bool = False

    @property
    def people(self) -> frozenset[str]:
        """Whose words are examined, as in `by`."""
        return people_examined(self.turns, self.speaker)


@dataclass(frozen=True, slots=True)
class Sources:
    """Finds what is to be examined. All raise UsageError, StorageError, discord.HTTPException."""

    services: BotServices
    manager: SessionManager

    # ── a text ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def of_text(self, text: str, file: discord.Attachment | None, member: int) -> DetectionSource:
        """A text that a member gives."""
        if file and text.strip():
            raise UsageError(msg("detecting-too-much"))
        return _one(
            await text_in(file, LONGEST_DOCUMENT) if file else text,
            msg("detecting-of-text"),
            msg("detecting-no-text"),
            person(member),
        )

    async def of_message(self, interaction: Interaction, message: discord.Message) -> DetectionSource:
        """A message; embeds are read where it has no words of its own. What a bot of ours posted is a session's."""
        hidden = isinstance(interaction.channel, discord.Thread) and interaction.channel.is_private()
        if found := await self._posted(message, hidden=hidden):
            return found
        shown = [embed.description for embed in message.embeds if embed.description]
        by = "" if message.author.bot or message.webhook_id else person(message.author.id)
        made = _one(message.content or "\n\n".join(shown), msg("detecting-of-message"), msg("detecting-no-words"), by)
        return DetectionSource(made.title, made.turns, private=hidden)

    async def _posted(self, message: discord.Message, *, hidden: bool) -> DetectionSource | None:
        """The whole speech of which the message is (a part of) the post; None for any other message."""
        mark, binding = mark_in(message.content), self._shown_in(message)
        if mark is None or binding is None:
            return None
        session = binding.session
        events = await self.services.log.read(session)
        self._check_over(events)
        turn = _turn_at(events, mark.seq)
        return DetectionSource(msg("detecting-of-message"), (turn,), session, private=hidden) if turn else None

    def _shown_in(self, message: discord.Message) -> Binding | None:
        """The session's view that the message's thread shows, where the bot posted the message itself."""
        here = self.manager.bindings.shown_in(message.channel.id)
        me = message.guild.me.id if message.guild else 0
        return next((b for b in here if message.webhook_id in b.webhooks or message.author.id == me), None)

    def _check_over(self, events: Sequence[Recorded]) -> None:
        """Raises UsageError while people sit in a session that goes on: a verdict would sway them."""
        started = next((r.event for r in events if isinstance(r.event, SessionStarted)), None)
        if people_sit(started) and not _is_over(events):
            raise UsageError(msg("detecting-not-over"))

    # ── a session ────────────────────────────────────────────────────────────────────────────────────────────────

    async def of_session(self, interaction: Interaction, beginning: str, speaker: str) -> DetectionSource:
        """What was said in the one finished session whose id begins so; what `speaker` said, or everybody for ""."""
        found = [b for b in await self.seen(requester_of(interaction)) if b.session.startswith(beginning.strip())]
        if len(found) != 1:
            raise UsageError(msg("detecting-not-seen"))
        (binding,) = found
        try:
            info, events = await self.services.log.info(binding.session), await self.services.log.read(binding.session)
        except UnknownSession as error:
            raise UsageError(msg("detecting-not-seen")) from error
        if not _is_over(events):
            raise UsageError(msg("detecting-not-over"))
        turns = await asyncio.to_thread(turns_of, events)
        named = _checked(turns, speaker.strip())
        return DetectionSource(
            msg("detecting-of-session", title=info.title), turns, info.id, named, private=binding.private
        )

    async def seen(self, member: discord.Member) -> list[Binding]:
        """The sessions of the server whose words the member may have examined, running or not."""
        return await seen_by(self.services, member, self.manager.bindings.paid)

    async def finished(self, member: discord.Member) -> list[SessionInfo]:
        """The finished ones among them, newest first."""
        mine = {binding.session for binding in await self.seen(member)}
        known = await self.services.log.sessions()
        return [i for i in known if i.id in mine and i.state in OVER and spec_or_default(i.protocol).has_speakers]

    async def speakers(self, member: discord.Member, session: str) -> tuple[str, ...]:
        """Who speaks in a session that the member may see; () for any other."""
        if session not in {binding.session for binding in await self.seen(member)}:
            return ()
        events = await self.services.log.read(session)
        return speakers_of(turns_of(events)) if _is_over(events) else ()


def _one(text: str, title: str, empty: str, by: str) -> DetectionSource:
    """A text as the only turn. Raises UsageError."""
    told = text.strip()
    if not any(map(str.isalnum, told)):
        raise UsageError(empty)
    if len(told) > LONGEST_DOCUMENT:
        raise UsageError(msg("detecting-too-long", most=LONGEST_DOCUMENT))
    return DetectionSource(title, (Turn(text=told, by=by),))


def _turn_at(events: Sequence[Recorded], seq: int) -> Turn | None:
    """The speech that is this event, with its number in the transcript."""
    said: Mapping[int, Said] = {r.seq: r.event for r in events if isinstance(r.event, Said)}
    before = [r for r in events if r.seq <= seq]
    turns = turns_of(before)
    return turns[-1] if seq in said and turns and turns[-1].text == said[seq].text else None


def _is_over(events: Sequence[Recorded]) -> bool:
    states = [state for r in events if (state := state_after(r.event))]
    return bool(states) and states[-1] in OVER


def _checked(turns: Sequence[Turn], speaker: str) -> str:
    """The speaker as the transcript has it, whatever the case. Raises UsageError."""
    if not turns:
        raise UsageError(msg("detecting-nothing-said"))
    if not speaker:
        return ""
    names = speakers_of(turns)
    found = next((name for name in names if name.casefold() == speaker.casefold()), None)
    if found is None:
        shown = ", ".join(safe.shortened(safe.inline(name), 80) for name in names)
        raise UsageError(
            msg(
                "detecting-nobody",
                speaker=safe.shortened(safe.inline(speaker), 80),
                speakers=safe.shortened(shown, 800),
            )
        )
    return found
