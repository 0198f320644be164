"""The foot of the live view: where the debate stands, who is at work, what may be pressed. Pure rendering."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from elenchus.debate_engine.protocols.presentation import RoundProgress
from elenchus.debate_engine.reports.said import model_of
from elenchus.debate_engine.reports.spending import CallUsage
from elenchus.debate_engine.reports.words import dollars, number
from elenchus.service.cli.live.dialogs import KeyHelp, keys_for
from elenchus.service.cli.output import clean
from elenchus.service.cli.progress import in_words
from elenchus.service.cli.show.render import colour_of, heat_bar, sparkline, tone_of
from elenchus.service.cli.show.terminal_view import Activity, TerminalView

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
OTHERS = "the others are thinking or speaking, not always to you; you are asked when it is your turn"
DEBRIEFED = "it is over for you; judges read what was said, and nobody need wait for them here"
PAUSE = "a pause, until whoever runs the scene lets it go on; you may also withdraw"
"""What a person in a scene waits for."""

_DRAFT_LINES = 8
_GAP = Text("  ")


def panel(terminal: TerminalView, work: RenderableType, keys: Text, *, elapsed: float, width: int) -> RenderableType:
    """The whole foot. `work` is what is going on, or what a person is asked; `elapsed` is seconds."""
    head: list[RenderableType] = [_progress(terminal, elapsed, width - 4)]
    if standing := terminal.moderated.standing:
        head.append(_measures(terminal, standing, width - 4))
    if not terminal.is_played_here:
        head.append(_spent(terminal, width - 4))
    title = Text(shortened(clean(terminal.view.title), width - 8), style="bold")
    return Panel(
        Group(*head, Rule(style="bright_black"), work),
        title=title,
        title_align="left",
        subtitle=keys,
        subtitle_align="left",
        box=box.ROUNDED,
        border_style="yellow" if terminal.paused else "bright_black",
        width=width,
        padding=(0, 1),
    )


# ── where it stands ──────────────────────────────────────────────────────────────────────────────────────────────


def _progress(terminal: TerminalView, elapsed: float, width: int) -> RenderableType:
    clock = Text(f"{terminal.session_id}  {minutes(elapsed)}", style="dim")
    if terminal.paused:
        why = clean(terminal.view.pause_reason).removeprefix("paused ")
        return _ends(Text(f"‖ PAUSED  {why}", style="bold yellow"), clock)
    return _ends(stages(terminal, width - cell_len(clock.plain) - 2), clock)


def stages(terminal: TerminalView, width: int) -> Text:
    """The parts of the session: those done, the one that runs, those to come. Where there is no room for all,
    the one that runs stays.
    """
    if terminal.is_played_here:
        return Text("the scene", style="bold")
    if (standing := terminal.moderated.standing) is None:
        calls = terminal.answered
        text = Text(f"{terminal.view.spec.kind}: {counted(calls, 'call')} answered", style="bold")
        if terminal.remaining and (left := terminal.remaining.seconds(calls)) is not None:
            text.append(f", about {in_words(left)} left", "dim")
        return text
    names, at = standing.stages, standing.at
    now = f"{names[at]}/{standing.of}" if standing.of else names[at]
    parts = [Text(f"✓ {name}", style="green") for name in names[:at]] + [Text(f"▸ {now}", style="bold")]
    while len(parts) > 1 and _GAP.join(parts).cell_len > width:
        del parts[0]
    for name in names[at + 1 :]:
        if _GAP.join([*parts, Text(name)]).cell_len > width:
            break
        parts.append(Text(name, style="bright_black"))
    return _GAP.join(parts)


def _measures(terminal: TerminalView, standing: RoundProgress, width: int) -> RenderableType:
    heat = terminal.heat_now()
    score = _score(standing) if terminal.sees_all else Text()
    left = Text("heat ", style="dim")
    if heat is not None:
        coming = terminal.moderated.next_turn if terminal.moderated.wanted_heat is not None else None
        wanted = Text(f" → {coming.heat:.2f}" if coming else "", style="green")
        room = width - score.cell_len - wanted.cell_len - len("heat  0.00  ")
        left.append_text(heat_bar(heat, max(3, min(16, room))))
        if width >= 100:
            left.append(f"  {tone_of(heat)}", "dim")
        whole = f"  next turn {coming.scheduled:.2f} → {coming.heat:.2f}" if coming else ""
        if left.cell_len + len(whole) + 2 + score.cell_len <= width:
            wanted = Text(whole, style="green")
        left.append_text(wanted)
    return _ends(left, score)


def _score(standing: RoundProgress) -> Text:
    """Γ so far with its course."""
    if not standing.qualities:
        return Text("Γ –", style="bright_black")
    known = [gamma for gamma in standing.qualities if gamma is not None]
    text = Text.assemble(("Γ ", "dim"), (number(known[-1] if known else None), "bold blue"))
    text.append(f" {sparkline(standing.qualities)}", "blue")
    if len(known) > 1:
        delta = known[-1] - known[-2]
        text.append(
            f" {'▲' if delta > 0 else '▼' if delta < 0 else '='}{abs(delta):.1f}", "green" if delta >= 0 else "red"
        )
    return text


def _spent(terminal: TerminalView, width: int) -> RenderableType:
    """Calls, tokens and money, and how much of the budget is used."""
    total = terminal.view.spending.total
    used = total.tokens.input_tokens + total.tokens.output_tokens
    standing = terminal.moderated.standing if terminal.sees_all else None
    limits, rulings = Text(), Text(standing.progress if standing else "", style="dim")
    if terminal.moderated.most_tokens:
        limits.append(
            f"  budget {used / terminal.moderated.most_tokens:.0%}",
            "yellow" if used > 0.8 * terminal.moderated.most_tokens else "dim",
        )
    if terminal.moderated.most_usd:
        share = total.share_of(
            terminal.moderated.most_usd, terminal.view.started.unpriced_usd if terminal.view.started else None
        )
        much = total.known_usd > 0.8 * terminal.moderated.most_usd
        limits.append(
            f"  budget {f'{share} of ' if share else ''}{dollars(terminal.moderated.most_usd)}",
            "yellow" if much else "dim",
        )
    spent = [money(total), f"{short_count(used)} tokens", counted(total.calls, "call")]
    while len(spent) > 1 and cell_len(" · ".join(spent)) + limits.cell_len + rulings.cell_len + 1 > width:
        spent.pop()
    return _ends(Text(" · ".join(reversed(spent)), style="dim").append_text(limits), rulings)


def money(use: CallUsage) -> str:
    """What was spent, as far as prices are known."""
    if use.usd is None:
        return "price unknown" if use.calls else "$0"
    dollars = f"${use.usd:.4f}" if use.usd else "$0"
    return f"{dollars} + {use.unpriced} calls without a price" if use.unpriced else dollars


# ── who is at work ───────────────────────────────────────────────────────────────────────────────────────────────


def at_work(terminal: TerminalView, tick: int, width: int, height: int) -> RenderableType:
    """Speeches as they are written, and in one line each what the others do."""
    going_on = terminal.visible_activity()
    awaited = [Text(clean(line), style="yellow") for line in terminal.awaited()]
    if not going_on and not awaited:
        if terminal.is_played_here:
            waiting = PAUSE if terminal.paused else DEBRIEFED if terminal.debriefed else OTHERS
            return Text(f"{SPINNER[tick % len(SPINNER)]} {waiting}", style="bright_black")
        if terminal.paused:
            lets = "p lets it, or elenchus sessions resume" if terminal.moderates else "the moderator lets it"
            return Text(f"nothing goes on until {lets}", style="bright_black")
        return Text(f"{SPINNER[tick % len(SPINNER)]} …", style="bright_black")
    speeches = [a for a in going_on if terminal.view.spec.is_draft(a.step)]
    others = [a for a in going_on if not terminal.view.spec.is_draft(a.step)]
    share = max(2, min(_DRAFT_LINES, (height - len(others) - len(awaited)) // max(1, len(speeches)) - 1))
    parts = [part for a in speeches for part in _speech(terminal, a, tick, width, share)]
    return Group(*parts, *_others(terminal, others, tick), *awaited)


def _speech(terminal: TerminalView, activity: Activity, tick: int, width: int, lines: int) -> Iterator[RenderableType]:
    colour, model = colour_of(activity.seat), model_of(terminal.view, activity.seat) if terminal.sees_all else ""
    yield Text.assemble(
        (f"{SPINNER[tick % len(SPINNER)]} ", colour),
        (activity.seat.upper(), f"bold {colour}"),
        (f" {terminal.view.spec.doing(activity.step)}", colour),
        (f"  {clean(model)}", "bright_black"),
    )
    if activity.text.strip():
        yield tail(activity.text, width - 2, lines)


def tail(text: str, width: int, lines: int) -> Text:
    """The last lines of a text, as wide as there is room."""
    from rich.console import Console

    kept = "\n".join(line for line in clean(text[-width * (lines + 1) :]).splitlines() if line.strip())
    wrapped = Text(kept).wrap(Console(width=width), width)
    return Text("\n").join([Text("  ") + line for line in wrapped[-lines:]])


def _others(terminal: TerminalView, going_on: Sequence[Activity], tick: int) -> Iterator[RenderableType]:
    """Each seat once a kind of work: how often it does it at the same time, and how much has been written."""
    written: dict[tuple[str, str], list[int]] = {}
    for activity in going_on:
        written.setdefault((activity.seat, terminal.view.spec.doing(activity.step)), []).append(len(activity.text))
    for (seat, work), lengths in written.items():
        times = f" ×{len(lengths)}" if len(lengths) > 1 else ""
        so_far = f"  {sum(lengths):,} characters" if sum(lengths) else ""
        mark = Text(f"{SPINNER[tick % len(SPINNER)]} {seat} {work}{times}", style=colour_of(seat))
        yield mark.append(so_far, "bright_black")


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def key_line(terminal: TerminalView, width: int) -> Text:
    """All keys, with a word each as far as there is room: the words that are least missed go first."""
    keys = {k.key: _word(k, terminal) for k in keys_for(terminal)} | {"?": "help"}
    if keys.pop("-", None):
        keys = {("+/-" if key == "+" else key): "heat" if key == "+" else word for key, word in keys.items()}
    for key in ("d", "r", "c", "a", "g", "+/-", "w", "b", "s", "p", "?"):
        if (line := _named(keys)).cell_len <= width:
            return line
        keys |= {key: ""} if key in keys else {}
    return _named(keys)


def _named(keys: Mapping[str, str]) -> Text:
    """Keys, each with its word where it has one."""
    return _GAP.join(Text.assemble((key, "bold"), (f" {word}" if word else "", "dim")) for key, word in keys.items())


def _word(key: KeyHelp, terminal: TerminalView) -> str:
    return "go on" if key.key == "p" and terminal.paused else key.word


def help_table(terminal: TerminalView) -> RenderableType:
    """What every key does."""
    from elenchus.service.cli.tables import WordTable

    made = WordTable(show_header=False)
    for key in keys_for(terminal):
        made.add_row(Text(key.key, style="bold"), Text(key.help))
    made.add_row(Text("t", style="bold"), Text("Take up a turn that waits for you"))
    pauses = "Pause and leave; the command that resumes is printed"
    leaves = pauses if terminal.moderates else "Leave; the turn stays open"
    made.add_row(Text("Ctrl-C", style="bold"), Text(leaves))
    return made


# ── small things ─────────────────────────────────────────────────────────────────────────────────────────────────


def _ends(left: Text, right: Text) -> RenderableType:
    """Two texts at the two ends of a line."""
    line = Table.grid(expand=True)
    line.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    line.add_column(justify="right", no_wrap=True)
    line.add_row(left, right)
    return line


def minutes(seconds: float) -> str:
    """Time as 1:05, or 1:02:03."""
    whole = int(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def short_count(number_of: int) -> str:
    """1234 as 1,234 and 123456 as 123.5k."""
    return f"{number_of:,}" if number_of < 100_000 else f"{number_of / 1000:,.1f}k"


def counted(number_of: int, what: str) -> str:
    """1 call, 2 calls."""
    return f"{number_of:,} {what}{'' if number_of == 1 else 's'}"


def shortened(text: str, width: int) -> str:
    """The text on one line, cut with an ellipsis where it is too long."""
    text = " ".join(text.split())
    return text if len(text) <= width else text[: max(1, width - 1)] + "…"
