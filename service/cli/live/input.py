"""What is typed at the foot of the live view: a moderator's dialog, or a person's answer to an open turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from elenchus.debate_engine.events import Event
from elenchus.debate_engine.reports.blocks import Block, Note
from elenchus.service.cli.live.dialogs import Dialog, Line, Pick, keys_for
from elenchus.service.cli.live.editor import END_OF_TEXT, Editor, KeyEffect
from elenchus.service.cli.live.keyboard import Key
from elenchus.service.cli.output import clean
from elenchus.service.cli.show.render import colour_of, headline, words
from elenchus.service.cli.show.terminal_view import TerminalView, noted
from elenchus.service.cli.turns import ASK, HELP, PASS, SCENE_HELP, WITHDRAW, OpenTurns, Turn


@dataclass
class KeyInput:
    """The keyboard's state: keys are commands, unless a dialog or an open turn takes them.

    `flash` is a word to be shown for a moment; `help` whether the keys are being explained; `aside` whether the person
    has put the open turn aside to use the keys. `closed`: a turn was answered elsewhere while the keyboard wrote into
    it, and who goes on typing must not give commands; Enter or Esc ends that. `lost` is what was typed for such a turn,
    and what else is to be told above the foot.
    """

    terminal: TerminalView
    open_turns: OpenTurns
    send: Callable[[Event], None]
    flash: str = ""
    help: bool = False
    aside: bool = False
    closed: bool = False
    lost: list[Block] = field(default_factory=list)
    _dialog: Dialog | None = None
    _asking: Pick | Line | None = None
    _line: Editor = field(default_factory=Editor)
    _answer: Editor = field(default_factory=Editor)
    _last_turn: Turn | None = None

    @property
    def turn(self) -> Turn | None:
        """The turn that the keyboard writes into."""
        return None if self.aside else self.open_turns.current

    @property
    def busy(self) -> bool:
        """Whether somebody is asked to type."""
        return self._dialog is not None or self.turn is not None

    def take_up_turn(self) -> Turn | None:
        """Take up the turn that is open now; the turn, when it is new here and is to be shown."""
        turn, before = self.open_turns.current, self._last_turn
        if before is turn:
            return None
        if before is not None:
            lost = self.unsent()
            self.lost += lost
            self.flash = "this turn was answered elsewhere; what you typed was not sent" if lost else ""
            self.closed = self._dialog is None and not self.aside
        self._last_turn, self.aside = turn, False
        if turn is None:
            return None
        self._answer = Editor(turn.field.multiline)
        if turn.shown:
            return None
        turn.shown = True
        return turn

    def unsent(self) -> list[Block]:
        """What was typed for the turn that was open last, as it is shown where it is not sent."""
        typed = self._last_turn.unsent(self._answer.text) if self._last_turn else ""
        return [Note(typed, "warn")] if typed else []

    # ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def press(self, key: Key) -> None:
        """Take a key."""
        self.flash = ""
        if self.closed:
            self.closed = key.name not in ("enter", "esc")
        elif self._dialog is not None:
            self._in_dialog(key)
        elif self.turn is not None:
            self._in_turn(self.turn, key)
        else:
            self._command(key)

    def _command(self, key: Key) -> None:
        name = {"=": "+", "_": "-"}.get(key.name, key.name).lower()
        if name == "?":
            self.help = not self.help
        elif name == "t" and self.open_turns.current:
            self.aside = False
        elif name == "q":
            leaving = "Ctrl-C pauses and leaves" if self.terminal.moderates else "Ctrl-C leaves"
            ends = [f"{key.key} {key.word}s" for key in keys_for(self.terminal) if key.word in ("withdraw", "stop")]
            self.flash = "; ".join([leaving, *ends])
        else:
            known = next((k for k in keys_for(self.terminal) if k.key == name), None)
            self.help = False
            if known:
                self._dialog = known.dialog(self.terminal, self.open_turns.by)
                self._advance(None)

    def _in_dialog(self, key: Key) -> None:
        if key.name == "esc":
            self._leave()
        elif isinstance(self._asking, Pick):
            if (chosen := self._asking.choices.get(key.name.lower())) is not None:
                self._advance(chosen)
        elif (typed := self._line.press(key)) is KeyEffect.DONE:
            self._advance(self._line.text)
        elif typed is KeyEffect.LEFT:
            self._leave()

    def _advance(self, answer: str | None) -> None:
        """Give the dialog an answer (None: begin it); send what it ends with."""
        assert self._dialog is not None
        try:
            self._asking = next(self._dialog) if answer is None else self._dialog.send(answer)
            self._line = Editor()
        except StopIteration as done:
            self._leave()
            if done.value is not None:
                self.send(done.value)
                self.flash = "" if self.terminal.sees_all else noted(done.value) or "done"

    def _leave(self) -> None:
        self._dialog = self._asking = None

    def _in_turn(self, turn: Turn, key: Key) -> None:
        if key.name == "enter" and self._said_beside():
            return
        match self._answer.press(key):
            case KeyEffect.LEFT if self.open_turns.in_scene:  # who types on must not give commands
                self.flash = f"{HELP} and Enter tells what you can type"
            case KeyEffect.LEFT:
                self.aside, self.flash = True, "put aside; t takes it up again"
            case KeyEffect.DONE:
                answer = self.open_turns.enter(self._answer.text)
                self._answer = Editor(turn.field.multiline)
                if answer:
                    self._last_turn = self.open_turns.current if self.open_turns.current is turn else None
                    self._tell_numbers()
                    self.send(answer)
            case KeyEffect.MORE if key.name == "ctrl-d":
                self.flash = "Enter ends a line, Esc puts the turn aside"

    def _tell_numbers(self) -> None:
        """Above the foot, where the next key does not take it away."""
        if self.open_turns.understood:
            self.lost.append(Note(f"read as: {self.open_turns.understood}"))

    def _said_beside(self) -> bool:
        """Send what the last line says beside the answer, whose text so far stays; whether it did.

        A line that passes is sent at once too, where it stands alone.
        """
        before, broken, line = self._answer.text.rpartition("\n")
        if not self.open_turns.is_scene_command(line):
            self._answer.multiline &= bool(broken) or not self.open_turns.is_command(line)
            return False
        self._answer.text = before + broken
        self._answer.cursor = len(self._answer.text)
        if event := self.open_turns.aside(line):
            self.send(event)
        else:
            self.lost.append(Note(SCENE_HELP))
        return True

    # ── rendering ────────────────────────────────────────────────────────────────────────────────────────────────

    def form(self, width: int, height: int) -> RenderableType:
        """What is asked, and the text so far with its cursor."""
        if isinstance(self._asking, Pick):
            choices = "   ".join(f"{key} {meaning}" for key, meaning in self._asking.choices.items())
            return Text.assemble((f"{self._asking.question}  ", "bold green"), choices)
        if isinstance(self._asking, Line):
            return _typed(self._asking.question, "", self._asking.problem, self._line, width, height)
        assert self.turn is not None, "there is something to type into"
        return self._turn_form(self.turn, width, height)

    def _turn_form(self, turn: Turn, width: int, height: int) -> RenderableType:
        asked = turn.field
        waiting = len(self.open_turns.waiting)
        alone = self.open_turns.in_scene and len(self.open_turns.seats or ()) == 1
        label = turn.label.capitalize() if alone else f"{turn.seat.upper()}, {turn.label}"
        label += f"  (1 of {waiting} open turns)" if waiting > 1 else ""
        return _typed(label, turn.hint, asked.problem, self._answer, width, height)

    def ending(self, width: int) -> Text | None:
        """How typing ends, for the foot of the view; None where keys are commands. Shorter where there is no room."""
        if self.closed:
            return Text("this turn was answered elsewhere; Enter goes on", style="bold yellow")
        if not self.busy:
            return None
        if self._dialog is not None:
            return Text("Enter sends it  Esc leaves it", style="dim")
        turn = self.turn
        many = turn is not None and turn.field.multiline
        endings = (f"a line with only {END_OF_TEXT} or Ctrl-D ends it", f"a lone {END_OF_TEXT} ends it")
        ways = [
            way.format(ending)
            for ending in (endings if many else ("Enter sends it",))
            for way in (_WAYS_IN_SCENE if self.open_turns.in_scene else _WAYS)
        ]
        return Text(next((way for way in ways if len(way) <= width), ways[-1]), style="dim")


_WAYS = (f"{{}}  {PASS} passes  Esc puts it aside",)
_WAYS_IN_SCENE = (
    f"{{}}  {ASK} …  {PASS} leaves it out  {WITHDRAW} stops  {HELP}",
    f"{{}}  {ASK} …  {PASS}  {WITHDRAW}  {HELP}",
    f"{{}}  {ASK} …  {WITHDRAW}  {HELP}",
)
"""What can be typed beside an answer, the longest first."""


WHO = "Who you are"
"""A section of a role's prompts; who plays was told once for all, when the scene began."""


def question(turn: Turn, *, heard_here: bool = False) -> RenderableType:
    """What a person is asked, for the scrollback: the material and the task.

    `heard_here`: all that the seat has heard stands above, and who it is, and is not repeated.
    """
    before = turn.decides  # nobody has been told yet whom they play
    head = "A QUESTION TO YOU" if before else f"YOUR TURN: {turn.seat.upper()}"
    parts: list[RenderableType] = [headline(head, colour_of(turn.seat))]
    debates = turn.seat in ("pro", "con")  # who has heard every speech, a few lines above
    for section in turn.ask.material:
        if heard_here and (section.policy != "keep" or section.title == WHO):
            continue
        text = last_lines(section.text) if debates else section.text
        parts.append(Padding(words(f"**{section.title}**\n\n{text}", line_by_line=not debates), (0, 0, 1, 2)))
    parts.append(Padding(Text(clean(turn.ask.asked_of_person)), (0, 0, 0, 2)))
    return Group(*parts)


def last_lines(text: str, most: int = 12) -> str:
    """The end of a long text, said to be no more than that."""
    lines = text.splitlines()
    return text if len(lines) <= most else "\n".join(["… (the beginning stands above)", "", *lines[-most:]])


def _typed(label: str, hint: str, problem: str, editor: Editor, width: int, height: int) -> RenderableType:
    head = Text.assemble((clean(label), "bold green"), (f"  {clean(hint)}" if hint else "", "dim"))
    if problem:
        head.append(f"\n{clean(problem)}", "yellow")
    marked = Text(editor.text + " ")
    marked.stylize("reverse", editor.cursor, editor.cursor + 1)
    room = max(1, height - 2)
    lines = list(marked.wrap(Console(width=width - 2), width - 2, tab_size=4))
    before = Text(editor.text[: editor.cursor] + " ").wrap(Console(width=width - 2), width - 2, tab_size=4)
    first = max(0, min(len(before) - room, len(lines) - room))
    return Group(
        head, *(Text("› " if n == 0 else "  ", style="green") + line for n, line in enumerate(lines[first:][:room]))
    )
