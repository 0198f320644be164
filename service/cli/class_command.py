"""`elenchus class`: a class plays a scene at the same time, each on a phone of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import DefaultModel, Yes, whole
from elenchus.service.cli.scenes.people_commands import Approval, ConsentFile, Mode
from elenchus.service.cli.serve import Host, Lan, Port

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options
    from elenchus.service.lab.classes.new_class import ClassOptions


@options.with_run_options("seed", "dry_run", without="detach")  # the server holds it, and returns at once
def class_(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A scene's name (`scene list`), or its file; with --delete a class's id.",
            autocompletion=options.scenes,
        ),
    ],
    conditions: Annotated[
        str,
        typer.Option(
            "--conditions", "--condition", metavar="A,B", help="Only these versions (default: all there are)."
        ),
    ] = "",
    people: Annotated[int, whole("--people", metavar="N", help="How many people are expected.")] = 30,
    bots: Annotated[
        int, whole("--bots", metavar="N", help="Answering robots besides, counted apart; with --people 0 them alone.")
    ] = 0,
    slips: Annotated[
        Path | None,
        typer.Option(
            "--slips",
            metavar="FILE",
            help="A code for each person, to print: as a page (.html), else a line each. Nobody joins without one.",
        ),
    ] = None,
    host: Host = "",
    lan: Lan = False,
    port: Port = None,
    answer_minutes: Annotated[
        float | None, typer.Option("--answer-minutes", metavar="M", help="Minutes that a person has for an answer.")
    ] = None,
    hours: Annotated[float, typer.Option("--hours", metavar="H", help="After so long it is closed by itself.")] = 2.0,
    model: DefaultModel = "",
    confederate: Annotated[str, options.model("--confederate", help="Who is the confederate.")] = "",
    moderator: Annotated[str, options.model("--moderator", help="Who is the moderator.")] = "",
    others: Annotated[str, options.model("--others", help="Everybody else, and the system agent.")] = "",
    judge: Annotated[
        list[str] | None, options.model("--judge", help="A judge: provider:model; once for each (default: three).")
    ] = None,
    mode: Mode = "",
    consent: ConsentFile = None,
    ethics_approval: Approval = "",
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the class of this id, once it is over, with what was said in it.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Have a class play a scene: one code for all, and everybody is the subject of a session of their own.

    The server is started where none runs, as by `elenchus serve`. You lead the class on its page, to which the link
    that is shown signs one browser in. docs/classroom.md tells the ten minutes.
    """
    from elenchus.service.cli.class_running import ServerAddress, delete_class, hold_class

    where = ServerAddress(host, lan, port)
    if delete:
        context.confirm(f"Delete the class {name} with all that was said in it", yes=yes)
        context.run(delete_class(where, name.strip(), how.out))
        return
    context.run(hold_class(where, _class_options(locals(), how), slips, how))


def _class_options(typed: Mapping[str, Any], how: Options) -> ClassOptions:
    """The options from the command's `locals()`. Raises UsageError."""
    from elenchus.service.cli.scenes.run_commands import stripped
    from elenchus.service.lab.classes.new_class import ClassOptions
    from elenchus.service.lab.consent_file import promises, read_terms
    from elenchus.service.lab.options import options_of

    terms = read_terms(typed["consent"]) if typed["consent"] else None
    given = how.run.model_dump(exclude_unset=True) | promises(typed["mode"], terms, typed["ethics_approval"])
    given |= {name: typed[name] for name in ("people", "bots", "answer_minutes", "hours")}
    given |= {name: typed[name].strip() for name in ("confederate", "moderator", "others", "model")}
    given |= {"scene": typed["name"], "judges": stripped(typed["judge"] or ()), "slips": typed["slips"] is not None}
    given |= {"conditions": stripped(typed["conditions"].split(","))}
    return options_of(ClassOptions, given, option)


def option(field: str) -> str:
    """What an option of a class is called here."""
    from elenchus.service.cli import checks

    return "--conditions" if field == "conditions" else checks.option(field)
