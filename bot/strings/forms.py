"""Labels, hints and complaints of the forms in which members answer."""

from __future__ import annotations


def label(path: str) -> str:
    """A field's label from its name: `pro.a_validity` becomes "Pro: a validity"."""
    worded = ": ".join(part.replace("_", " ") for part in path.split("."))
    return worded[:1].upper() + worded[1:]


def title(what: str, step: int, steps: int) -> str:
    """A form's title."""
    return f"{what[:1].upper()}{what[1:]}" + (f" ({step}/{steps})" if steps > 1 else "")


def joined(*parts: str) -> str:
    """Hints beside each other."""
    return "; ".join(part for part in parts if part)


def in_range(low: float | None, high: float | None) -> str:
    """What numbers are taken."""
    if low is not None and high is not None:
        return f"a number from {low:g} to {high:g}"
    return f"at least {low:g}" if low is not None else f"at most {high:g}" if high is not None else "a number"


def list_of(columns: list[str], divider: str) -> str:
    """How a list is written."""
    return f"One a line: {f' {divider} '.join(columns).lower()}" if columns else "One a line"


def one_of(name: str, choices: list[str]) -> str:
    """Not one of the choices."""
    return f"{name} must be one of {', '.join(choices)}"


def no_number(name: str, *, whole: bool) -> str:
    """Not a number."""
    return f"{name} must be a {'whole ' if whole else ''}number"
