"""The commands under `elenchus bench`."""

from __future__ import annotations

import typer

from elenchus.service.cli.bench import evaluator, questions, static, unlabelled

app = typer.Typer(no_args_is_help=True, help="Measure models and methods; each run is a session that can be resumed.")
app.command("static")(static.static)
app.command("unlabelled")(unlabelled.unlabelled)
app.command("evaluator")(evaluator.evaluator)
app.command("questions")(questions.questions)
