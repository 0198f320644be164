"""How CRIT on a text stands in its thread. Pure."""

from __future__ import annotations

from elenchus.bot.rendering import blocks, tables
from elenchus.bot.rendering.drafts import Draft, Layout
from elenchus.bot.rendering.safe import shortened, speech
from elenchus.bot.strings import msg
from elenchus.debate_engine.protocols.crit.document import DocumentResult
from elenchus.debate_engine.protocols.crit.spec import SPEC
from elenchus.debate_engine.reports.view import SessionView

SHOWN = 1_500
"""Units of a text to be scored that are shown above its report."""


def _opened(view: SessionView) -> list[Draft]:
    document = str(view.started.config.get("document", "")) if view.started else ""
    return [Draft(f"**{msg('thread-scored-text')}**\n{speech(shortened(document, SHOWN))}")] if document.strip() else []


def _ended(view: SessionView) -> list[Draft]:
    result = view.outcome_as(DocumentResult)
    return [Draft(embeds=tuple(tables.document(result)))] if result else []


LAYOUT = Layout(SPEC.name, _opened, blocks.shown, _ended)
