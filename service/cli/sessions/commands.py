"""The commands under `elenchus sessions`."""

from __future__ import annotations

import typer

from elenchus.service.cli.sessions import controls, keeping, people, reading, resuming

app = typer.Typer(no_args_is_help=True, help="Look at stored sessions, resume them, and moderate running ones.")
app.command("list")(reading.list_sessions)
app.command("show")(reading.show)
app.command("resume")(resuming.resume)
app.command("export")(keeping.export)
app.command("import")(keeping.import_)
app.command("delete")(keeping.delete)
app.command("pause")(controls.pause)
app.command("heat")(controls.heat)
app.command("guide")(controls.guide)
app.command("ask")(controls.ask)
app.command("deepen")(controls.deepen)
app.command("round")(controls.one_more_round)
app.command("close")(controls.close)
app.command("stop")(controls.stop)
app.command("budget")(controls.budget)
app.command("answer")(people.answer)
app.command("vote")(people.vote)
app.command("forget")(people.forget)
