"""Blocks as plain lines, for a pipe or a file: no colours, no wrapping, each line to be found by grep.

What begins at the margin is ours: speeches are set in, and so is every further line of a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elenchus.debate_engine.reports.blocks import Block, Fact, Heading, Note, Paragraph, Rows, Speech
from elenchus.service.cli.output import clean


def lines(block: Block) -> Iterator[str]:
    """The lines of a block."""
    if isinstance(block, Paragraph) and block.markdown:
        return iter(clean(block.text).split("\n"))
    return (clean(line).replace("\n", "\n  ") for line in _lines(block))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Speech(speaker=speaker, about=about, text=text):
            heat = f"heat {block.heat:.2f}" if block.heat is not None else ""
            yield f"[{', '.join(part for part in (speaker, about, heat, block.model) if part)}]"
            yield f"  {text}"
            yield ""
        case Heading(text=text):
            yield ""
            yield f"[{text}]"
        case Fact(name=name, text=text):
            yield f"[{name}] {text}".rstrip()
        case Note(text=text):
            yield f"- {text}"
        case Rows():
            yield from (_row(block, row) for row in block.rows)
        case Paragraph(text=text):
            yield text


def _row(table: Rows, row: Sequence[str]) -> str:
    first, *others = zip(table.head, row, strict=True)
    told = ", ".join(f"{name} {cell}".strip() for name, cell in others)
    return f"[{table.what}] {first[1]}: {told}"
