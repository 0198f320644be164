"""The live view on a terminal: finished things scroll up, the foot shows what is going on, keys never wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from elenchus.debate_engine.events import Event, Recorded
from elenchus.debate_engine.reports.blocks import Block
from elenchus.debate_engine.run_context import Draft
from elenchus.service.cli.console import BackgroundWriter, written_in_background
from elenchus.service.cli.displays import Send
from elenchus.service.cli.live.input import KeyInput, question
from elenchus.service.cli.live.keyboard import Key, keyboard, restore_terminal
from elenchus.service.cli.live.status import at_work, help_table, key_line, panel
from elenchus.service.cli.output import CommandOutput, clean
from elenchus.service.cli.show.render import rendered
from elenchus.service.cli.show.terminal_view import TerminalView
from elenchus.service.cli.turns import OpenTurns, Turn

FRAME = 0.2
"""Seconds between two pictures of the foot; a key is answered at once."""

_FOOT_BESIDES_WORK = 7
_FLASH = 4.0
_MOST_BACKLOG = 50_000


class LiveDisplay:
    """A `SessionDisplay` for a person at a terminal."""

    def __init__(self, out: CommandOutput, terminal: TerminalView, open_turns: OpenTurns) -> None:
        self.terminal, self.open_turns = terminal, open_turns
        self._console: Console = out.console
        self._outbox: asyncio.Queue[Event] = asyncio.Queue()
        self._typing = KeyInput(terminal, open_turns, self._outbox.put_nowait)
        self._live = Live(console=self._console, auto_refresh=False, transient=True, vertical_overflow="crop")
        self._screen: BackgroundWriter | None = None
        self._began, self._tick, self._flashed = time.monotonic(), 0, 0.0

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Inside, the foot is drawn and keys are heard; the terminal is as before afterwards."""
        try:
            with keyboard(self._pressed), written_in_background(self._console) as self._screen, self._live:
                yield
        finally:
            self._show(self._typing.unsent())

    async def serve(self, send: Send) -> None:
        """Draw the foot and pass on what was typed, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._draw())
            group.create_task(self._post(send))

    def take(self, r: Recorded) -> None:
        """Take the next event of the session."""
        self.open_turns.take(r)
        self._show(self.terminal.take(r))
        if self._attended():
            self._console.bell()

    def begin(self, recorded: Sequence[Recorded]) -> None:
        """Show what has happened before."""
        for r in recorded:
            self.open_turns.take(r)
            self._show(self.terminal.take_past(r))

    def draft(self, draft: Draft) -> None:
        """Take a piece of an answer that is being written."""
        self.terminal.draft(draft)

    def say(self, text: str) -> None:
        """Show a word at the foot for a moment."""
        self._typing.flash, self._flashed = text, time.monotonic()
        self._refresh()

    def abandon(self) -> None:
        """Give the terminal back: the program ends on the spot."""
        restore_terminal()

    # ── inside ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _show(self, items: Sequence[Block]) -> None:
        for item in items:
            self._console.print(rendered(item))

    def _attended(self) -> bool:
        """Show what is asked now, where it is new here, and what was typed for a turn that is gone."""
        turn = self._typing.take_up_turn()
        self._show(self._typing.lost)
        self._typing.lost = []
        if turn is not None:
            self._ask(turn)
        return turn is not None

    def _ask(self, turn: Turn) -> None:
        """Show what is asked; who sits here alone in a scene has all that was said to it above."""
        alone = self.open_turns.in_scene and len(self.terminal.seats_here) == 1
        self._console.print(question(turn, heard_here=alone))

    def _pressed(self, keys: Sequence[Key]) -> None:
        """Take keys that came together, and draw once: a text may be pasted as a thousand of them."""
        asked = self._typing.busy
        for key in keys:
            if asked and not self._typing.busy and key.text:
                continue  # typed or pasted beyond the end of an answer: no command
            self._typing.press(key)
            self._attended()
        self._flashed = time.monotonic()
        self._refresh()

    async def _draw(self) -> None:
        self._attended()
        while True:
            self._tick += 1
            if self._typing.flash and time.monotonic() - self._flashed > _FLASH:
                self._typing.flash = ""
            self._refresh()
            await asyncio.sleep(FRAME)

    async def _post(self, send: Send) -> None:
        while True:
            await send(await self._outbox.get())

    def _refresh(self) -> None:
        """A new picture of the foot; none while the terminal has not shown the last ones."""
        if self._screen is not None and self._screen.backlog < _MOST_BACKLOG:
            self._live.update(self._foot(), refresh=True)

    def _foot(self) -> RenderableType:
        width, height = self._console.size
        room = max(2, min(20, height - _FOOT_BESIDES_WORK - 2))
        elapsed = time.monotonic() - self._began
        return panel(self.terminal, self._work(width - 4, room), self._keys(width - 6), elapsed=elapsed, width=width)

    def _keys(self, width: int) -> Text:
        if self._typing.flash:
            return Text(clean(self._typing.flash), style="bold yellow")
        return self._typing.ending(width) or key_line(self.terminal, width)

    def _work(self, width: int, room: int) -> RenderableType:
        if self._typing.busy:
            return self._typing.form(width, room)
        if self._typing.help:
            return help_table(self.terminal)
        return at_work(self.terminal, self._tick, width, room)
