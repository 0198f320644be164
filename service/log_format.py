"""How a line of the log looks: as text, or as a JSON document; printable, and never with a secret.

`elenchus … --debug` writes `SHORT`, programs that run for long `WITH_TIME`, and with `--json` `JsonLines`.
"""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

from elenchus.config.addresses import without_secrets
from elenchus.debate_engine.printable import json_text, printable
from elenchus.debate_engine.session_logging import CONCERNED

SHORT = "%(levelname)s:%(name)s:%(message)s"
WITH_TIME = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def to_stderr(form: str) -> logging.Handler:
    """Writes to standard error in one of the forms of text; `setFormatter(JsonLines())` makes documents of it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextLines(form))
    return handler


class TextLines(logging.Formatter):
    """A line of the log as text, without what drives a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """As logging has it, without the passwords and keys of addresses."""
        return _harmless(super().format(record))


class JsonLines(logging.Formatter):
    """A line of the log as JSON: when (`at`), how grave (`level`), where (`logger`), what (`message`).

    `session` is there where it concerns one; `fields` of the record are added to it.
    """

    def format(self, record: logging.LogRecord) -> str:
        """One line without a line feed."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname, "logger": record.name}
        line |= {"message": _harmless(record.getMessage())}
        if session := CONCERNED.get():
            line["session"] = session
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = _harmless(self.formatException(record.exc_info))
        return json_text(line, default=str)


def _harmless(text: str) -> str:
    return printable(without_secrets(text))
