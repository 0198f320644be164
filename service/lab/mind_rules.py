"""What may be given to a mind and said of it, and the sentences in which it is refused. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from elenchus.debate_engine.errors import ElenchusError, UsageError
from elenchus.debate_engine.protocols.cognition.mind_protocol import not_to_be_done

if TYPE_CHECKING:
    from elenchus.debate_engine.events import GivenToMind
    from elenchus.debate_engine.protocols.cognition.projection import MindProjection
    from elenchus.debate_engine.run_ends import Run

HIGHEST = 5
"""The highest rating."""


def check(name: str, given: GivenToMind) -> None:
    """Raises UsageError for what cannot be carried out."""
    if why := not_to_be_done(given):
        raise UsageError(f"{name} is not given this: {why}.")


def check_ratings(name: str, mind: MindProjection, ratings: Mapping[str, int], after: int) -> None:
    """Raises UsageError for ratings by a person that are none of this mind after this iteration."""
    if not 0 <= after <= mind.iteration:
        raise UsageError(f"There is no iteration {after} of {name}: the last one is {mind.iteration}.")
    if unknown := next((one for one in ratings if one not in mind.opinions), None):
        raise UsageError(f"{name} is not asked about “{unknown[:80]}”: rate the opinions that it rates.")
    if not ratings or any(not 1 <= rating <= HIGHEST for rating in ratings.values()):
        raise UsageError(f"A rating is a number from 1 (strongly disagree) to {HIGHEST} (strongly agree).")


def taken(name: str) -> UsageError:
    """Why no other mind can have this name."""
    return UsageError(f"There is a mind called {name!r} here: choose another name.")


def unborn(name: str, run: Run) -> ElenchusError:
    """Why a mind did not come to be."""
    kind = UsageError if run.error == "LivingPerson" else ElenchusError
    error = kind(f"{name} was not made: {run.reason}")
    error.exit_code = {"LivingPerson": 2, "NoProfile": 3}.get(run.error, run.exit_code or 1)
    return error


def unmade(name: str) -> str:
    """What is said of one that is not there yet."""
    return f"{name} has no profile yet: it is being made."
