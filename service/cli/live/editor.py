"""A text being typed: one line, or many lines that end with a single dot or Ctrl-D. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from elenchus.service.cli.live.keyboard import Key

END_OF_TEXT = "."
"""A line with nothing but this ends a text of many lines."""


class KeyEffect(Enum):
    """What a key did."""

    MORE = auto()
    DONE = auto()
    LEFT = auto()


@dataclass
class Editor:
    """The text and the place of the cursor in it (in characters)."""

    multiline: bool = False
    text: str = ""
    cursor: int = 0

    def press(self, key: Key) -> KeyEffect:
        """Take a key. DONE: `text` is complete; LEFT: the person left without finishing."""
        match key.name:
            case "enter":
                return self._enter()
            case "ctrl-d":
                return KeyEffect.DONE if self.multiline or self.text else KeyEffect.MORE
            case "esc":
                return KeyEffect.LEFT
            case "paste":
                self._insert(key.text if self.multiline else " ".join(key.text.split()))
            case _ if key.text:
                self._insert(key.text)
            case _:
                self._move(key.name)
        return KeyEffect.MORE

    def _enter(self) -> KeyEffect:
        if not self.multiline:
            return KeyEffect.DONE
        before = self.text[: self.cursor]
        if before.rpartition("\n")[2].strip() == END_OF_TEXT and self.cursor == len(self.text):
            self.text = before.rpartition("\n")[0]
            self.cursor = len(self.text)
            return KeyEffect.DONE
        self._insert("\n")
        return KeyEffect.MORE

    def _insert(self, text: str) -> None:
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def _move(self, name: str) -> None:
        """A key that moves the cursor, or takes text away."""
        line = self.text.rfind("\n", 0, self.cursor) + 1
        line_end = self.text.find("\n", self.cursor)
        line_end = len(self.text) if line_end < 0 else line_end
        before = self.text[line : self.cursor].rstrip()
        cuts = {
            "backspace": (max(0, self.cursor - 1), self.cursor),
            "delete": (self.cursor, self.cursor + 1),
            "ctrl-u": (line, self.cursor),
            "ctrl-w": (line + before.rfind(" ") + 1, self.cursor),
        }
        places = {
            "left": max(0, self.cursor - 1),
            "right": min(len(self.text), self.cursor + 1),
            "home": line,
            "end": line_end,
        }
        if name in cuts:
            self._cut(*cuts[name])
        elif name in places:
            self.cursor = places[name]
        elif name == "up":
            self._to_line(line - 1, self.cursor - line)
        elif name == "down":
            self._to_line(line_end + 1, self.cursor - line)

    def _to_line(self, position: int, column: int) -> None:
        """Go to the same column of the line that holds `position`."""
        if not 0 <= position <= len(self.text):
            return
        start = self.text.rfind("\n", 0, position) + 1
        end = self.text.find("\n", start)
        self.cursor = min(start + column, len(self.text) if end < 0 else end)

    def _cut(self, start: int, end: int) -> None:
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start
