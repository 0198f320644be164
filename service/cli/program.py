"""The tree of commands, and the one place where a command's failure becomes a message and an exit code."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import typer

from elenchus.debate_engine.llm.text import whole
from elenchus.service.cli import (
    bot,
    class_command,
    context,
    crit,
    debate,
    doctor,
    models,
    run as run_,
    serve,
    store,
    sweep,
    tokens,
    up,
    worker,
)
from elenchus.service.cli.catalogues import biases, personas
from elenchus.service.cli.cogbench.commands import app as cogbench
from elenchus.service.cli.detection.bench_commands import bench, cache
from elenchus.service.cli.detection.commands import decision, detect
from elenchus.service.cli.mind.commands import app as mind
from elenchus.service.cli.output import clean
from elenchus.service.cli.rldf.commands import app as rldf
from elenchus.service.cli.scenes import commands as scenes
from elenchus.service.cli.sessions import commands as sessions

DEBATES, BIASES, SETTING_UP = "Debates and scores", "Biases and scenes", "Models, front ends and set-up"

INSTALL = "--install-completion"
WRITES = """\
This writes to the shell's own files in your home folder:
  bash  ~/.bash_completions/elenchus.sh, and a line into ~/.bashrc that loads it
  zsh   ~/.zfunc/_elenchus, and lines into ~/.zshrc that load it
  fish  ~/.config/fish/completions/elenchus.fish
To read it without writing anything: elenchus --show-completion"""

app = typer.Typer(no_args_is_help=True)
app.command("debate", rich_help_panel=DEBATES)(debate.debate)
app.command("crit", rich_help_panel=DEBATES)(crit.crit)
app.command("sweep", rich_help_panel=DEBATES)(sweep.sweep)
app.command("run", rich_help_panel=DEBATES)(run_.run)
app.add_typer(mind, name="mind", rich_help_panel=DEBATES)
app.add_typer(sessions.app, name="sessions", rich_help_panel=DEBATES)
app.add_typer(scenes.app, name="scene", rich_help_panel=BIASES)
app.command("detect", rich_help_panel=BIASES)(detect)
app.add_typer(biases, name="biases", rich_help_panel=BIASES)
app.add_typer(bench, name="bench", rich_help_panel=BIASES)
app.add_typer(decision, name="decision", rich_help_panel=BIASES)
app.add_typer(cogbench, name="cogbench", rich_help_panel=BIASES)
app.add_typer(rldf, name="rldf", rich_help_panel=BIASES)
app.command("doctor", rich_help_panel=SETTING_UP)(doctor.doctor)
app.add_typer(models.app, name="models", rich_help_panel=SETTING_UP)
app.add_typer(personas, name="personas", rich_help_panel=SETTING_UP)
app.command("class", rich_help_panel=BIASES)(class_command.class_)
app.command("serve", rich_help_panel=SETTING_UP)(serve.serve)
app.command("bot", rich_help_panel=SETTING_UP)(bot.bot)
app.command("up", rich_help_panel=SETTING_UP)(up.up)
app.command("worker", rich_help_panel=SETTING_UP)(worker.worker)
app.add_typer(tokens.app, name="tokens", rich_help_panel=SETTING_UP)
app.add_typer(cache, name="cache", rich_help_panel=SETTING_UP)
app.add_typer(store.app, name="store", rich_help_panel=SETTING_UP)


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
        from elenchus.service import log_format

        logging.basicConfig(level=logging.DEBUG, handlers=[log_format.to_stderr(log_format.SHORT)])
    else:
        logging.getLogger().addHandler(logging.NullHandler())


@lru_cache(maxsize=1)
def command() -> Any:
    """The tree of commands as it parses arguments, built once: that takes longer than most commands do."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the program `elenchus`."""
    _keep_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what a terminal cannot show is spelt out, and no reason to fail
            stream.reconfigure(errors="backslashreplace")
    context.leave(run(sys.argv[1:]))


def _keep_standard_streams() -> None:
    """Put nothing where a standard stream is closed (`>&-`, a scheduler): else the next file that is opened, the
    database say, would take its number.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            taken = os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is the stream's
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(taken, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - as long as we run


def run(arguments: list[str]) -> int:
    """Run one command; the exit code. Nothing of an error escapes: see `failures`."""
    try:
        _refuse_what_is_no_text(arguments)
        if INSTALL in arguments:
            sys.stderr.write(f"{WRITES}\n")  # typer itself names one of the files, afterwards
        result = command()(arguments, prog_name="elenchus", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        return _nobody_reads()
    except SystemExit as left:  # typer makes one with a code of a broken pipe
        return _nobody_reads() if left.code else 0
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - this is where every failure is told
        return _failed(error, arguments)
    return result if isinstance(result, int) else 0


def _refuse_what_is_no_text(arguments: list[str]) -> None:
    """Raises UsageError for words in another encoding than the terminal's, which lack letters; a file's name may."""
    for argument in arguments:
        if not (whole(argument) == argument or _is_there(argument) or _is_there(argument.partition("=")[2])):
            from elenchus.debate_engine.errors import UsageError

            shown = clean(argument)
            raise UsageError(f"“{shown}” holds bytes that are no UTF-8: set the terminal to UTF-8 and type it again.")


def _is_there(path: str) -> bool:
    with suppress(OSError, ValueError):
        return bool(path) and Path(path).exists()
    return False


def _failed(error: BaseException, arguments: list[str]) -> int:
    from elenchus.service.cli import failures

    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(f"{error}\n")
        return failures.USAGE
    try:
        return failures.report(error, arguments)
    except BrokenPipeError:
        return _nobody_reads()


def _nobody_reads() -> int:
    """Whoever read standard output has left (`elenchus … | head`), which interrupts the command."""
    from elenchus.service.cli import failures

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return failures.PAUSED
