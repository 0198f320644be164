"""Templates filled in: whole pages, and the blocks of a session as they stand in them.

Other people's words meet three locks: templates escape whatever they are given; Markdown is rendered without HTML,
links and pictures, and cleaned by a second library, which knows a few elements and no attribute; and the policy that
goes with each page lets nothing run or load that is not ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from elenchus.debate_engine.printable import printable
from elenchus.debate_engine.reports.blocks import Block, Speech
from elenchus.service.lab.avatars import CORNERS, colour_of, letters_of, part_of
from elenchus.service.web import drawings
from elenchus.service.web.engine_lines import lines_in_words
from elenchus.service.web.findings import either, finding_in_words, numbers, part_in_words, published_in_words
from elenchus.service.web.refusals import refusal_in_words
from elenchus.service.web.static_files import static_url
from elenchus.service.web.strings import LANGUAGES, NAMES, Language, Words

if TYPE_CHECKING:
    from jinja2 import Environment
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

ELEMENTS = frozenset({
    "p", "strong", "em", "s", "ul", "ol", "li", "code", "pre", "blockquote", "br", "hr", "h4", "h5",
    "table", "thead", "tbody", "tr", "th", "td",
})  # fmt: skip
"""What may stand in a text of others."""

_UNDER = {"h1": "h4", "h2": "h4"}
"""Headings of a speech stand below those of the page."""


@dataclass(frozen=True, slots=True)
class RenderContext:
    """What blocks are shown with: how seats are called, and whether texts are shown as they are.

    `exactly`: what a subject is shown is part of an experiment, and Markdown would change it. `pictures` is the address
    to which the name of a picture is added.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    exactly: bool = False
    pictures: str = ""

    def alt(self, speech: Speech) -> str:
        """What is on the picture of a speech, in words."""
        lines = speech.picture.lines if speech.picture else 0
        return "\n".join(speech.text.split("\n")[:lines]).removeprefix("[picture: ").removesuffix("]")

    def words(self, speech: Speech) -> str:
        """The text of a speech for whoever sees its picture."""
        shown = speech.picture is not None and self.pictures
        return "\n".join(speech.text.split("\n")[speech.picture.lines :]) if speech.picture and shown else speech.text


def page(template: str, language: Language, **context: Any) -> str:
    """A whole page. Raises UndefinedError where a template is not given what it asks for."""
    return environment().get_template(template).render(t=Words(language), **context)


def blocks_as_html(blocks: Iterable[Block], around: RenderContext = RenderContext(), language: Language = "en") -> str:
    """Blocks as they stand in a page's log of what was said."""
    shown = list(blocks)
    if not shown:
        return ""
    return environment().get_template("blocks.html").render(t=Words(language), blocks=shown, around=around)


@cache
def environment() -> Environment:
    """Our templates, with what all of them may use; read once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    env = Environment(
        loader=PackageLoader("elenchus.service.web", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, auto_reload=False, finalize=_shown,
    )  # fmt: skip
    env.globals |= {
        "static": static_url, "languages": LANGUAGES, "language_names": NAMES, "part_of": part_of, "face": face,
        "plot": drawings.plot, "gauge": drawings.gauge, "tally": drawings.tally,
    }  # fmt: skip
    env.filters |= {
        "refused": refusal_in_words, "found": finding_in_words, "part_found": part_in_words, "either": either,
        "published": published_in_words, "numbers": numbers, "markdown": markdown, "plain": printable,
        "labelled": labelled, "lines": lines_in_words,
        "short_stage": short_stage, "tone": tone_of,
        "removesuffix": str.removesuffix, "kind": lambda block: type(block).__name__.lower(),
    }  # fmt: skip
    return env


def _shown(value: Any) -> Any:
    """A text as it prints, whoever wrote it: nothing in it turns round what stands beside it on the page."""
    return printable(value) if type(value) is str else value  # markup of our own is a class of its own


# ── what others wrote ────────────────────────────────────────────────────────────────────────────────────────────


def markdown(text: str) -> Any:
    """A text of others as HTML: paragraphs, lists, emphasis, tables; no links, no pictures, no HTML of its own."""
    import nh3
    from markupsafe import Markup

    html = _markdown().render(printable(text))
    return Markup(nh3.clean(html, tags=set(ELEMENTS), attributes={}, strip_comments=True))  # noqa: S704 - cleaned just now


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    renderer.disable(["image", "link", "autolink", "reference", "html_inline", "html_block"])
    for rule in ("heading_open", "heading_close"):
        renderer.add_render_rule(rule, _heading)
    return renderer


def _heading(_self: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    tag = _UNDER.get(tokens[at].tag, "h5")
    return f"<{tag}>" if tokens[at].nesting == 1 else f"</{tag}>\n"


# ── what the engine calls things ─────────────────────────────────────────────────────────────────────────────────


def labelled(text: str, t: Words) -> str:
    """A label of the engine ("round 2", "to everybody") in the page's language, as far as it has words for it."""
    stem, _, last = text.rpartition(" ")
    if last.isdigit() and stem:
        return f"{t.of('labels', stem)} {last}"
    if text.startswith("to ") and text != "to everybody":
        return t("label-to", names=text.removeprefix("to "))
    return t.of("labels", text)


def short_stage(name: str, t: Words) -> str:
    """A stage under its column of a plot: the number alone for a round."""
    return name.rpartition(" ")[2] if name.startswith("round ") else labelled(name, t)


def tone_of(seat: str) -> str:
    """The class of what somebody says: the part that the seat plays."""
    return part_of(seat) or (seat if seat in ("moderator", "system") else "other")


# ── small pictures ───────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1024)
def face(seat: str, name: str) -> dict[str, Any]:
    """What the face of a speaker is drawn of: its corners in a square of 32, its colour, its letters."""
    corners = CORNERS[part_of(seat)]
    return {
        "points": drawings.polygon(corners, 16, 15), "colour": colour_of(seat, name), "letters": letters_of(seat, name)
    }  # fmt: skip
