"""`/scene add`: what is said of a scene's script."""

from __future__ import annotations

from typing import Final

REFUSED: Final = "This is no scene that can be used yet, so nothing was kept. Mend what is marked and add it again."
ANOTHERS: Final = (
    "A scene of this name is there already and is not yours: give the file another name, or ask a moderator of the "
    "server to replace it."
)
FINDINGS: Final = "To be mended"
ROLES, RULES, BIAS, PLAYABLE = "Roles", "Rules", "Bias", "Can it be played?"
TO_WRITE: Final = "Still to be written"
NO_BIAS: Final = "none: nothing is judged"
UNREVIEWED: Final = (
    "No: a model wrote of it, and no person has reviewed it yet (`elenchus scene review FILE`); then add it again."
)
NO_DEBRIEF: Final = (
    "By models only: without a debrief no person can take part. Write one under # Debrief and add it again."
)
TO_MEND: Final = "Not before what is listed below is mended."
READY: Final = "Yes."


def kept(name: str) -> str:
    """A script was taken in."""
    return (
        f"Kept as `{name}`; attached as it was read, to be completed and added again. "
        "Whoever is to be its subject should not see this."
    )


def not_a_script(most: int) -> str:
    """The file cannot be one."""
    return f"A script is a text file, .md or .txt, of at most {most // 1000:,} kB."


def finding(line: int, what: str, remedy: str, *, grave: bool) -> str:
    """What is wrong on a line."""
    return f"{'❌' if grave else '▫'} **line {line}:** {what}; {remedy}"


def left_open(rule: int, what: str, remedy: str) -> str:
    """What a scene leaves open."""
    return f"▫ {f'rule {rule}: ' if rule else ''}{what}; {remedy}"


def more_findings(n: int) -> str:
    """What is not shown."""
    return f"… and {n} more: `elenchus scene check FILE` lists all."


def preview(name: str, title: str) -> str:
    """Over the preview."""
    return f"{name}: {title}" if title else name


def role(name: str, kind: str, speaks: bool) -> str:
    """A role."""
    return f"{name} ({kind}{'' if speaks else ', never speaks'})"


def rules(n: int, messages: int) -> str:
    """How many rules."""
    return f"{n}, of them {messages} messages of the system"
