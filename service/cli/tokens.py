"""`elenchus tokens`: secrets by which programs and people may do something over HTTP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.debate_engine.errors import UsageError
from elenchus.service.cli import context, options
from elenchus.service.cli.options import Json, choice
from elenchus.service.cli.output import CommandOutput

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from elenchus.config.settings import Settings
    from elenchus.service.app import App
    from elenchus.service.lab.access import Grant, NewGrant

app = typer.Typer(
    no_args_is_help=True, help="Make, list and revoke the tokens of programs and people (elenchus serve)."
)

GIVEN_HERE = ("owner", "moderator", "seat", "rater", "audience")
"""The roles that are given here; participants of a class join by its code."""
_TIME = re.compile(r"(\d{1,6})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@app.command("create")
def create(
    role: Annotated[
        str, choice("--role", "ROLE", "owner, moderator, seat, rater or audience", "What may be done with it.")
    ] = "moderator",
    session: Annotated[str, options.session("--session", help="For this session alone (its id begins so).")] = "",
    seat: Annotated[str, typer.Option("--seat", metavar="NAME", help="For this seat of the session.")] = "",
    expires: Annotated[
        str, typer.Option("--expires", metavar="TIME", help="When it ends: in 90m, 12h or 30d, or never.")
    ] = "90d",
    label: Annotated[str, typer.Option("--label", metavar="TEXT", help="What it is for, to know it by later.")] = "",
    json: Json = False,
) -> None:
    """Make a token; its secret is shown this once and kept nowhere.

    A program sends it as `Authorization: Bearer SECRET`; a person opens it as a link.
    """
    context.run(_create(CommandOutput(json), role, session, seat, _lasts(expires), label))


@app.command("list")
def list_tokens(
    session: Annotated[str, options.session("--session", help="Those of this session alone.")] = "",
    json: Json = False,
) -> None:
    """List what is valid now: tokens, links and codes, without their secrets."""
    context.run(_list(CommandOutput(json), session))


@app.command("revoke")
def revoke(
    token: Annotated[str, typer.Argument(metavar="ID", help="As the list shows it.", autocompletion=options.tokens)],
    json: Json = False,
) -> None:
    """Revoke a token, a link or a code: nobody can do anything by it from now on."""
    context.run(_revoke(CommandOutput(json), token))


async def _create(out: CommandOutput, role: str, session: str, seat: str, lasts: timedelta | None, label: str) -> None:
    from elenchus.service.lab.access import Access

    if role not in GIVEN_HERE:
        raise UsageError(f"There is no role {role!r} to give: take {', '.join(GIVEN_HERE[:-1])} or {GIVEN_HERE[-1]}.")
    async with context.opened() as opened:
        if session:
            session = await _session(opened, session, seat)
        given = await Access(opened.store).give(
            role, session=session, seat=seat, label=label, lasts=lasts  # type: ignore[arg-type]  # looked at above
        )  # fmt: skip
        link = _link(opened.settings, given)
    out.document(_row(given.grant) | {"secret": given.secret, "link": link})
    if out.json:
        return
    out.line(given.secret)
    out.tell(
        f"This is the secret of token {given.grant.id} ({_what(given.grant)}), {_until(given.grant.expires)}. It is "
        f"shown this once.\nAs a link: {link}\nTo revoke it: elenchus tokens revoke {given.grant.id}"
    )


async def _session(opened: App, beginning: str, seat: str) -> str:
    """The session's id. Raises UnknownSession; UsageError for a seat that it does not have."""
    from elenchus.debate_engine.events import SessionStarted
    from elenchus.service.cli.session_lookup import find

    info = await find(opened.log, beginning)
    first = (await opened.log.read(info.id))[0].event
    seats = [one.name for one in first.seats] if isinstance(first, SessionStarted) else []
    if seat and seat not in seats:
        raise UsageError(f"Session {info.id} has no seat {seat!r}: it has {', '.join(seats)}.")
    return info.id


async def _list(out: CommandOutput, session: str) -> None:
    from elenchus.service.cli.session_lookup import find
    from elenchus.service.lab.access import Access

    async with context.opened() as opened:
        known = (await find(opened.log, session)).id if session else ""
        grants = await Access(opened.store).grants(known)
    out.document([_row(grant) for grant in grants])
    if not out.json:
        _table(out, grants)


def _table(out: CommandOutput, grants: Sequence[Grant]) -> None:
    if not grants:
        out.tell("There are no tokens; make one with: elenchus tokens create")
        return
    rows = [(grant.id, _what(grant), _until(grant.expires), grant.label) for grant in grants]
    if not out.console.is_terminal:
        for row in rows:
            out.line("\t".join(row))
        return
    from elenchus.service.cli.tables import WordTable

    out.show(WordTable.of(("id", "for", "until", "label"), rows))


async def _revoke(out: CommandOutput, token: str) -> None:
    from elenchus.service.lab.access import BY_ENVIRONMENT, Access

    if token == BY_ENVIRONMENT:
        raise UsageError("The token of the environment is revoked by unsetting ELENCHUS_API_TOKEN.")
    async with context.opened() as opened:
        revoked = await Access(opened.store).revoke(token)
    if not revoked:
        raise UsageError(f"No token has the id {token!r}: `elenchus tokens list` shows those there are.")
    out.document({"id": token, "revoked": True})
    if not out.json:
        out.line(f"{token} is revoked")


def _lasts(text: str) -> timedelta | None:
    """How long a token lasts, None for ever. Raises UsageError."""
    from datetime import timedelta

    if text.strip() == "never":
        return None
    if found := _TIME.fullmatch(text.strip()):
        return timedelta(**{_UNITS[found[2]]: int(found[1])})
    raise UsageError("--expires takes minutes, hours or days, as 90m, 12h or 30d, or the word never.")


def _link(settings: Settings, given: NewGrant) -> str:
    """The address that signs a browser in by this secret: of the server that runs, else of one that will."""
    from elenchus.service.cli import served_at

    web = settings.web
    address = web.public_url or served_at.address_of(settings.home) or f"http://{web.host}:{web.port}"
    return f"{address.rstrip('/')}/sign-in?link={given.secret}"


def _row(grant: Grant) -> dict[str, Any]:
    return grant.model_dump(mode="json")


def _what(grant: Grant) -> str:
    """A role with its place, in a few words."""
    once = " (link for one sign-in)" if grant.once else ""
    seat = f" {grant.seat}" if grant.seat else ""
    person = f" {grant.person}" if grant.person else ""
    place = f" of session {grant.session}" if grant.session else f" of class {grant.classroom}" * bool(grant.classroom)
    return f"{grant.role}{seat}{person}{place}{once}"


def _until(expires: datetime | None) -> str:
    return f"until {expires.astimezone():%Y-%m-%d %H:%M}" if expires else "for ever"
