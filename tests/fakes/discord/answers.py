"""What a person gets to see of what they did: a message, a modal, nothing yet, or a failure."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from tests.fakes.discord.render import text_of
from tests.fakes.discord.state import Interaction, Json, Message
from tests.fakes.discord.world import World

KINDS = {4: "message", 5: "thinking", 6: "silent", 7: "update", 8: "choices", 9: "modal"}


class NotPossible(AssertionError):
    """Discord's own client would not let the person do that."""


class NotAnswered(AssertionError):
    """The client shows "The application did not respond"."""


@dataclass(eq=False)
class Modal:
    """An open modal. `body` is what the application sent; fields are found by label or custom_id."""

    interaction: Interaction
    body: Json
    submitted: bool = False

    @property
    def title(self) -> str:
        return str(self.body["title"])


@dataclass(eq=False)
class Answer:
    """The application's answer to one act. `message` lives: an edit of it shows there."""

    interaction: Interaction
    world: World

    @property
    def kind(self) -> str:
        """message, thinking (deferred), update (of the pressed message), silent (deferred update) or modal."""
        return KINDS[self.interaction.acknowledged or 0]

    @property
    def message(self) -> Message:
        found = self.interaction.original
        if found is None:
            raise AssertionError(f"there is no message: the answer is of kind {self.kind!r}")
        return found

    @property
    def with_buttons(self) -> Message:
        """The newest message of it that has buttons or menus."""
        found = [post for post in (self.interaction.original, *self.followups) if post is not None and post.components]
        if not found:
            raise AssertionError(f"there is nothing to press: {self.text}")
        return found[-1]

    @property
    def modal(self) -> Modal:
        if self.interaction.modal is None:
            raise AssertionError(f"there is no modal: the answer is of kind {self.kind!r}")
        return Modal(self.interaction, self.interaction.modal)

    @property
    def has_modal(self) -> bool:
        return self.interaction.modal is not None

    @property
    def ephemeral(self) -> bool:
        return self.message.ephemeral

    @property
    def followups(self) -> list[Message]:
        return self.interaction.followups

    @property
    def text(self) -> str:
        """All that the person reads of it: content, embeds, files and buttons, the followups below."""
        parts: list[Any] = [self.interaction.original, *self.followups]
        return "\n".join(text_of(post) for post in parts if post is not None and not post.deleted)

    @property
    def acknowledged_after(self) -> float:
        """Seconds until the acknowledgement."""
        assert self.interaction.acknowledged_at is not None
        return self.interaction.acknowledged_at - self.interaction.created

    async def settled(self, within: float = 120.0) -> Answer:
        """Wait until "thinking…" is replaced."""
        async with asyncio.timeout(within):
            while self.interaction.original_waits:
                await self.interaction.changed.wait()
        return self

    async def followup(self, number: int = 1, within: float = 120.0) -> Message:
        """Wait for the n-th followup."""
        async with asyncio.timeout(within):
            while len(self.followups) < number:
                await self.interaction.changed.wait()
        return self.followups[number - 1]
