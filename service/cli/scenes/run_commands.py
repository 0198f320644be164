"""`elenchus scene …` for runs: played, gone on with, registered beforehand, and counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import DefaultModel, Export, Json, SceneName, whole
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.scenes.people_commands import Approval, ConsentFile, Mode

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options
    from elenchus.service.lab.grid import GridOptions

AtOnce = Annotated[
    int | None,
    typer.Option(
        "--at-once",
        metavar="N",
        help="Runs side by side (default: half as many again as the models' providers take calls at once).",
    ),
]


def add_to(app: typer.Typer) -> None:
    """Add them to the commands of scenes."""
    app.command("run")(run)
    app.command("resume")(resume)
    app.command("results")(results)
    app.command("register")(register)


@options.with_run_options("temperature", "seed", "dry_run", "export")
def run(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    scene: SceneName,
    model: DefaultModel = "",
    subject: Annotated[
        list[str] | None,
        options.model("--subject", help="Who is the subject: provider:model, or human; once for each."),
    ] = None,
    style: Annotated[
        str, typer.Option("--style", metavar="A,B", help="How subjects decide, such as aggressive,conservative.")
    ] = "",
    condition: Annotated[
        str, options.choice("--condition", "A,B", "treatment, control", "Only these versions (default: all there are).")
    ] = "",
    n: Annotated[int, whole("-n", metavar="N", help="Runs of each combination.")] = 1,
    confederate: Annotated[str, options.model("--confederate", help="Who is the confederate.")] = "",
    moderator: Annotated[str, options.model("--moderator", help="Who is the moderator.")] = "",
    others: Annotated[str, options.model("--others", help="Everybody else, and the system agent.")] = "",
    judge: Annotated[
        list[str] | None,
        options.model("--judge", help="A judge: provider:model, or human; once for each (default: three)."),
    ] = None,
    at_once: AtOnce = None,
    pilot: Annotated[
        bool, typer.Option("--pilot", help="To try things out: `scene results` leaves these runs out.")
    ] = False,
    mode: Mode = "",
    consent: ConsentFile = None,
    ethics_approval: Approval = "",
    participant_id: Annotated[
        str,
        typer.Option(
            "--participant-id",
            metavar="ID",
            help="Who sits here, as a recruiting platform says: in the key file alone.",
        ),
    ] = "",
) -> None:
    """Play a scene: each subject, style and condition N times, side by side, and count how often the bias is seen.

    With a person (--subject human, --judge human) it is played once, here. A budget is for all runs together; the
    seed is of the whole grid, and each run has its own.
    """
    from elenchus.service.cli.launch import with_minds_here

    wanted = context.run(with_minds_here(_grid_options(locals(), how), context.settings()))
    if wanted.with_people or mode or consent or ethics_approval or participant_id:
        from elenchus.service.cli.scenes.with_people import PeopleOptions, play_with_people

        taking = PeopleOptions(mode, consent, ethics_approval, participant_id)
        raise typer.Exit(context.run(play_with_people(wanted, how, taking)))
    from elenchus.service.cli.scenes.grid_run import start_grid

    raise typer.Exit(context.run(start_grid(wanted, how)))


def _grid_options(typed: Mapping[str, Any], how: Options) -> GridOptions:
    """The options from the command's `locals()`, without blanks around them. Raises UsageError."""
    from elenchus.service.cli import checks
    from elenchus.service.lab.grid import GridOptions
    from elenchus.service.lab.options import options_of

    given = dict(how.run) | {name: typed[name] for name in ("scene", "n", "model", "at_once", "pilot")}
    given |= {name: typed[name].strip() for name in ("confederate", "moderator", "others")}
    given |= {"subjects": stripped(typed["subject"] or ()), "judges": stripped(typed["judge"] or ())}
    given |= {
        "styles": stripped(clean(typed["style"]).split(",")),
        "conditions": stripped(typed["condition"].split(",")),
    }
    return options_of(GridOptions, given, checks.option)


def stripped(words: Iterable[str]) -> list[str]:
    """The words without blanks around them, and without those that are nothing else."""
    return [word.strip() for word in words if word.strip()]


@options.with_run_options("export")
def resume(
    how: Options,
    grid: Annotated[str, typer.Argument(metavar="GRID", help="The id that `scene run` gave, or its beginning.")],
    at_once: AtOnce = None,
) -> None:
    """Go on with the runs of a scene where they stopped: only what is missing is played."""
    from elenchus.service.cli import checks
    from elenchus.service.cli.scenes.grid_run import resume_grid

    checks.in_bounds(at_once=at_once)
    raise typer.Exit(context.run(resume_grid(grid, at_once, how)))


def results(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    scene: SceneName,
    grid: Annotated[
        str, typer.Option("--grid", metavar="GRID", help="Only these runs: the id that `scene run` gave.")
    ] = "",
    since: Annotated[
        datetime | None, typer.Option("--since", metavar="DATE", help="Only sessions begun then or later (UTC).")
    ] = None,
    subject: Annotated[
        list[str] | None,
        typer.Option(
            "--subject",
            metavar="WHO",
            autocompletion=options.models,
            help="Only people, models, or a model (* for any); once for each.",
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option("--until", metavar="DATE", help="Only sessions begun before then (UTC); a day counts to its end."),
    ] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option("--condition", metavar="C", help="Only this version (* for any level); once for each."),
    ] = None,
    session: Annotated[list[str] | None, options.session("--session", help="Only this session; once for each.")] = None,
    pilots: Annotated[bool, typer.Option("--pilots", help="Count runs that were started with --pilot, too.")] = False,
    registered: Annotated[
        Path | None,
        typer.Option(
            "--registered",
            metavar="FILE",
            help="Compare with this registration (default: the one in the folder of --export, else what is kept).",
        ),
    ] = None,
    export: Export = None,
    json: Json = False,
) -> None:
    """Count what came out over all sessions of a scene, whoever ran them, here or in Discord.

    Pilots are left out. Subjects are compared each with itself, never added up. What was done otherwise than it was
    registered is listed.
    """
    from elenchus.debate_engine.protocols.rulegen.study.selection import Selection
    from elenchus.service.cli.scenes.results import show_results

    chosen = Selection(
        grid=grid.strip(),
        since=_utc(since),
        until=_utc(until + timedelta(days=1) if until and until.time() == time() else until),
        subjects=tuple(subject or ()),
        conditions=tuple(condition or ()),
        sessions=tuple(session or ()),
        pilots=pilots,
    )
    context.run(show_results(scene, chosen, export, registered, CommandOutput(json)))


def register(
    scene: SceneName,
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="Where to write it: JSON, and beside it .md for people.")
    ] = Path("registration.json"),
    json: Json = False,
) -> None:
    """Write down, before the first run, what a scene's study compares, with how many, and how it is analysed.

    It is never overwritten, and kept: whatever counts the scene later lists what was done otherwise. With --export
    `elenchus scene run` writes one by itself.
    """
    from elenchus.service.cli.scenes.results import register

    context.run(register(scene, to, CommandOutput(json)))


def _utc(at: datetime | None) -> datetime | None:
    return at.replace(tzinfo=UTC) if at and at.tzinfo is None else at
