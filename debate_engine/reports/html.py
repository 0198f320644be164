"""`report.html`: a report as one self-contained page. No scripts, nothing loaded, pictures inside.

Three locks on other people's words: they reach us as escaped Markdown, the Markdown renderer knows neither HTML nor
links nor images, and the page's own policy lets nothing run or load.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.printable import one_line
from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.canvas import Picture
from elenchus.debate_engine.reports.document import Figure, Report, ReportBlock, ReportSpeech

if TYPE_CHECKING:
    from jinja2 import Template
    from markdown_it import MarkdownIt


def html_of(report: Report, pictures: Mapping[str, Picture]) -> str:
    """The page. A figure whose picture is not at hand is left out, its alt text stays. Pure."""
    renderer = _markdown()
    return _page().render(
        lang=words.LANGUAGE,
        css=_markup(_read("page.css")),
        plain_title=_words(renderer, report.title),
        title=_markup(renderer.renderInline(report.title)),
        under=_markup(renderer.renderInline(report.under)),
        notices=[_markup(renderer.render(notice)) for notice in report.notices],
        summary_title=words.HEADINGS["summary"],
        summary=[_markup(renderer.renderInline(sentence)) for sentence in report.summary],
        sections=[
            {
                "id": section.id,
                "title": section.title,
                "blocks": [_block(block, renderer, pictures) for block in section.blocks],
            }
            for section in report.sections
        ],
    )


def _block(block: ReportBlock, renderer: MarkdownIt, pictures: Mapping[str, Picture]) -> dict[str, Any]:
    match block:
        case Figure(name=name, alt=alt, numbers=numbers) if name in pictures:
            caption = words.CAPTION.format(name=name, numbers=numbers)
            return {"kind": "figure", "alt": one_line(alt), "caption": caption, "source": _data(pictures[name])}
        case Figure(alt=alt):
            return {"kind": "text", "body": one_line(alt)}
        case ReportSpeech(role=role, head=head, text=text):
            heading, body = _markup(renderer.renderInline(head)), _markup(renderer.render(text))
            return {"kind": "speech", "role": role, "head": heading, "body": body}
    return {"kind": "text", "body": _markup(renderer.render(block))}


def _data(picture: Picture) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg).decode()}"


def _words(renderer: MarkdownIt, markdown: str) -> str:
    """The text of one line of Markdown, without its marks."""
    inline = renderer.parseInline(markdown)[0]
    return "".join(token.content for token in inline.children or ())


def _markup(html: str) -> Any:
    """HTML made by the renderer above, or our own CSS: not escaped again."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - see the module's docstring


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    renderer.disable(["image", "link", "autolink", "reference", "html_inline", "html_block"])
    renderer.add_render_rule("table_open", _table_open)
    renderer.add_render_rule("table_close", _table_close)
    return renderer


def _table_open(*_: Any) -> str:
    return '<div class="scroll" tabindex="0">\n<table>\n'


def _table_close(*_: Any) -> str:
    return "</table>\n</div>\n"


@lru_cache(maxsize=1)
def _page() -> Template:
    from jinja2 import Environment, StrictUndefined

    env = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return env.from_string(_read("page.html"))


def _read(name: str) -> str:
    return files("elenchus.debate_engine.reports").joinpath(name).read_text(encoding="utf-8")
