"""The table of commands: what the help of all says of each, and where it is, so that only the one typed is imported."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand

DEBATES, BIASES, SETTING_UP = "Debates and scores", "Biases and scenes", "Models, front ends and set-up"


class Deferred(TyperCommand):
    """A command, or a group of them, in the help and the completion of all; it is imported and built when it is typed.

    `place` is `MODULE:NAME` below `service.cli`, of a function or of a `typer.Typer`. A test holds `help` equal to
    the first paragraph that stands there.
    """

    def __init__(self, name: str, place: str, panel: str, help: str) -> None:  # noqa: A002 - as typer calls it
        super().__init__(name, help=help, rich_help_panel=panel)
        self.place = place

    @cached_property
    def built(self) -> Any:
        """The command itself, as typer builds it."""
        module, _, name = self.place.partition(":")
        found = getattr(import_module(f"elenchus.service.cli.{module}"), name)
        around = typer.Typer()
        if isinstance(found, typer.Typer):
            around.add_typer(found, name=self.name, rich_help_panel=self.rich_help_panel)
        else:
            around.command(self.name, rich_help_panel=self.rich_help_panel)(found)
        return typer.main.get_group(around).commands[self.name or ""]

    def make_context(self, *arguments: Any, **named: Any) -> Any:
        """What typer parses a command line with, and runs the command from: that of the command itself."""
        return self.built.make_context(*arguments, **named)


COMMANDS = (
    Deferred("debate", "debate:debate", DEBATES,
             "Hold a moderated debate: two sides, judges, a score for every argument, a joint proposal at the end."),
    Deferred("crit", "crit:crit", DEBATES, "Score a document's claim by its reasons and rival reasons (CRIT)."),
    Deferred("sweep", "sweep:sweep", DEBATES,
             "Have the same motion argued at several heats, and measure what changes."),
    Deferred("run", "run:run", DEBATES, "Run a protocol that an installed package brings (see CONTRIBUTING.md)."),
    Deferred("detect", "detection.commands:detect", BIASES,
             "Find the cognitive bias in a text, by debates between the suspected ones."),
    Deferred("doctor", "doctor:doctor", SETTING_UP,
             "Tell what is installed, which keys are set and servers answer, and what each front end needs."),
    Deferred("class", "class_command:class_", BIASES,
             "Have a class play a scene: one code for all, and everybody is the subject of a session of their own."),
    Deferred("serve", "serve:serve", SETTING_UP,
             "Serve debates, scenes and classes to browsers and programs, until it is interrupted."),
    Deferred("bot", "bot:bot", SETTING_UP,
             "Run the Discord bot until it is interrupted; what it had in hand goes on when it is started again."),
    Deferred("up", "up:up", SETTING_UP, "Run the server and the Discord bot in one process, over the same sessions."),
    Deferred("worker", "worker:worker", SETTING_UP,
             "Run sessions that others start, from ELENCHUS_DATABASE_URL, until it is interrupted; "
             "others go on with them then."),
    Deferred("mind", "mind.commands:app", DEBATES,
             "Personas that remember what they read and change their minds by it."),
    Deferred("sessions", "sessions.commands:app", DEBATES,
             "Look at stored sessions, resume them, and moderate running ones."),
    Deferred("scene", "scenes.commands:app", BIASES,
             "Play scenes that elicit a bias, and count how often it is seen; write and check scenes."),
    Deferred("biases", "catalogues:biases", BIASES, "Read the catalogue of cognitive biases."),
    Deferred("bench", "detection.bench_commands:bench", BIASES,
             "Measure models and methods; each run is a session that can be resumed."),
    Deferred("decision", "detection.commands:decision", BIASES,
             "Learn the weights of the referees' criteria, and measure them."),
    Deferred("cogbench", "cogbench.commands:app", BIASES,
             "Measure how personas change their minds, and how like people's that is."),
    Deferred("rldf", "rldf.commands:app", BIASES,
             "Debates scored for social bias, as data that models are trained with."),
    Deferred("models", "models:app", SETTING_UP, "List models and prices, fetch the embedded model, try one out."),
    Deferred("personas", "catalogues:personas", SETTING_UP, "Read the personas that models may speak as."),
    Deferred("tokens", "tokens:app", SETTING_UP,
             "Make, list and revoke the tokens of programs and people (elenchus serve)."),
    Deferred("cache", "detection.bench_commands:cache", SETTING_UP,
             "Look at the answers kept by the bench, or remove them."),
    Deferred("store", "store:app", SETTING_UP, "Move the sessions from one database into another."),
)  # fmt: skip
"""In the order of docs/cli.md, which is that of the help within each panel."""
