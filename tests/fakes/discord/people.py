"""Scripted people: they use commands, press buttons, fill modals, write, leave, and see what Discord shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.discord import asking, changes, filling, interacting, payloads, permissions, posting
from tests.fakes.discord.answers import Answer, Modal, NotAnswered, NotPossible
from tests.fakes.discord.permissions import Permission, sending
from tests.fakes.discord.posting import Author, File
from tests.fakes.discord.state import Channel, Guild, Interaction, Json, Member, Message, User
from tests.fakes.discord.world import World

BUTTON = 2
PATIENCE = 120.0


@dataclass(eq=False)
class Person:
    """A user with hands. What they may not do or cannot see raises NotPossible; silence for 3 s, NotAnswered."""

    world: World
    user: User
    guild: Guild

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        return f"<@{self.user.id}>"

    @property
    def member(self) -> Member:
        found = self.guild.members.get(self.id)
        if found is None:
            raise NotPossible(f"{self.name} is no member of {self.guild.name}")
        return found

    # looking

    def may(self, place: Channel, *bits: Permission) -> bool:
        if place.guild is None:
            return self.user in place.recipients
        allowed = permissions.in_channel(self.member, place)
        return Permission.VIEW_CHANNEL in allowed and all(bit in allowed for bit in bits)

    async def sees(self, place: Channel) -> list[Message]:
        """What this person has before them in a channel, in order, ephemeral answers of their own among it."""
        if not self.may(place):
            raise NotPossible(f"{self.name} cannot see #{place.name}")
        return [post for post in self.world.posts if post.channel is place and self.can_see(post)]

    def can_see(self, post: Message) -> bool:
        return not post.deleted and post.only_for in (None, self.id) and self.may(post.channel)

    # commands

    async def slash(self, place: Channel, path: str, *, patience: float = PATIENCE, **options: Any) -> Answer:
        """Use a command ("debate start") with its options; a "thinking…" is waited for."""
        self._may_command(place)
        data = asking.command(self.world, self.member if place.guild else None, place, path, options)
        return await self._ask(2, place, data, patience=patience)

    async def complete(self, place: Channel, path: str, option: str, text: str, **options: Any) -> list[Json]:
        """Type into an option with autocomplete: the choices that are offered, {name, value} each."""
        self._may_command(place)
        member = self.member if place.guild else None
        data = asking.autocomplete(self.world, member, place, path, option, text, options)
        told = interacting.begin(self.world, 4, self.user, place, data)
        await self._acknowledged(told)
        return told.choices or []

    async def menu(self, post: Message, name: str, *, patience: float = PATIENCE) -> Answer:
        """Right click a message → Apps → a command."""
        self._may_command(post.channel)
        self._demand_sight(post)
        member = self.member if post.channel.guild else None
        command = asking.find(self.world, member, post.channel, name, kind=3)
        shown = payloads.message(post)
        data: Json = {"id": str(command.id), "name": name, "type": 3, "target_id": str(post.id)}
        data["resolved"] = {"messages": {str(post.id): shown}}
        return await self._ask(2, post.channel, data, patience=patience)

    def _may_command(self, place: Channel) -> None:
        guild = place.guild
        if guild is not None and self.world.bot.id not in guild.members:
            raise NotPossible("the application is not in this server (any more)")
        if guild is not None and not self.may(place, Permission.USE_APPLICATION_COMMANDS, sending(place)):
            raise NotPossible(f"{self.name} may not use commands in #{place.name}")
        self._open(place)

    def _open(self, place: Channel) -> None:
        if place.is_thread and place.archived:
            raise NotPossible("the thread is archived")

    # components

    async def press(self, post: Message, button: str, *, patience: float = PATIENCE) -> Answer:
        """Press a button, by its label or its custom_id; and once more the one that a form comes with that is late."""
        found = self._component(post, button, {BUTTON})
        if found.get("style") == 5:
            raise NotPossible(f"{button!r} is a link")
        data = {"component_type": BUTTON, "custom_id": found["custom_id"], "id": found["id"]}
        answer = await self._ask(3, post.channel, data, post, patience=patience)
        again = [part for part in payloads.walk(self._shown(answer)) if part.get("custom_id") == found["custom_id"]]
        return await self.press(answer.with_buttons, button=again[0]["label"]) if again else answer

    def _shown(self, answer: Answer) -> list[Json]:
        """The parts of what is shown to this person alone; nothing while the bot is thinking."""
        own = [post for post in (answer.interaction.original, *answer.followups) if post is not None and post.ephemeral]
        return [part for post in own for part in post.components]

    async def select(self, post: Message, menu: str, *values: Any, patience: float = PATIENCE) -> Answer:
        """Choose in a select menu, named by placeholder or custom_id: values or labels, or people, roles, channels."""
        found = self._component(post, menu, {3, 5, 6, 7, 8})
        chosen, resolved = filling.chosen(self.member if post.channel.guild else None, post.channel, found, values)
        data: Json = {"component_type": found["type"], "custom_id": found["custom_id"], "values": chosen}
        data |= {"id": found["id"]} | ({"resolved": resolved} if resolved else {})
        return await self._ask(3, post.channel, data, post, patience=patience)

    def _component(self, post: Message, named: str, kinds: set[int]) -> Json:
        self._demand_sight(post)
        self._open(post.channel)
        parts = [part for part in payloads.walk(post.components) if part["type"] in kinds]
        found = [part for part in parts if named in (part.get("custom_id"), part.get("label"), part.get("placeholder"))]
        if len(found) != 1:
            have = [part.get("label") or part.get("custom_id") for part in parts]
            raise NotPossible(f"{len(found)} components are named {named!r}; there are {have}")
        if found[0].get("disabled"):
            raise NotPossible(f"{named!r} is disabled")
        return found[0]

    async def fill(self, modal: Modal, values: Mapping[str, Any], *, patience: float = PATIENCE) -> Answer:
        """Fill a modal, fields named by label or custom_id, and submit it."""
        if modal.submitted:
            raise NotPossible("the modal is closed")
        told = modal.interaction
        member = self.member if told.channel.guild else None
        data = filling.submitted(member, told.channel, modal.body, values)
        modal.submitted = True
        return await self._ask(5, told.channel, data, told.message, patience=patience)

    # plain acts

    async def write(
        self, place: Channel, text: str, *, reply_to: Message | None = None, files: Mapping[str, bytes] | None = None
    ) -> Message:
        """Write a message."""
        if place.guild and not self.may(place, sending(place)):
            raise NotPossible(f"{self.name} may not write in #{place.name}")
        if place.is_thread and place.locked and not self.may(place, Permission.MANAGE_THREADS):
            raise NotPossible("the thread is locked")
        parts = {
            at: File(name, data, "application/octet-stream") for at, (name, data) in enumerate((files or {}).items())
        }
        by = Author(self.user, self.member if place.guild else None)
        kind = 19 if reply_to else 0
        return posting.create(self.world, place, by, {"content": text}, parts, kind=kind, reference=reply_to)

    async def edit(self, post: Message, text: str) -> None:
        self._mine(post)
        posting.edit(self.world, post, {"content": text}, {}, self.member if post.channel.guild else None)

    async def delete(self, post: Message) -> None:
        """Delete a message: an own one, or anybody's with the right to manage messages."""
        if not (post.author is self.user or self.may(post.channel, Permission.MANAGE_MESSAGES)):
            raise NotPossible(f"{self.name} may not delete this")
        changes.delete_message(self.world, post)

    async def dismiss(self, post: Message) -> None:
        """Press "Dismiss message" under an ephemeral answer."""
        if post.only_for != self.id:
            raise NotPossible("only one's own ephemeral messages can be dismissed")
        post.deleted = True

    async def react(self, post: Message, emoji: str) -> None:
        self._demand_sight(post)
        post.reactions.setdefault(emoji, set()).add(self.id)
        self.world.events.reacted(post, emoji, self.id, added=True)

    async def leave(self) -> None:
        """Leave the server."""
        changes.leave(self.world, self.member)

    def _mine(self, post: Message) -> None:
        if post.author is not self.user:
            raise NotPossible("somebody else's message")

    def _demand_sight(self, post: Message) -> None:
        if not self.can_see(post):
            raise NotPossible(f"{self.name} does not see this message")

    # waiting

    async def _ask(
        self, kind: int, place: Channel, data: Json, message: Message | None = None, *, patience: float
    ) -> Answer:
        told = interacting.begin(self.world, kind, self.user, place, data, message)
        await self._acknowledged(told)
        answer = Answer(told, self.world)
        if told.original_waits and patience:
            await answer.settled(patience)
        return answer

    async def _acknowledged(self, told: Interaction) -> None:
        """Wait as Discord waits. Raises NotAnswered after the three seconds."""
        try:
            async with asyncio.timeout(self.world.times.acknowledge):
                while told.acknowledged is None:
                    await told.changed.wait()
        except TimeoutError:
            raise NotAnswered("The application did not respond") from None
