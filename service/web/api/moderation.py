"""What moderators do to a session, the room's votes, and the links by which others come to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from elenchus.debate_engine.errors import UsageError
from elenchus.debate_engine.events import (
    CloseAsked,
    Command,
    Event,
    FrozenModel,
    PauseAsked,
    ResumeAsked,
    RoundAsked,
    StopAsked,
)
from elenchus.debate_engine.protocols.judging.votes import WHENS
from elenchus.service.lab import moderation, participation
from elenchus.service.lab.session_status import SessionStatus
from elenchus.service.web.problems import Conflict, Forbidden, NotThere
from elenchus.service.web.routes import Call, Reply, RouteTable
from elenchus.service.web.server import service_of

if TYPE_CHECKING:
    from elenchus.service.web.server import WebService

routes = RouteTable("moderation")

CODE_LETTERS = 8
LINK_DAYS = 30
ANY_HEAT = "hotter"
"""Where the heat can be turned up it can be set."""


class GivenCommand(FrozenModel):
    """A moderator's command with what belongs to it: `heat` with a value 0–1 or a `step` up or down, `guide` and `ask`
    with words to a side, `stop` with the reason as words, `budget` with new limits in all.
    """

    command: Literal["pause", "resume", "heat", "guide", "ask", "deepen", "round", "close", "stop", "budget"]
    value: float | None = None
    step: float | None = None
    to: Annotated[str, Field(max_length=20)] = moderation.BOTH
    text: Annotated[str, Field(max_length=moderation.LONGEST_WORDS)] = ""
    tokens: int | None = None
    usd: float | None = None
    unpriced_ok: bool = False


class SentCommandDocument(FrozenModel):
    """The command as event `seq`; `effect` says what comes of it."""

    seq: int
    effect: str


class Ballot(FrozenModel):
    """A vote `before` or `after` the debate, or whichever is open."""

    side: Literal["pro", "con", "undecided"]
    when: Literal["", "before", "after"] = ""


class Voted(FrozenModel):
    """The vote as event `seq`; your last one before and after counts."""

    seq: int
    when: str
    side: str


class NewInvite(FrozenModel):
    """Whom a link is for: the person on a `seat`, or the audience; for how many days. `one_vote`: it is for one head of
    the audience, on a slip, say; else each browser that comes by it has a vote.
    """

    role: Literal["seat", "audience", "moderator"]
    seat: Annotated[str, Field(max_length=200)] = ""
    label: Annotated[str, Field(max_length=100)] = ""
    days: Annotated[float, Field(gt=0, le=366)] = LINK_DAYS
    one_vote: bool = False


class Invite(FrozenModel):
    """A link and, for typing, a code; both are shown here alone. `id` revokes it."""

    id: str
    role: str
    seat: str = ""
    path: str
    code: str
    expires: datetime | None


Making = Callable[[GivenCommand, SessionStatus, str], Command]


def _heat(given: GivenCommand, session: SessionStatus, by: str) -> Command:
    if given.value is not None:
        return moderation.heat(session, by, given.value)
    if given.step is None:
        raise UsageError("Say which heat: give value, a number between 0 and 1, or step.")
    return moderation.heat_changed(session, by, given.step)


_COMMANDS: dict[str, Making] = {
    "pause": lambda _given, _session, by: PauseAsked(by=by),
    "resume": lambda _given, _session, by: ResumeAsked(by=by),
    "heat": _heat,
    "guide": lambda given, _session, by: moderation.guidance(by, given.to, given.text),
    "ask": lambda given, _session, by: moderation.question(by, given.to, given.text),
    "deepen": lambda given, _session, by: moderation.deepen(by, given.to),
    "round": lambda _given, _session, by: RoundAsked(by=by),
    "close": lambda _given, _session, by: CloseAsked(by=by),
    "stop": lambda given, _session, by: moderation.stop(by, given.text),
    "budget": lambda given, _session, by: moderation.budget(by, given.tokens, given.usd, unpriced_ok=given.unpriced_ok),
}


@routes.add(
    "POST", "/sessions/{session}/commands", "moderator", "Steer a session",
    body=GivenCommand, gives=SentCommandDocument, status=202,
    refuses=(409, 422),
)  # fmt: skip
async def send_command(call: Call) -> Reply:
    """Whoever runs the session takes it up before its next step."""
    service, session, given = service_of(call.request), call.path("session"), call.body
    async with service.live.looking(session) as live, live.answering:
        if not (given.command == "resume" and await _is_left(service, session)):
            _check_allowed(given.command, live.status)
        command = _COMMANDS[given.command](given, live.status, call.asking.person(session))
        sent = await moderation.send(service.app.log, session, command)
        effect = await effect_of(call, session, command, sent.owner)
        await live.read_up()
    return Reply(SentCommandDocument(seq=sent.recorded.seq, effect=effect), 202)


async def _is_left(service: WebService, session: str) -> bool:
    """Whether its log says that it runs, and whoever ran it is gone: after a crash of another program, say."""
    info = await service.app.log.info(session)
    return info.state == "running" and info.owner is None


ON_ITS_WAY = ("pause", "round", "close", "stop")
"""What is asked for once, until it is taken up."""


def _check_allowed(command: str, status: SessionStatus) -> None:
    """Raises Conflict for what makes no sense as the session stands, such as of two who press the second."""
    kind = status.view.spec.kind
    if status.over:
        raise Conflict(f"This session is {status.state}: nothing can be changed in it any more.")
    if command in ON_ITS_WAY and status.asked == command:
        raise Conflict(f"That was asked for already, and is on its way: {command}.")
    if command == "resume" and status.asked == "pause":
        return  # taken back before it was taken up
    name = ANY_HEAT if command == "heat" else command
    if name in status.allowed:
        return
    if name not in ("pause", "resume", *status.view.spec.commands):
        raise UsageError(f"A {kind} takes no such command.")
    raise Conflict(f"This session is {status.state}: it cannot be done now.")


async def effect_of(call: Call, session: str, command: Event, owner: str) -> str:
    """What comes of a command that was sent; one that nobody takes up is done here, where that can be."""
    service = service_of(call.request)
    if owner:
        return "sent"
    if isinstance(command, StopAsked):
        await moderation.stop_unowned(service.app.log, session, command)
        return "stopped"
    if isinstance(command, ResumeAsked):
        return "resumed" if await service.own.resume(session) else "sent"
    return "noted: it counts when the session goes on"


@routes.add(
    "POST", "/sessions/{session}/votes", "viewer", "Vote before or after a debate", body=Ballot, gives=Voted,
    refuses=(409, 422),
)  # fmt: skip
async def cast_vote(call: Call) -> Voted:
    """One vote for each browser that opened the link, or for each token or code of one vote; none for whoever
    debates or judges. How many voted by an open link is told with what came out.
    """
    service, session = service_of(call.request), call.path("session")
    if call.asking.seats(session) or call.asking.rates(session):
        raise Forbidden("Who sits in a debate does not vote on it.")
    if service.debates.of_session(session):
        raise Conflict("Here the people of the class vote, each of them once: join it by its code.")
    async with service.live.looking(session) as live:
        if live.status.view.spec.has_subjects:
            raise UsageError("There is no vote in a scene.")
        voted = participation.vote(live.status.view, call.asking.voter(session), call.body.side, call.body.when)
        sent = await live.send(voted)
    return Voted(seq=sent.seq, when=voted.when, side=voted.side)


@routes.add(
    "POST",
    "/sessions/{session}/votes/{when}/close",
    "moderator",
    "End a vote",
    gives=SentCommandDocument,
    refuses=(409, 422),
)
async def close_vote(call: Call) -> SentCommandDocument:
    """Later votes do not count."""
    service, session = service_of(call.request), call.path("session")
    async with service.live.looking(session) as live:
        when = next((one for one in WHENS if one == call.path("when")), None)
        if when is None:
            raise NotThere("A vote is held before or after a debate.")
        closed = participation.close_vote(live.status.view, call.asking.person(session), when)
        sent = await live.send(closed)
    return SentCommandDocument(seq=sent.seq, effect="closed")


# ── links ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Invites(FrozenModel):
    """The links of a session that are good now; their secrets are nowhere."""

    invites: list[InviteRow]


class InviteRow(FrozenModel):
    """A link that was given."""

    id: str
    role: str
    seat: str
    label: str
    created: datetime
    expires: datetime | None


Invites.model_rebuild()


@routes.add(
    "POST", "/sessions/{session}/invites", "moderator", "A link and a code for a seat or the audience",
    body=NewInvite, gives=Invite, status=201, refuses=(422,),
)  # fmt: skip
async def create_invite(call: Call) -> Reply:
    """Whoever opens the link has the role, until it ends or is revoked."""
    service, session, wanted = service_of(call.request), call.path("session"), call.body
    async with service.live.looking(session) as live:
        view = live.status.view
        if wanted.role == "seat" and not view.is_person(wanted.seat):
            people = [one.seat for one in view.speakers if view.is_person(one.seat)]
            raise UsageError(f"No person sits on {wanted.seat!r}: people sit on {', '.join(people) or 'no seat'}.")
    given = await service.access.give(
        wanted.role, session=session, seat=wanted.seat if wanted.role == "seat" else "", label=wanted.label,
        lasts=timedelta(days=wanted.days), short=CODE_LETTERS,
        one_vote=wanted.one_vote,
    )  # fmt: skip
    grant = given.grant
    made = Invite(
        id=grant.id, role=grant.role, seat=grant.seat, path=f"/join/{given.secret}", code=given.secret,
        expires=grant.expires,
    )  # fmt: skip
    return Reply(made, 201)


@routes.add("GET", "/sessions/{session}/invites", "moderator", "The links that were given", gives=Invites)
async def list_invites(call: Call) -> Invites:
    """Without their secrets."""
    grants = await service_of(call.request).access.grants(call.path("session"))
    fields = ("id", "role", "seat", "label", "created", "expires")
    return Invites(invites=[InviteRow(**{name: getattr(one, name) for name in fields}) for one in grants])


@routes.add("DELETE", "/sessions/{session}/invites/{grant}", "moderator", "Revoke a link", status=204)
async def revoke_invite(call: Call) -> Reply:
    """Whoever came by it may do nothing any more, at once."""
    access = service_of(call.request).access
    if call.path("grant") not in [one.id for one in await access.grants(call.path("session"))]:
        raise NotThere("There is no such link.")
    await access.revoke(call.path("grant"))
    return Reply(status=204)
