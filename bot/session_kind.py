"""`SessionKind`: what `SessionManager` must know of one kind of sessions: `public_sessions.PublicSessions`, or
`scenes.scene_sessions.SceneSessions`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.posting.failures import Kind
from elenchus.bot.posting.follower import ThreadView
from elenchus.bot.rendering import safe
from elenchus.debate_engine.reports.moderation import OpenTurn
from elenchus.service.lab.session_status import SessionStatus


class SessionKind(ABC):
    """How sessions of one kind are shown and answered."""

    @abstractmethod
    def thread_view(self, key: ViewKey) -> ThreadView:
        """What the thread of a view shows."""

    @abstractmethod
    def failure(self, kind: Kind, title: str, session: str, server: str, reference: str) -> str:
        """The sentence for the moderator about what hinders posting."""

    def broke_off(self, _status: SessionStatus) -> str:
        """The same about a session of which all is shown and which broke off; "" where its thread itself tells it."""
        return ""

    @abstractmethod
    async def ended(self, session: str) -> None:
        """Part of the end of a session that is over; done at least once."""

    @abstractmethod
    async def open_texts(self, binding: Binding) -> list[tuple[OpenTurn, int]]:
        """The open turns that ask for a free text, for which a message in this thread may count, with their members.

        Raises UnknownSession, StorageError.
        """

    @abstractmethod
    async def called_in_log(self, member: int) -> str:
        """How a member is called in the log. Raises StorageError."""


def title_of(status: SessionStatus) -> str:
    """A session's title in a sentence for its moderator."""
    return safe.shortened(safe.inline(status.view.title), 200)
