"""The commands of `elenchus mind`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elenchus.service.cli import context
from elenchus.service.cli.options import (
    By,
    Detach,
    DryRun,
    Json,
    Yes,
    choice,
    content,
    model as model_option,
    output,
    with_run_options,
)
from elenchus.service.cli.output import CommandOutput, clean

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options

PERSONS = "invented, myself or dead"

app = typer.Typer(no_args_is_help=True, help="Personas that remember what they read and change their minds by it.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the mind is called.")]
Opinions = Annotated[
    Path | None, content("--opinions", metavar="FILE", help="Opinions to be rated, one a line of a text file.")
]


@app.command("create")
@with_run_options("seed", "dry_run")
def create(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    name: Name,
    person: Annotated[
        str,
        choice(
            "--person",
            "P",
            PERSONS,
            "State who it is: invented, myself (the mind is of you) or dead (somebody who has died). Of another person "
            "who lives no mind is made.",
        ),
    ],
    character: Annotated[
        str, content("--character", metavar="LINE", help='Who it is in a line: "a retired ship\'s cook from Bergen".')
    ] = "",
    profile: Annotated[
        Path | None, content("--profile", metavar="FILE", help="A whole profile (22 attributes) as JSON or YAML.")
    ] = None,
    opinions: Opinions = None,
    model: Annotated[str, model_option("--model", help="Who it is: provider:model.")] = "",
    language: Annotated[
        str, content("--language", metavar="L", help="Of its thoughts and reasons (default: the profile's).")
    ] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="How it works, such as policy=park; once for each."),
    ] = None,
    by: By = "",
) -> None:
    """Make a persona with a mind, of a line that says who it is or of a whole profile."""
    from elenchus.service.cli.mind.creation import create_mind, options_typed

    given = {
        "name": clean(name), "person": person, "character": clean(character), "profile": profile,
        "opinions": opinions, "model": model, "language": clean(language), "settings": setting or [],
    }  # fmt: skip
    raise typer.Exit(context.run(create_mind(options_typed(given, how), by, how)))


@app.command("list")
def list_(json: Json = False) -> None:
    """List the minds, the newest first."""
    from elenchus.service.cli.mind.shown import list_minds

    context.run(list_minds(CommandOutput(json)))


@app.command("show")
def show(
    name: Name,
    at: Annotated[
        str, typer.Option("--at", metavar="WHEN", help="As of a day (2026-03-31, UTC), or after so many iterations.")
    ] = "",
    json: Json = False,
) -> None:
    """Show who it is and what it remembers, now or as of any day."""
    from elenchus.service.cli.mind.shown import show_mind

    context.run(show_mind(clean(name), clean(at), CommandOutput(json)))


@app.command("feed")
def feed(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    name: Name,
    what: Annotated[
        list[str],
        typer.Argument(metavar="WHAT...", help="Files, folders, addresses (https://…), or - for standard input."),
    ],
    title: Annotated[
        str, content("--title", metavar="T", help="What one text is called (default: its own title).")
    ] = "",
    survey: Annotated[bool, typer.Option("--survey", help="Have it rate its opinions after each text.")] = False,
    unread: Annotated[
        bool, typer.Option("--unread", help="Leave out what it has read already: to go on where feeding broke off.")
    ] = False,
    by: By = "",
    dry_run: DryRun = False,
    detach: Detach = False,
    json: Json = False,
) -> None:
    """Have it read: text, Markdown, PDF, pages of the web, short videos as JSON; of a folder each file, in order."""
    from elenchus.service.cli.mind.inputs import Feeding, InputOptions, feed_mind

    how = InputOptions(CommandOutput(json), by, dry_run, detach)
    raise typer.Exit(context.run(feed_mind(clean(name), what, clean(title), how, Feeding(survey, unread))))


@app.command("ask")
def ask(
    name: Name,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What you say to it.")],
    by: By = "",
    dry_run: DryRun = False,
    detach: Detach = False,
    json: Json = False,
) -> None:
    """Say something to it; it answers from its profile and what it remembers, and remembers that too."""
    from elenchus.service.cli.mind.inputs import InputOptions, ask_mind

    how = InputOptions(CommandOutput(json), by, dry_run, detach)
    raise typer.Exit(context.run(ask_mind(clean(name), clean(text), how)))


@app.command("survey")
def survey(
    name: Name,
    opinion: Annotated[
        list[str] | None,
        typer.Argument(metavar="OPINION...", help="What it rates (default: the opinions it was made with)."),
    ] = None,
    opinions: Opinions = None,
    by: By = "",
    dry_run: DryRun = False,
    detach: Detach = False,
    json: Json = False,
) -> None:
    """Have it rate opinions from 1 (strongly disagree) to 5 (strongly agree), with reasons and what they rest on."""
    from elenchus.service.cli.mind.inputs import InputOptions, survey_mind

    asked = [clean(one) for one in opinion or ()]
    how = InputOptions(CommandOutput(json), by, dry_run, detach)
    raise typer.Exit(context.run(survey_mind(clean(name), asked, opinions, how)))


@app.command("history")
def history(name: Name, json: Json = False) -> None:
    """Tell day by day what it read, how that changed it and why, and how its ratings moved."""
    from elenchus.service.cli.mind.shown import tell_history

    context.run(tell_history(clean(name), CommandOutput(json)))


@app.command("diff")
def diff(
    name: Name,
    since: Annotated[
        str, typer.Option("--from", metavar="WHEN", help="A day (UTC) or an iteration (default: the beginning).")
    ] = "",
    until: Annotated[
        str, typer.Option("--to", metavar="WHEN", help="A day (UTC) or an iteration (default: now).")
    ] = "",
    json: Json = False,
) -> None:
    """Tell what changed in its profile between two days or iterations, with the reasons and sentences behind it."""
    from elenchus.service.cli.mind.shown import tell_differences

    context.run(tell_differences(clean(name), clean(since), clean(until), CommandOutput(json)))


@app.command("export")
def export(
    name: Name,
    folder: Annotated[Path, output("--export", metavar="DIR", help="The folder to write to.")],
    json: Json = False,
) -> None:
    """Write its report, data and charts to a folder."""
    from elenchus.service.cli.mind.shown import export_mind

    context.run(export_mind(clean(name), folder, CommandOutput(json)))


@app.command("delete")
def delete(name: Name, yes: Yes = False, json: Json = False) -> None:
    """Delete a mind with all that it has read and remembers."""
    from elenchus.service.cli.mind.shown import delete_mind

    context.run(delete_mind(clean(name), CommandOutput(json), yes=yes))
