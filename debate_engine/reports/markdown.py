"""`report.md`: a report as one Markdown text, with its pictures beside it."""

from __future__ import annotations

from elenchus.debate_engine.reports import words
from elenchus.debate_engine.reports.document import Block, Figure, Report, Speech, bullets
from elenchus.debate_engine.reports.escape import inline, quoted


def markdown_of(report: Report) -> str:
    """The report in Markdown. Pure."""
    blocks = [
        f"# {report.title}",
        report.under,
        *(quoted(notice) for notice in report.notices),
        *([f"## {words.HEADINGS['summary']}", bullets(list(report.summary))] if report.summary else []),
    ]
    for section in report.sections:
        blocks += [f"## {section.title}", *map(_block, section.blocks)]
    return "\n\n".join(block.strip("\n") for block in blocks) + "\n"


def _block(block: Block) -> str:
    match block:
        case Figure(name=name, alt=alt):
            return f"![{inline(alt)}]({name}.png)"
        case Speech(head=head, text=text):
            return f"**{head}**\n\n{quoted(text)}"
    return block
