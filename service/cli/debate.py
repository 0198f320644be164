"""`elenchus debate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elenchus.service.cli import context, options
from elenchus.service.cli.options import DefaultModel, content, procedure, seating, whole_number
from elenchus.service.cli.output import clean

if TYPE_CHECKING:
    from elenchus.service.cli.launch import Options
    from elenchus.service.lab.options import DebateOptions


@options.with_run_options("temperature", "seed", "dry_run", "export")
def debate(  # noqa: PLR0913, PLR0917 - typer reads the options from the signature
    how: Options,
    motion: Annotated[str, typer.Argument(metavar="MOTION", help="What is debated, in quotes.")],
    open_question: Annotated[
        bool,
        content("--open-question", help="The motion is a question: each side holds an answer of its own."),
    ] = False,
    brief: Annotated[Path | None, content("--brief", metavar="FILE", help="Facts that both sides get.")] = None,
    model: DefaultModel = "",
    pro: Annotated[
        str,
        seating("--pro", help="Who argues for it: model, persona or person."),
    ] = "",
    con: Annotated[str, seating("--con", help="Who argues against it.")] = "",
    judge: Annotated[
        list[str] | None,
        seating("--judge", help="A judge; give it once for each (default: three)."),
    ] = None,
    crit: Annotated[
        str,
        seating("--crit", help="Who scores the arguments (default: the first model that judges)."),
    ] = "",
    topics: Annotated[
        int, content("--topics", metavar="K", parser=whole_number, help="Topics of the agenda, 1 to 10.")
    ] = 5,
    words: Annotated[
        int,
        content("--words", metavar="W", parser=whole_number, help="Words of a speech on each topic, 20 to 400."),
    ] = 80,
    speech_words: Annotated[
        int | None,
        content(
            "--speech-words",
            metavar="N",
            parser=whole_number,
            help="Words of a person's speech at the most (20 and up).",
        ),
    ] = None,
    max_rounds: Annotated[
        int,
        procedure(
            "--max-rounds", metavar="N", parser=whole_number, help="Rounds of refutation at the most; 0: no limit."
        ),
    ] = 5,
    heat: Annotated[float, procedure("--heat", help="Contentiousness at the opening, 0 to 1.")] = 0.9,
    decay: Annotated[float, procedure("--decay", help="The heat is divided by this before each round.")] = 1.2,
    floor: Annotated[float, procedure("--floor", help="The rounds end when the heat is down to this.")] = 0.1,
    stop: Annotated[
        str,
        procedure(
            "--stop",
            metavar="RULE",
            autocompletion=options.one_of("noise or paper"),
            help="When falling quality ends the rounds: noise (beyond its noise, or twice running), paper (any fall).",
        ),
    ] = "noise",
    simultaneous: Annotated[
        bool,
        procedure("--simultaneous", help="Both sides refute at once, not con after pro."),
    ] = False,
    coach: Annotated[
        bool,
        procedure("--coach", help="After each round each side is asked to deepen its weakest reason."),
    ] = False,
    agenda: Annotated[
        Path | None,
        content("--agenda", metavar="FILE", help="Topics by hand: a Markdown, YAML or JSON list of 'A vs. B: scope'."),
    ] = None,
    approve_agenda: Annotated[
        bool,
        content("--approve-agenda", help="You approve, reorder or strike the topics first."),
    ] = False,
    compare_qa: Annotated[
        bool,
        procedure("--compare-qa", help="Judges compare the debate with one model's plain answer."),
    ] = False,
    vote_seconds: Annotated[
        float | None,
        procedure(
            "--vote-seconds", metavar="S", help="Wait so long for the audience's votes before and after the debate."
        ),
    ] = None,
    language: Annotated[
        str,
        content("--language", metavar="L", help="Of speeches, scores and judges (default: the motion's)."),
    ] = "",
) -> None:
    """Hold a moderated debate: two sides, judges, a score for every argument, a joint proposal at the end.

    SPEC is openai:MODEL, anthropic:MODEL, gemini:MODEL, local:smollm2-135m, local:/path/x.gguf or your SERVER:MODEL.

    Or it is human, which is you at this terminal, or human:NAME, who uses `elenchus sessions answer`.

    Seats not named: --model, ELENCHUS_MODEL, models.yaml, a vendor with a key, your own server, the embedded model.

    Ctrl-C pauses; the command that resumes is printed.
    """
    typed = {name: value for name, value in locals().items() if name not in ("how", "model")}
    from elenchus.service.cli.launch import launch_from

    raise typer.Exit(context.run(launch_from(_options(typed), how, model)))


def _options(typed: dict[str, Any]) -> DebateOptions:
    """The options as they are said to any front end, files read. Raises UsageError."""
    from elenchus.config.documents import read_text
    from elenchus.service.cli import checks
    from elenchus.service.cli.text_file import agenda_of
    from elenchus.service.lab.options import LONGEST_BRIEF, DebateOptions, options_of

    brief, agenda, judges = (typed.pop(name) for name in ("brief", "agenda", "judge"))
    read = {
        "motion": clean(typed["motion"]),
        "language": clean(typed["language"]),
        "brief": read_text(brief, LONGEST_BRIEF, "brief") if brief else "",
        "agenda": agenda_of(agenda) if agenda else (),
        "judges": judges,
    }
    return options_of(DebateOptions, {**typed, **read}, checks.option)
