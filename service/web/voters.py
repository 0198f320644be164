"""Whose vote it is, as a session's log names it; and how many votes came by codes that anybody may use again. Pure.

A code for the whole room is open: each browser that came by it has a vote, and a private window is another browser.
A code that has one vote, a slip for one head, and a program's token have one, whoever uses them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from elenchus.debate_engine.events import Voted

if TYPE_CHECKING:
    from elenchus.debate_engine.reports.view import SessionView
    from elenchus.service.lab.access import Grant

ID_LETTERS = 16
"""Letters of a browser's id that are told: enough to tell browsers apart."""


def voter_of(grant: Grant, browser: str) -> str:
    """How the vote of whoever has this grant is named; `browser` is "" for a program."""
    alone = grant.one_vote or not browser
    return f"{grant.role} {grant.id}" if alone else f"{grant.role} {grant.id} {browser[:ID_LETTERS]}"


def is_of_open_code(voter: str) -> bool:
    """Whether somebody else may have voted twice under such names: one for each browser."""
    return voter.startswith("audience ") and len(voter.split()) == 3


def by_open_code(view: SessionView) -> int:
    """How many of those who voted came by a code with which one person can vote more than once."""
    return len(
        {r.event.by for r in view.moderation.votes if isinstance(r.event, Voted) and is_of_open_code(r.event.by)}
    )
