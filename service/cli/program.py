"""The tree of commands, and the one place where a command's failure becomes a message and an exit code."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from service.cli import biases, bot, cache, context, crit, debate, decision, detect, doctor, models, personas, sweep
from service.cli.bench import commands as bench
from service.cli.scenes import commands as scenes
from service.cli.sessions import commands as sessions

app = typer.Typer(no_args_is_help=True, add_completion=False)
app.command("debate")(debate.debate)
app.command("crit")(crit.crit)
app.command("sweep")(sweep.sweep)
app.command("detect")(detect.detect)
app.add_typer(sessions.app, name="sessions")
app.add_typer(scenes.app, name="scene")
app.add_typer(models.app, name="models")
app.add_typer(biases.app, name="biases")
app.add_typer(personas.app, name="personas")
app.add_typer(decision.app, name="decision")
app.add_typer(bench.app, name="bench")
app.add_typer(cache.app, name="cache")
app.command("bot")(bot.bot)
app.command("doctor")(doctor.doctor)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"elenchus {version('elenchus')}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Tell on standard error what goes on inside.")] = False,
) -> None:
    """A laboratory for moderated debate between language models and people."""
    import logging

    if debug:
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    else:
        logging.getLogger().addHandler(logging.NullHandler())


def main() -> None:
    """Run the program `elenchus`."""
    _end_on_signals()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what a terminal cannot show is spelt out, and no reason to fail
            stream.reconfigure(errors="backslashreplace")
    context.leave(run(sys.argv[1:]))


def _end_on_signals() -> None:
    """SIGTERM and SIGHUP end the program as Ctrl-C does; what is ignored (`nohup`) stays so."""
    import signal

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def run(arguments: list[str]) -> int:
    """Run one command; the exit code. Nothing of an error escapes: see `failures`."""
    try:
        result = app(arguments, prog_name="elenchus", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _nobody_reads()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - this is where every failure is told
        return _failed(error, arguments)
    return result if isinstance(result, int) else 0


def _failed(error: BaseException, arguments: list[str]) -> int:
    from service.cli import failures

    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(f"{error}\n")
        return failures.USAGE
    try:
        return failures.report(error, as_json="--json" in arguments)
    except BrokenPipeError:
        return _nobody_reads()


def _nobody_reads() -> int:
    """Whoever read standard output has left (`elenchus … | head`)."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
