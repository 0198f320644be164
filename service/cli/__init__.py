"""The command line: `elenchus`. `main` is the program, `app` its tree of commands."""

from __future__ import annotations

from service.cli.program import app, main

__all__ = ["app", "main"]
