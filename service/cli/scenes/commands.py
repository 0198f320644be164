"""`elenchus scene …`: scenes read, written, checked, played and counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import By, DefaultModel, Export, Json, SceneName, SessionId, whole
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.scenes import people_commands
from elenchus.service.cli.scenes.people_commands import ConsentFile, Mode, NamedScene

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options
    from elenchus.service.lab.grid import GridOptions

app = typer.Typer(
    no_args_is_help=True, help="Play scenes that elicit a bias, and count how often it is seen; write and check scenes."
)

Script = Annotated[Path, typer.Argument(metavar="FILE", help="The scene's script, a text file.")]
Bias = Annotated[
    str,
    options.bias("--bias", help="The bias it is about, where the script itself has no front matter."),
]
Assist = Annotated[
    str,
    options.model("--assist", help="Let this model decide what the script leaves open, and write its messages."),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="FILE", help="Where to write it (default: your scene folder, named after the bias)."
    ),
]
AtOnce = Annotated[
    int | None,
    typer.Option(
        "--at-once",
        metavar="N",
        help="Runs side by side (default: a quarter more than the models' providers take calls at once).",
    ),
]


@app.command("list")
def list_scenes(json: Json = False) -> None:
    """List the scenes that come with the program, and those of your own scene folder."""
    from elenchus.service.cli.scenes.scripts import list_all

    list_all(CommandOutput(json))


@app.command("show")
def show(name: NamedScene, json: Json = False) -> None:
    """Show a scene in full: its canonical form, or JSON.

    Who is to be its subject should not look: it tells what the scene is about.
    """
    from elenchus.service.cli.scenes.scripts import show

    show(name, CommandOutput(json))


@app.command("teach")
def teach(name: NamedScene, json: Json = False) -> None:
    """Show a scene's page for teachers: what to say before, what to expect, what to talk about after."""
    from elenchus.service.cli.scenes.scripts import teach

    teach(name, CommandOutput(json))


@app.command("rehearse")
def rehearse(
    name: NamedScene,
    condition: Annotated[
        str, options.choice("--condition", "A,B", "treatment, control", "Only these versions (default: all there are).")
    ] = "",
    json: Json = False,
) -> None:
    """Play each version of a scene with example answers, in seconds, and show what each role sees.

    No model and no person is asked, and nothing is kept. Who is to be the subject should not look.
    """
    from elenchus.service.cli.scenes.rehearsing import show

    show(name, _stripped(condition.split(",")), CommandOutput(json))


@app.command("new")
@options.with_run_options("seed", "dry_run")
def new(
    how: Options,
    bias: Annotated[str, options.bias("--bias", help="Which bias the scene is to elicit.")],
    model: Annotated[str, options.model("--model", help="Who writes: provider:model.")] = "",
    about: Annotated[str, typer.Option("--about", metavar="TEXT", help="The situation you wish for.")] = "",
    language: Annotated[str, typer.Option("--language", metavar="L", help="The scene's language.")] = "English",
    roles: Annotated[int, whole("--roles", metavar="N", help="How many roles.")] = 3,
    fixed: Annotated[
        bool, typer.Option("--fixed", help="Write everybody's words too, but the subject's: the same for everybody.")
    ] = False,
    save: Save = None,
) -> None:
    """Have a model write a scene that elicits a bias. Review it before it is played: `elenchus scene review FILE`."""
    from elenchus.service.cli.scenes.writing import wishes_of, write_scene

    wishes = wishes_of(bias, about, language, roles, fixed=fixed)
    raise typer.Exit(context.run(write_scene(wishes, model, save, how)))


@app.command("save")
def save(session: SessionId, save: Save = None, json: Json = False) -> None:
    """Write the scene of a finished `scene new` into a file, as after a session that was resumed."""
    from elenchus.service.cli.scenes.writing import save_scene

    raise typer.Exit(context.run(save_scene(session, save, CommandOutput(json))))


@app.command("review")
def review(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The scene's file, or its name in your scene folder.")],
    accept: Annotated[
        bool, typer.Option("--accept", help="Accept it: you have read it, and it may be played.")
    ] = False,
    by: By = "",
    json: Json = False,
) -> None:
    """Read a scene that a model wrote, with what is still to be mended, and accept it.

    Who is to be its subject should not look. At a terminal you are asked; elsewhere say --accept.
    """
    from elenchus.service.cli.scenes.scripts import review

    review(file, by, CommandOutput(json), accept=accept)


@app.command("run")
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
    ethics_approval: Annotated[
        str, typer.Option("--ethics-approval", metavar="TEXT", help="What an ethics board allowed; people are told.")
    ] = "",
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
    wanted = _grid_options(locals(), how)
    if wanted.with_people or mode or consent or ethics_approval or participant_id:
        from elenchus.service.cli.scenes.with_people import Taking, play_with_people

        taking = Taking(mode, consent, ethics_approval, participant_id)
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
    given |= {"subjects": _stripped(typed["subject"] or ()), "judges": _stripped(typed["judge"] or ())}
    given |= {
        "styles": _stripped(clean(typed["style"]).split(",")),
        "conditions": _stripped(typed["condition"].split(",")),
    }
    return options_of(GridOptions, given, checks.option)


def _stripped(words: Iterable[str]) -> list[str]:
    return [word.strip() for word in words if word.strip()]


@app.command("resume")
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


@app.command("results")
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
            help="Compare with this registration (default: that of --grid, or in the folder of --export).",
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
    from elenchus.service.cli.scenes.grid_run import show_results

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


@app.command("register")
def register(
    scene: SceneName,
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="Where to write it: JSON, and beside it .md for people.")
    ] = Path("registration.json"),
    json: Json = False,
) -> None:
    """Write down, before the first run, what a scene's study compares, with how many, and how it is analysed.

    It is never overwritten. The report lists what was done otherwise (`elenchus scene results NAME --registered FILE`).
    `elenchus scene run --export` writes one by itself.
    """
    from elenchus.service.cli.scenes.grid_run import register

    register(scene, to, CommandOutput(json))


def _utc(at: datetime | None) -> datetime | None:
    return at.replace(tzinfo=UTC) if at and at.tzinfo is None else at


@app.command("parse")
def parse(
    file: Script,
    bias: Bias = "",
    assist: Assist = "",
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE", help="Write the canonical form there, to a new file.")
    ] = None,
    json: Json = False,
) -> None:
    """Read a script however it is written, and print what is in it: the scene's canonical form, or JSON.

    What the script leaves open is guessed, and named on standard error, rule by rule. No model takes part in that;
    with --assist one decides instead, and is named with what it decided.
    """
    from elenchus.service.cli.scenes.scripts import parse

    parse(file, bias, assist, write, CommandOutput(json))


@app.command("check")
def check(file: Script, bias: Bias = "", assist: Assist = "", json: Json = False) -> None:
    """Check a scene before it is played: what is wrong on which line, and what mends it.

    A neutral twin that it names is read from the same folder, to see that only confederates differ. The exit code is 2
    where something keeps the file from being a scene. With --assist a model decides what the script leaves open, and
    says so.
    """
    from elenchus.service.cli.scenes.scripts import check

    check(file, bias, assist, CommandOutput(json))


people_commands.add_to(app)
