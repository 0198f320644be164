"""`/settings`: what a server settles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

GROUP: Final = "What this server allows and prefers"
SHOW: Final = "Show this server's settings"
SET: Final = "Change this server's settings"
RESET: Final = "Put one setting, or all, back to what it was at first"
WHICH: Final = "Which one"
OPTIONS: Final[Mapping[str, str]] = {
    "moderator_role": "Who may steer every debate, beside members with Manage Threads",
    "start": "Who may start a debate, score a text or look for biases",
    "debater": "The model that debates when nobody says which: PROVIDER:MODEL",
    "judges": "The models that judge then, with commas between them",
    "day_usd": "US dollars that all debates of a day (UTC) may cost",
    "day_tokens": "Tokens that all debates of a day (UTC) may use",
    "turn_hours": "Hours a member has for a turn",
    "stand_in": "Whether a model answers for a member who does not, or who leaves",
    "plain_messages": "Whether a member's plain message in the thread counts as the turn's answer",
    "vote_minutes": "Minutes for which the audience's vote is open, before and after a debate",
    "models": "The models that members may have, with commas between them; * stands for anything: openai:*",
    "channels": "The channels where anything may be started: #one #two",
    "member_starts": "How many debates, scenes, scores and searches a member may start in 24 hours",
    "member_minutes": "Minutes between two of them",
    "unpriced_usd": "US dollars that a million tokens of a model without a known price are taken to cost",
}
TITLE: Final = "Settings of this server"
NONE: Final = "not set"
NO_LIMIT: Final = "no limit"
DEFAULT: Final = "the bot's default"
STARTERS: Final[Mapping[str, str]] = {"everyone": "everyone", "moderators": "moderators only"}
YES, NO = "yes", "no"
NAMES: Final[Mapping[str, str]] = {
    "moderator_role": "Moderators",
    "start": "Who may start",
    "debater": "Debater",
    "judges": "Judges",
    "day_usd": "Dollars a day",
    "day_tokens": "Tokens a day",
    "turn_seconds": "Time for a turn",
    "stand_in": "A model stands in",
    "plain_messages": "Plain messages count",
    "vote_minutes": "Time for a vote",
    "models": "Models",
    "channels": "Channels",
    "member_starts": "Starts a member, 24 h",
    "member_minutes": "Pause between two",
    "unpriced_usd": "Models without a price",
}
ALL_MODELS: Final = "all that the bot's owner allows"
ALL_CHANNELS: Final = "all"
NONE_WITHOUT: Final = "refused"
NO_CHANNELS: Final = "That names no channel: type # and choose one or several from Discord's list."
ONLY_MANAGERS: Final = "Only members with Manage Server change the settings: ask one of them."
NOTHING: Final = "Nothing was changed: choose at least one option."
CHANGED: Final = "The settings are changed; they hold from now on."
CANNOT_READ: Final = (
    "I cannot read messages here: whoever runs me must enable the message content intent first; until then members "
    "answer by the button."
)
TOO_MANY_JUDGES: Final = "At most 9 judges can sit: name fewer."


def hours(seconds: float) -> str:
    """Time for a turn."""
    return f"{seconds / 3600:g} h"


def minutes(value: float) -> str:
    """A pause."""
    return f"{value:g} min"


def per_million(value: float) -> str:
    """What models without a price are taken to cost."""
    return f"{dollars(value)} a million tokens"


def dollars(value: float) -> str:
    """Money."""
    return f"${value:g}"


def tokens(value: int) -> str:
    """Tokens."""
    return f"{value:,}"


def role(role_id: int) -> str:
    """A role, shown by name without pinging it."""
    return f"<@&{role_id}>"
