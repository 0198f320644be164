"""Embeds within Discord's limits: too long a text goes on in a further field or embed, and nothing is cut off.

Title 256, description 4,096, 25 fields of 256 + 1,024, footer 2,048; ten embeds and 6,000 in all a message. Lengths are
UTF-16 units. A table is shown in a code block, in columns that also hold where letters are wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rich.cells import cell_len, set_cell_size

from elenchus.bot.rendering.post import Embed, EmbedField
from elenchus.bot.rendering.safe import FENCE, inline, plain, shortened, units
from elenchus.bot.rendering.split import split

TITLE, DESCRIPTION, FIELDS, FIELD_NAME, FIELD_VALUE, FOOTER, EMBEDS, SUM = 256, 4_096, 25, 256, 1_024, 2_048, 10, 6_000
ROOM = 4_500
"""What one of our embeds may hold in all; a longer one is continued in the next."""

BLUE, ORANGE, GREEN, GREY, YELLOW = 0x0072B2, 0xD55E00, 0x009E73, 0x57606A, 0xE69F00


def embeds(
    title: str, text: str = "", fields: Iterable[tuple[str, str]] = (), footer: str = "", colour: int = GREY
) -> list[Embed]:
    """One embed, or several where one cannot hold it all. Everything given is safe already; blank fields are left out.

    The title stands over the first, the footer under the last.
    """
    first, *more = split(text, ROOM - 1_500) or [""]
    made = [Embed(title=shortened(title, TITLE), description=first, colour=colour)]
    made += [Embed(description=part, colour=colour) for part in more]
    for field in _fields(fields):
        last = made[-1]
        full = len(last.fields) == FIELDS or size(last) + len(field.name) + units(field.value) > ROOM
        if full:
            made.append(Embed(fields=(field,), colour=colour))
        else:
            made[-1] = replace(last, fields=(*last.fields, field))
    made[-1] = replace(made[-1], footer=shortened(footer, 300))
    return made


def _fields(fields: Iterable[tuple[str, str]]) -> Iterator[EmbedField]:
    for name, value in fields:
        for n, part in enumerate(split(value, FIELD_VALUE)):
            yield EmbedField(shortened(name, FIELD_NAME) if n == 0 else "…", part)


def size(embed: Embed) -> int:
    """What an embed counts towards the 6,000 of a message."""
    texts = (embed.title, embed.description, embed.footer, *(t for f in embed.fields for t in (f.name, f.value)))
    return sum(units(text) for text in texts)


def packed(made: Sequence[Embed]) -> list[tuple[Embed, ...]]:
    """The embeds in their order, in as few messages as hold them."""
    messages: list[tuple[Embed, ...]] = []
    for embed in made:
        last = messages[-1] if messages else ()
        if last and len(last) < EMBEDS and sum(map(size, last)) + size(embed) <= SUM:
            messages[-1] = (*last, embed)
        else:
            messages.append((embed,))
    return messages


PHONE = 33
"""Characters of a code block's line that a phone shows."""


def _listed(head: Sequence[str], row: Sequence[str]) -> str:
    """A row as a line that a phone can break anywhere."""
    name, *values = (inline(text) for text in row)
    told = (f"{label} {value}" for label, value in zip(head[1:], values, strict=True) if value)
    return f"- **{name}**: {' · '.join(told)}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], widest: int = 24) -> str:
    """A table as a code block: the first column from the left, the others from the right; cells on one line.

    Where a phone would break its lines it is a list.
    """
    cells = [[_cell(text, widest) for text in row] for row in (head, *rows)]
    widths = [max(cell_len(row[n]) for row in cells) for n in range(len(head))]
    lines = [
        "  ".join(_aligned(text, width, left=n == 0) for n, (text, width) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    ]
    if sum(widths) + 2 * (len(widths) - 1) > PHONE:
        return "\n".join(_listed(head, row) for row in rows)
    rule = "─" * min(sum(widths) + 2 * (len(widths) - 1), 60)
    return "\n".join([FENCE, lines[0].rstrip(), rule, *(line.rstrip() for line in lines[1:]), FENCE])


def _cell(text: str, widest: int) -> str:
    line = plain(text).replace("`", "'")
    return line if cell_len(line) <= widest else f"{set_cell_size(line, widest - 1).rstrip()}…"


def _aligned(text: str, width: int, *, left: bool) -> str:
    space = " " * (width - cell_len(text))
    return f"{text}{space}" if left else f"{space}{text}"
