"""What goes on, a JSON document a line: when, how grave, what, of which session, and never a secret."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from typing import Any

from elenchus.config.addresses import HIDDEN, without_secrets
from elenchus.debate_engine.printable import json_text, printable
from elenchus.debate_engine.session_logging import CONCERNED

_CODE = re.compile(r"(/join/+)[^/?]+", re.IGNORECASE)
_LONGEST_PATH = 300


class JsonLines(logging.Formatter):
    """A line of the log as JSON. `session` is there where it concerns one; `fields` of the record are added to it."""

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


def shown_path(path: str) -> str:
    """A request's path without its query and without codes and secrets in it, shortened."""
    shown = _CODE.sub(rf"\1{HIDDEN}", without_secrets(path.partition("?")[0]))
    return printable(shown if len(shown) <= _LONGEST_PATH else f"{shown[:_LONGEST_PATH]}…")


def _harmless(text: str) -> str:
    return printable(without_secrets(text))
