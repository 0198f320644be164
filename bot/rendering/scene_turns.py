"""What people on the seats of a scene are told around their turns. Texts passed in are safe already. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from elenchus.bot.strings import msg


def listed(names: Sequence[str]) -> str:
    """Names in a row."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def quoted(text: str) -> str:
    """Every line as a quotation."""
    return "\n".join(f"> {line}" for line in text.split("\n"))


def to_you_alone(alone: bool, *, own: bool, to: str) -> str:
    """The small print under what is heard."""
    if own:
        return msg("scene-seats-own", to=to)
    return msg("scene-seats-alone") if alone else msg("scene-seats-to", to=to)


def role_card(name: str, background: str, task: str) -> str:
    """Who the member is in the scene."""
    lines = [
        msg("scene-seats-you-are", name=name, background=background).rstrip(),
        msg("scene-seats-your-task", task=task) if task else "",
        msg("scene-seats-how"),
    ]
    return "\n".join(filter(None, lines))


def consent(text: str, until: str, *, judge: bool = False) -> str:
    """Asks for agreement before anything else."""
    asked = msg("scene-seats-consent-of-judge", text=text) if judge else msg("scene-seats-consent", text=text)
    return asked + (msg("scene-seats-decide", until=until) if until else "")


def your_turn(what: str, to: str, until: str, *, judge: bool = False) -> str:
    """Calls a member to a turn; a judge speaks to nobody."""
    deadline = msg("scene-seats-time", until=until) if until else ""
    if judge:
        return msg("scene-seats-judges-turn", what=what, deadline=deadline)
    if to:
        return msg("scene-seats-your-turn-to", what=what, to=to, deadline=deadline)
    return msg("scene-seats-your-turn", what=what, deadline=deadline)


def above_form(name: str, to: str, told: str) -> str:
    """What stands above the field of a form."""
    if to:
        return msg("scene-seats-above-form-to", name=name, to=to, told=told)
    return msg("scene-seats-above-form", name=name, told=told)
