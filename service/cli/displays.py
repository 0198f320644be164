"""What shows a running session: live on a terminal, in plain lines elsewhere."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from typing import Any, Protocol

from elenchus.debate_engine.events import Event, Recorded, SessionStarted
from elenchus.debate_engine.human_seat import HUMAN, is_human
from elenchus.debate_engine.reports.blocks import Block
from elenchus.debate_engine.reports.view import SessionView
from elenchus.debate_engine.run_context import Draft
from elenchus.service.cli.console import written_in_background
from elenchus.service.cli.live.editor import END_OF_TEXT
from elenchus.service.cli.live.keyboard import is_interactive
from elenchus.service.cli.output import CommandOutput
from elenchus.service.cli.show import plain
from elenchus.service.cli.show.terminal_view import MODERATOR, TerminalView
from elenchus.service.cli.turns import PASS, SCENE_HELP, OpenTurns, Turn

Send = Callable[[Event], Awaitable[Any]]
"""Appends an event to the session from outside."""


class SessionDisplay(Protocol):
    """Shows a session and listens to the people at this terminal."""

    terminal: TerminalView
    open_turns: OpenTurns

    def opened(self) -> Any:
        """A context manager: inside, the terminal belongs to the display."""
        ...

    async def serve(self, send: Send) -> None:
        """Listen to the people here and send what they say, until cancelled."""
        ...

    def begin(self, recorded: Sequence[Recorded]) -> None:
        """Show what has happened before."""
        ...

    def take(self, r: Recorded) -> None:
        """Take the next event."""
        ...

    def draft(self, draft: Draft) -> None:
        """Take a piece of an answer that is being written."""
        ...

    def say(self, text: str) -> None:
        """Tell the person something on the side."""
        ...

    def abandon(self) -> None:
        """Give the terminal back: the program ends on the spot."""
        ...


def seats_here(started: SessionStarted) -> frozenset[str]:
    """The seats of the person at this terminal: `human`. Somebody called `human:NAME` sits elsewhere."""
    return frozenset(seat.name for seat in started.seats if seat.spec == HUMAN)


def people_in(started: SessionStarted) -> frozenset[str]:
    """The seats of all people, wherever they sit."""
    return frozenset(seat.name for seat in started.seats if is_human(seat.spec))


def display_of(out: CommandOutput, session_id: str, here: frozenset[str], by: str = "") -> SessionDisplay:
    """The display for a session with these seats at this terminal; `by` is the name of who sits there.

    Who sits on a debater's or a judge's seat gets that seat's view; the moderator's view is for everyone else.
    """
    return display_for(out, TerminalView(session_id, here - {MODERATOR}, SessionView(session_id)), OpenTurns(here, by))


def display_for(out: CommandOutput, terminal: TerminalView, open_turns: OpenTurns) -> SessionDisplay:
    """The live view where a person sits at a terminal, plain lines elsewhere and beside a JSON document."""
    if not out.json and is_interactive() and not out.console.is_dumb_terminal:
        from elenchus.service.cli.live.display import LiveDisplay

        return LiveDisplay(out, terminal, open_turns)
    return PlainDisplay(out, terminal, open_turns)


class PlainDisplay:
    """Lines as they come; people type lines."""

    def __init__(self, out: CommandOutput, terminal: TerminalView, open_turns: OpenTurns) -> None:
        self.terminal, self.open_turns, self._out = terminal, open_turns, out
        self._turns = asyncio.Event()
        self._input_ended = False
        self._awaited: list[str] = []

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Inside, a reader who is slow holds up nothing."""
        with written_in_background(self._out.console):
            yield
        turn = self.open_turns.current
        if turn is not None and (typed := turn.unsent("\n".join(turn.lines))):
            self._out.tell(typed)

    async def serve(self, send: Send) -> None:
        """Read answers of the people here from standard input, where there are any; when it has ended they pass.

        In a session that runs elsewhere they pass nothing: this ends where a turn is open then.
        """
        if self.open_turns.seats is not None and not self.open_turns.seats:
            return
        async with aclosing(typed_lines()) as lines:
            async for line in lines:
                if self.open_turns.current is None and self.open_turns.is_scene_command(line):
                    await self._beside(line, send)
                    continue
                await self._open_turn()
                await self._typed(line, send)
        if self.open_turns.current and self.open_turns.current.lines:
            await self._typed(END_OF_TEXT, send)
        if nobody_types():
            self._input_ended = True
            self._ask()
            return
        turn = await self._open_turn()
        while not self.open_turns.elsewhere:
            self.say(f"the input has ended, so {turn.seat} passes")
            if (passed := self.open_turns.enter(f"{PASS} the input has ended")) is not None:
                await send(passed)
            turn = await self._open_turn()

    async def _open_turn(self) -> Turn:
        """The turn that is to be answered here, once there is one."""
        while (turn := self.open_turns.current) is None:
            self._turns.clear()
            await self._turns.wait()
        return turn

    async def _typed(self, line: str, send: Send) -> None:
        if self.open_turns.is_scene_command(line):
            await self._beside(line, send)
            return
        turn = self.open_turns.current
        assert turn is not None
        if turn.field.multiline and line != END_OF_TEXT and not self.open_turns.is_command(line):
            turn.lines.append(line)
            return
        text = "\n".join(turn.lines) if turn.field.multiline and not self.open_turns.is_command(line) else line
        turn.lines.clear()
        if (answer := self.open_turns.enter(text)) is not None:
            if self.open_turns.understood:
                self.say(f"read as: {self.open_turns.understood}")
            await send(answer)
        self._ask()

    async def _beside(self, line: str, send: Send) -> None:
        if (event := self.open_turns.aside(line)) is not None:
            await send(event)
        else:
            self.say(SCENE_HELP)

    def begin(self, recorded: Sequence[Recorded]) -> None:
        """Show what has happened before."""
        for r in recorded:
            self.open_turns.take(r)
            self._show(self.terminal.take_past(r))
        if self.open_turns.in_scene and self.open_turns.seats:
            self._out.line(SCENE_HELP)
        self._ask()

    def take(self, r: Recorded) -> None:
        """Take the next event."""
        self.open_turns.take(r)
        self._show(self.terminal.take(r))
        if self.terminal.remaining and (news := self.terminal.remaining.news(self.terminal.answered)):
            self._out.tell(news)
        self._ask()

    def draft(self, draft: Draft) -> None:
        """Drafts are not shown: a line cannot be taken back."""

    def say(self, text: str) -> None:
        """Tell the person something on the side."""
        self._out.tell(text)

    def abandon(self) -> None:
        """Nothing is to be given back."""

    def _show(self, items: Sequence[Block]) -> None:
        for item in items:
            for line in plain.lines(item):
                self._out.line(line)

    def _ask(self) -> None:
        """Show the turn that waits here, once, and each of its fields; tell once who is waited for elsewhere."""
        before, self._awaited = self._awaited, self.terminal.awaited()
        for line in self._awaited:
            if line not in before:
                self.say(line)
        turn = self.open_turns.current
        if turn is None:
            return
        self._turns.set()
        if not turn.shown:
            turn.shown = True
            self._out.line(f"[your turn: {turn.seat}]\n{turn.ask.text_for_person}\n")
        if turn.prompted != (prompt := prompt_of(turn)):
            turn.prompted = prompt
            self._out.line(prompt)
            if self._input_ended:
                self.say(f"no more input here; answer with: elenchus sessions answer {self.terminal.session_id}")


def prompt_of(turn: Turn) -> str:
    """What is to be typed now."""
    f = turn.field
    ending = f" (end with a line that holds only {END_OF_TEXT}; {PASS} passes)" if f.multiline else ""
    problem = f"{f.problem}: " if f.problem else ""
    return f"> {problem}{turn.label}{' ' + turn.hint if turn.hint else ''}{ending}"


def nobody_types() -> bool:
    """Whether there is no input here from the start, as behind `nohup` or `&`: who sits here may answer elsewhere."""
    if sys.stdin is None:
        return True
    try:
        return stat.S_ISCHR(os.fstat(sys.stdin.fileno()).st_mode) and not sys.stdin.isatty()
    except (OSError, ValueError):  # something in the place of a file, as in a program that runs us within itself
        return False


async def typed_lines() -> AsyncGenerator[str]:
    """Lines of standard input, without keeping the event loop waiting; ends at the end of input."""
    if sys.stdin is None:
        return
    loop, file = asyncio.get_running_loop(), sys.stdin.fileno()
    pieces: asyncio.Queue[bytes] = asyncio.Queue()

    def take() -> None:
        """Read what is there: at once, since a later read might find it taken already, and would wait."""
        try:
            pieces.put_nowait(data := os.read(file, 65536))
        except OSError:  # the terminal has gone
            pieces.put_nowait(data := b"")
        if not data:
            loop.remove_reader(file)

    try:
        loop.add_reader(file, take)
    except (PermissionError, ValueError, OSError):  # a regular file is always ready
        for line in (await asyncio.to_thread(sys.stdin.read)).splitlines():
            yield line
        return
    rest = b""
    try:
        while data := await pieces.get():
            *whole, rest = (rest + data).split(b"\n")
            for piece in whole:
                yield piece.decode("utf-8", "replace").rstrip("\r")
    finally:
        loop.remove_reader(file)
    if rest:
        yield rest.decode("utf-8", "replace")
