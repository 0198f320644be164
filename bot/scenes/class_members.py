"""Members of Discord in a class that others are in by a browser: `/class join`, a thread of one's own, what came out.

The server beside the bot has the class and runs its sessions. The bot gives members a place by their made-up names, and
shows each the seat in a private thread, as it shows scenes.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import discord
from discord.app_commands import Range

from elenchus.bot import errors
from elenchus.bot.bindings import Binding, ViewKey
from elenchus.bot.interactions import Interaction, channel_of, requester_of, tell
from elenchus.bot.people.forgetting_messages import NOBODY
from elenchus.bot.people.members import member_of
from elenchus.bot.rendering.safe import inline, speech
from elenchus.bot.rendering.split import LIMIT, split
from elenchus.bot.scenes.scene_sessions import SceneSessions
from elenchus.bot.strings import msg
from elenchus.bot.thread_opener import PendingThread
from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.events import FrozenModel
from elenchus.debate_engine.tasks import cancelled
from elenchus.service.lab.classes import taking_part
from elenchus.service.lab.classes.publication import own_place
from elenchus.service.lab.stored_documents import readable

if TYPE_CHECKING:
    from elenchus.service.lab.access import Grant
    from elenchus.service.lab.classes.class_progress import ClassProgress, Member
    from elenchus.service.lab.classes.classes import Classes
    from elenchus.service.lab.classes.publication import Publication

NAMESPACE = "class-members"
WRONG, WITHIN = 10, 3_600.0
"""So many wrong codes a member may try in so many seconds."""
AGAIN = 5.0
"""Seconds before a thread is opened again that could not be."""


class ClassMember(FrozenModel):
    """A person of a class who came from `channel` of `guild`, by the interaction `click`; who it is, the key to made-up
    names tells. `shown`: what came out was told.
    """

    classroom: str
    person: str
    guild: int
    channel: int
    click: int
    shown: bool = False

    @property
    def key(self) -> str:
        """Where the store keeps it."""
        return f"{self.classroom}/{self.person}"


@dataclass
class ClassMembers:
    """Answers `/class join`, and sees to everybody who came by it."""

    scenes: SceneSessions
    client: discord.Client
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _wrong: defaultdict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    @property
    def classes(self) -> Classes:
        """Those of the server beside the bot. Raises UsageError."""
        if (found := self.scenes.services.classes) is None:
            raise UsageError(msg("classes-none-here"))
        return found

    async def join(self, interaction: Interaction, code: Range[str, 1, 60]) -> None:
        """`/class join`. Raises UsageError, StorageError."""
        member, channel = requester_of(interaction), channel_of(interaction)
        classes, grant = self.classes, await self._grant(member.id, code)
        called = await self.scenes.names.name_of(member.id)
        known = {one.person.called: one for one in (await classes.open(grant.classroom)).progress.members.values()}
        if found := known.get(called):
            raise UsageError(msg("classes-already-in", name=inline(found.person.name)))
        slip = grant.person if grant.role == "participant" else ""
        joined = await classes.join(grant.classroom, slip=slip, called=called)
        who = joined.member.person
        if who.called != called:
            raise UsageError(msg("classes-no-code"))  # the slip is somebody's already
        await self.scenes.names.name_of(member.id, who.session)  # from now on the session expects them
        here = ClassMember(
            classroom=grant.classroom, person=who.id, guild=member.guild.id, channel=channel.id, click=interaction.id
        )
        await self._keep(here)
        self._begin(self._seen_to(here), f"class {here.key}")
        await tell(interaction, msg("classes-joined", name=inline(who.name), code=joined.code))

    async def _grant(self, member: int, code: str) -> Grant:
        """What a code gives. Raises UsageError for none of a class, and for who has tried too many."""
        tried, at = self._wrong[member], asyncio.get_running_loop().time()
        while tried and at - tried[0] > WITHIN:
            tried.popleft()
        if len(tried) >= WRONG:
            raise UsageError(msg("classes-too-many", minutes=round((WITHIN - (at - tried[0])) / 60) + 1))
        grant = await self.classes.access.find(code.strip())
        if grant is None or not grant.classroom or grant.role not in ("audience", "participant"):
            tried.append(at)
            raise UsageError(msg("classes-no-code"))
        if not await self.classes.is_there(grant.classroom):
            raise UsageError(msg("classes-debates"))
        return grant

    # ── everybody who came ───────────────────────────────────────────────────────────────────────────────────────

    async def open_all(self) -> None:
        """Go on seeing to everybody who is in a class. Raises StorageError."""
        if self.scenes.services.classes is None or self._tasks:
            return
        for here in readable(ClassMember, await self.scenes.services.store.all(NAMESPACE)):
            if self.scenes.services.shard.has(here.guild):
                self._begin(self._seen_to(here), f"class {here.key}")

    async def aclose(self) -> None:
        """See to nobody any more."""
        await cancelled(*self._tasks)

    async def member_left(self, guild: int, member: int) -> None:
        """Somebody who left the server leaves its classes. Raises StorageError."""
        if self.scenes.services.classes is None:
            return
        for here in readable(ClassMember, await self.scenes.services.store.all(NAMESPACE)):
            if here.guild == guild and await self._account(here) == member:
                live, own = await self.classes.member(here.classroom, here.person)
                await taking_part.leave(live, own)

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _seen_to(self, here: ClassMember) -> None:
        """Open a thread when the scene begins, and tell in it what came out; whatever fails is tried again."""
        while True:
            try:
                live, member = await self.classes.member(here.classroom, here.person)
                if await self._begun(live.progress, member):
                    await self._thread(here, live.progress, member)
                    await self._told(here, live.progress, member)
                break
            except UsageError:  # the class is gone, or the person
                break
            except (ElenchusError, discord.HTTPException, *errors.DISCONNECTED) as error:
                errors.logged(error, f"the thread of {here.key}")
            await asyncio.sleep(AGAIN)
        await self.scenes.services.store.remove(NAMESPACE, here.key)

    async def _begun(self, progress: ClassProgress, member: Member) -> bool:
        """Wait for somebody's scene; False where there will be none."""
        revision = 0
        while not member.progress.by:
            if member.left or member.progress.stage == "gone" or progress.phase == "over":
                return False
            revision = await member.changed.after(revision)
        return True

    async def _thread(self, here: ClassMember, progress: ClassProgress, member: Member) -> None:
        """The private thread in which somebody plays. Raises discord.HTTPException, UsageError."""
        session = member.person.session
        view = await self.scenes.view(session)
        key = ViewKey.of_seat(session, view.place_of(progress.room.subject))
        account = await self._account(here)
        if self.scenes.bindings.find(key) is None and account is not None:
            pending = PendingThread(
                session=session, guild=here.guild, channel=here.channel, moderator=NOBODY, private=True,
                title=msg("classes-thread", name=member.person.name), click=here.click, members=(account,),
                view=key.name,
            )  # fmt: skip
            async with self.scenes.channel_locks[here.channel]:
                await self.scenes.opener.open(self.client, pending)
            self.scenes.manager.show(key)

    async def _told(self, here: ClassMember, progress: ClassProgress, member: Member) -> None:
        """Tell what came out when it is shown, once, below all that was said. Raises discord.HTTPException."""
        revision = 0
        while progress.revealed is None or member.progress.asked_now:
            if progress.phase == "over":
                return
            revision = await member.changed.after(revision)
        if here.shown or (binding := self._binding(member)) is None:
            return
        await self._keep(here.model_copy(update={"shown": True}))
        thread = self.client.get_channel(binding.thread) or await self.client.fetch_channel(binding.thread)
        assert isinstance(thread, discord.Thread), "a scene is shown in a thread"
        for piece in split(told_of(progress.revealed, member), LIMIT):
            await thread.send(piece)

    def _binding(self, member: Member) -> Binding | None:
        return next(iter(self.scenes.bindings.views_of(member.person.session)), None)

    async def _account(self, here: ClassMember) -> int | None:
        """The member of Discord, None where nobody knows (any more)."""
        _, member = await self.classes.member(here.classroom, here.person)
        found = await self.scenes.names.members_of([member.person.called])
        return found.get(member.person.called, member_of(member.person.called))

    async def _keep(self, here: ClassMember) -> None:
        await self.scenes.services.store.put(NAMESPACE, here.key, here.model_dump(mode="json"))


def told_of(shown: Publication, member: Member) -> str:
    """What came out in a class, in sentences, and one's own answer. Pure."""
    sentences = [sentence for effect in shown.effects for sentence in effect.sentences] or [shown.why]
    p = member.progress
    own = own_place(shown, p.version, p.outcome, shown.unit) if p.stage == "played" and not p.withdrew else None
    answers = [msg("classes-own", told=inline(one.told)) for one in own.answers] if own else []
    text = "\n".join([*(f"- {speech(sentence)}" for sentence in sentences if sentence), *answers])
    return msg("classes-revealed", text=text)
