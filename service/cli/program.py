"""The tree of commands, and the one place where a command's failure becomes a message and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import typer

from elenchus.service.cli import context
from elenchus.service.cli.commands import COMMANDS

INSTALL = "--install-completion"
WRITES = """\
This writes to the shell's own files in your home folder:
  bash  ~/.bash_completions/elenchus.sh, and a line into ~/.bashrc that loads it
  zsh   ~/.zfunc/_elenchus, and lines into ~/.zshrc that load it
  fish  ~/.config/fish/completions/elenchus.fish
To read it without writing anything: elenchus --show-completion"""

app = typer.Typer(no_args_is_help=True)


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
    """The tree of commands as it parses arguments; of its commands the one is built that is typed."""
    return _tree(COMMANDS)


@lru_cache(maxsize=1)
def whole_tree() -> Any:
    """The same with every command built, for those who look at all."""
    return _tree([one.built for one in COMMANDS])


def _tree(commands: Iterable[Any]) -> Any:
    tree: Any = typer.main.get_command(app)
    for one in commands:
        tree.add_command(one)
    return tree


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
        readable = argument.encode(errors="replace").decode() == argument
        if not (readable or _is_there(argument) or _is_there(argument.partition("=")[2])):
            from elenchus.debate_engine.errors import UsageError
            from elenchus.service.cli.output import clean

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
