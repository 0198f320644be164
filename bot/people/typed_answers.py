"""What a member writes in the thread is a draft of the answer to an open turn, where the server and the intents let it.

The bot asks under the message whether it is the answer: nothing counts before its writer says so. Also what was written
while the bot was away: it is looked up when the bot is back.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import discord

from elenchus.bot.bindings import Binding
from elenchus.bot.components import ComponentHandlers
from elenchus.bot.errors import DISCONNECTED
from elenchus.bot.guild import settings_of
from elenchus.bot.interactions import Interaction, tell
from elenchus.bot.people import consent, drafts
from elenchus.bot.people.turns import send, step_named
from elenchus.bot.posting.discord_objects import view_of
from elenchus.bot.rendering.post import Button
from elenchus.bot.services import BotServices
from elenchus.bot.session_manager import SessionManager
from elenchus.bot.strings import msg
from elenchus.debate_engine.errors import UnknownSession, UsageError
from elenchus.debate_engine.events import Recorded, TurnAnswered, TurnOpened
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.debate_engine.reports.view import SessionView
from elenchus.service.lab.forms import TEXT

_log = logging.getLogger(__name__)

HEARD = "✅"
"""Put under a message that counts."""

PLAIN = "plain"
"""The name of the clicks under the question; the rest is SESSION:SEQ:MESSAGE:yes or no."""

MESSAGE, QUESTION, BY = "message", "question", "by"
"""Kept beside the draft's text: the ids of the member's message and of the question, and who writes in the log."""

MOST = 200
"""Messages that are looked through for one turn."""


@dataclass(frozen=True, slots=True)
class TypedAnswers:
    """Hears what is written in threads, and what its writer says to it. All raise StorageError."""

    services: BotServices
    manager: SessionManager

    def register(self, components: ComponentHandlers) -> None:
        """Hear whether a message is meant as an answer."""
        components.on(PLAIN, self.pressed)

    async def written(self, message: discord.Message) -> None:
        """Somebody wrote a message: a draft for the longest open turn of theirs that asks for a free text."""
        if message.author.bot or not message.content.strip():
            return
        with suppress(UsageError):
            binding = next(iter(self.manager.bindings.shown_in(message.channel.id)), None)
            if binding is None or not (await settings_of(self.services.store, binding.guild)).plain_messages:
                return
            mine = [turn for turn, member in await self._open_texts(binding) if member == message.author.id]
            if mine and not await self._too_early(binding, message):
                await self._ask(binding, mine[0], message)

    async def catch_up(self, client: discord.Client) -> None:
        """Look for messages that were written for open turns while the bot was away."""
        for binding in self.manager.bindings:
            if binding.closed or not (await settings_of(self.services.store, binding.guild)).plain_messages:
                continue
            with suppress(UnknownSession):
                for turn, member in await self._open_texts(binding):
                    await self._look_up(client, binding, turn, member)

    async def _open_texts(self, binding: Binding) -> list[tuple[OpenTurn, int]]:
        return await self.manager.kind_of(binding.key).open_texts(binding)

    async def _look_up(self, client: discord.Client, binding: Binding, turn: OpenTurn, member: int) -> None:
        """Ask about the last message that was written for this turn and not asked about yet."""
        thread = client.get_partial_messageable(binding.thread, guild_id=binding.guild)
        known = (await drafts.typed(self.services.store, binding.session, turn.step, member)).get(MESSAGE, "0")
        last: discord.Message | None = None
        try:
            async for message in thread.history(limit=MOST, after=turn.since, oldest_first=True):
                wrote = message.author.id == member and message.content.strip() and message.id > int(known)
                if wrote and not await self._too_early(binding, message):
                    last = message
        except (discord.HTTPException, *DISCONNECTED) as error:
            _log.info("session %s: messages could not be looked up: %s", binding.session, error)
        if last is not None:
            await self._ask(binding, turn, last)

    async def _too_early(self, binding: Binding, message: discord.Message) -> bool:
        """Whether it was written before its writer agreed to sit, however late it is heard."""
        return await consent.wrote_before(self.services.store, binding.session, message.author.id, message.id)

    async def _ask(self, binding: Binding, turn: OpenTurn, message: discord.Message) -> None:
        """Keep the message as the draft in the place of a former one, and ask whether it is the answer."""
        lock = self.services.lock(draft_of(binding.session, turn.step, message.author.id))
        async with lock:  # until then no press is looked at
            await self._ask_alone(binding, turn, message)

    async def _ask_alone(self, binding: Binding, turn: OpenTurn, message: discord.Message) -> None:
        session, member, store = binding.session, message.author.id, self.services.store
        former = (await drafts.typed(store, session, turn.step, member)).get(QUESTION)
        events = await self.services.log.read(session)
        place = f"el:{PLAIN}:{session}:{seq_of(events, turn.step)}:{message.id}"
        buttons = (
            Button(f"{place}:yes", msg("people-send"), "success"),
            Button(f"{place}:no", msg("people-do-not-send")),
        )
        text = msg("people-is-it-your-answer", what=SessionView.of(session, events).spec.task(turn.step))
        nobody = discord.AllowedMentions.none()
        try:
            asked = await message.reply(text, view=view_of(buttons), allowed_mentions=nobody, mention_author=False)
        except (discord.HTTPException, *DISCONNECTED) as error:
            _log.info("session %s: a message could not be asked about: %s", session, error)
            return
        by = await self.manager.kind_of(binding.key).called_in_log(member)
        draft = {TEXT: message.content.strip(), MESSAGE: str(message.id), QUESTION: str(asked.id), BY: by}
        await drafts.keep(store, session, turn.step, member, draft)
        if former:
            await deleted(message.channel, int(former))

    # ── the buttons under the question ───────────────────────────────────────────────────────────────────────────

    async def pressed(self, interaction: Interaction, rest: str) -> None:
        """SESSION:SEQ:MESSAGE:yes sends the message as the answer; no forgets it as a draft. Raises UsageError."""
        session, seq, message, what = rest.split(":")
        step = step_named(await self.services.log.read(session), seq)
        async with self.services.lock(draft_of(session, step, interaction.user.id)):
            await self._taken(interaction, session, step, message, send_it=what == "yes")
        if what == "yes" and isinstance(interaction.channel, discord.Thread):
            with suppress(discord.HTTPException):
                await interaction.channel.get_partial_message(int(message)).add_reaction(HEARD)
        await tell(interaction, msg("people-sent") if what == "yes" else msg("people-not-sent"))

    async def _taken(self, interaction: Interaction, session: str, step: str, message: str, *, send_it: bool) -> None:
        """Send the draft, or not; in any case it is gone, and so is the question."""
        member, store = interaction.user.id, self.services.store
        draft = await drafts.typed(store, session, step, member)
        if draft.get(MESSAGE) != message:
            raise UsageError(msg("people-no-draft"))
        try:
            if send_it:
                turn = SessionView.of(session, await self.services.log.read(session)).moderation.turns.get(step)
                if turn is None:
                    raise UsageError(msg("people-not-open"))
                answer = TurnAnswered(step=step, seat=turn.seat, by=draft[BY], answer=draft[TEXT], via="discord")
                await send(self.services, session, answer)
        finally:
            await drafts.drop(store, session, step, member)
            if isinstance(interaction.channel, discord.abc.Messageable):
                await deleted(interaction.channel, int(draft[QUESTION]))


def draft_of(session: str, step: str, member: int) -> str:
    """The name of the lock that is held while this member's draft for a turn is asked about, sent or dropped."""
    return f"draft {session} {step} {member}"


async def deleted(place: discord.abc.Messageable, message: int) -> None:
    """Take a question of ours away, if it is there still."""
    with suppress(discord.HTTPException, *DISCONNECTED):
        await (await place.fetch_message(message)).delete()


def seq_of(events: Sequence[Recorded], step: str) -> int:
    """The number of the event that opened a turn."""
    return next(r.seq for r in events if isinstance(r.event, TurnOpened) and r.event.step == step)
