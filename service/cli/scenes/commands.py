"""`elenchus scene …`: scenes read, written, checked and rehearsed; with runs and people added."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import By, Json, SessionId, whole
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.scenes import people_commands, run_commands
from elenchus.service.cli.scenes.people_commands import Approval, ConsentFile, Mode, NamedScene
from elenchus.service.cli.scenes.run_commands import stripped

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

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


@app.command("list")
def list_scenes(json: Json = False) -> None:
    """List the scenes that come with the program, and those of your own scene folder."""
    from elenchus.service.cli.scenes.listing import list_all

    list_all(CommandOutput(json))


@app.command("show")
def show(name: NamedScene, json: Json = False) -> None:
    """Show a scene in full: its canonical form, or JSON.

    Who is to be its subject should not look: it tells what the scene is about.
    """
    from elenchus.service.cli.scenes.listing import show

    show(name, CommandOutput(json))


@app.command("teach")
def teach(name: NamedScene, json: Json = False) -> None:
    """Show a scene's page for teachers: what to say before, what to expect, what to talk about after."""
    from elenchus.service.cli.scenes.listing import teach

    teach(name, CommandOutput(json))


@app.command("rehearse")
def rehearse(
    name: NamedScene,
    condition: Annotated[
        str, options.choice("--condition", "A,B", "treatment, control", "Only these versions (default: all there are).")
    ] = "",
    mode: Mode = "",
    consent: ConsentFile = None,
    ethics_approval: Approval = "",
    others: Annotated[str, options.model("--others", help="The model that is to play beside people.")] = "",
    json: Json = False,
) -> None:
    """Play each version of a scene with example answers, in seconds, and show what each role sees.

    No model and no person is asked, and nothing is kept. Who is to be the subject should not look. The consent is the
    one that people read when it is run with the same options.
    """
    from elenchus.service.cli.scenes.rehearse_command import show
    from elenchus.service.lab.consent_file import promises, read_terms

    promised = promises(mode, read_terms(consent) if consent else None, ethics_approval)
    show(name, stripped(condition.split(",")), promised, others.strip(), CommandOutput(json))


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


run_commands.add_to(app)


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
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scene's script, or the name of a scene there is.")],
    bias: Bias = "",
    assist: Assist = "",
    json: Json = False,
) -> None:
    """Check a scene before it is played: what is wrong on which line, and what mends it.

    A neutral twin that it names is read from the same folder, to see that only confederates differ. The exit code is 2
    where something keeps the file from being a scene. With --assist a model decides what the script leaves open, and
    says so.
    """
    from elenchus.service.cli.scenes.scripts import check

    check(file, bias, assist, CommandOutput(json))


people_commands.add_to(app)
