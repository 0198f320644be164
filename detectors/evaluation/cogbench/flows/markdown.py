"""The words of a Markdown text: headings and paragraphs, without marks, addresses of links, pictures and raw HTML."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token


def plain(text: str) -> tuple[str, str]:
    """The title, which is the first heading ("" for none), and the text in paragraphs."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(_without_front_matter(text))
    title, blocks = "", []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type in ("fence", "code_block"):
            blocks.append(token.content.strip())
        elif token.type == "inline":
            words = "".join(_words(token.children or [])).strip()
            if before is not None and before.type == "heading_open" and not title:
                title = words
            blocks.append(words)
    return " ".join(title.split()), "\n\n".join(filter(None, blocks))


def _words(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "text" | "code_inline":
                yield token.content
            case "softbreak" | "hardbreak":
                yield "\n"
            case "image":
                yield f" {token.content} "


def _without_front_matter(text: str) -> str:
    if not text.startswith("---\n"):
        return text
    _, found, rest = text[4:].partition("\n---\n")
    return rest if found else text
