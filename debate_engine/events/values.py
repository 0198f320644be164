"""What events hold: who sits where, who hears, what a call to a model took.

Import these names from `debate_engine.events`.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from elenchus.config.models import Price

EVERYONE = "*"
"""The receiver of a broadcast."""
MIND = "#mind-"
"""Between a model and the mind that it speaks for, in the spec of a seat: what follows is the end of a session's id."""
MODERATOR = "moderator"
"""Who hears what is for the moderator alone, and whose all is that was given from outside."""


class FrozenModel(BaseModel):
    """The base of everything that is stored or compared: a frozen value that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Seat(FrozenModel):
    """A chair in the session: its `name` is its role ("pro", "judge-1"), `spec` says who sits on it.

    A person's turn ends `deadline` seconds after it was opened (None: never); then the model `stand_in` answers, or
    nobody. A model is told its `manner` of speaking with every ask. `price` is what its models cost that have no known
    price of their own. `prepares`: the stand-in fills in the forms of protocol (agenda, "more to say?", proposal)
    beforehand, and the person approves or changes them.
    """

    name: str
    spec: str
    title: str = ""
    deadline: float | None = None
    stand_in: str = ""
    manner: str = ""
    price: Price | None = None
    prepares: bool = False

    @property
    def mind(self) -> str:
        """The session of the mind that sits here, "" for none."""
        return mind_in(self.spec)


def mind_in(spec: str) -> str:
    """The session of the mind in the spec of a seat, "" for none."""
    return f"{MIND[1:]}{spec.partition(MIND)[2]}" if MIND in spec else ""


def model_in(spec: str) -> str:
    """The spec of a seat without the mind that sits there: its model, or a person."""
    return spec.partition(MIND)[0]


class Recalled(FrozenModel):
    """What a call had used whose reply was kept; `seconds` is how long it had taken."""

    input_tokens: int
    output_tokens: int
    seconds: float


class CallRecord(FrozenModel):
    """One call to a model as it was made. `cost_usd` is None where the model has no known price.

    `sent` holds the messages only when they differ from the step's recorded input (trimmed or repaired). `recalled`:
    the reply came from the cache; then nothing was used, and it says what the call had used when it was made.
    `adjusted` says what was changed in the reply where it was read although it was not quite of the asked form.
    """

    model: str
    reported_model: str = ""
    prompt_id: str = ""
    prompt_hash: str = ""
    sent: tuple[tuple[str, str], ...] | None = None
    reply: str = ""
    finish: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = Field(0, exclude_if=lambda tokens: not tokens)
    cost_usd: float | None = None
    seconds: float = 0.0
    temperature: float | None = None
    seed: int | None = None
    attempts: int = 1
    outcome: str = "ok"
    recalled: Recalled | None = None
    adjusted: tuple[str, ...] = ()
