"""A tea tasting: its cast and course as scripts may write them, and what was read of one, for comparing."""

from __future__ import annotations

from elenchus.debate_engine.scenes.lenient.reader import read_script
from elenchus.debate_engine.scenes.lenient.reading import Reading, ReadRule

ROLES = """Settings of Roles:
Role 1:
Name: Ada
Identity: Subject
Background: likes tea
Task: choose a tea
Role 2:
Name: Ben
Identity: Confederate
Task: subtly praise the green one
Role 3:
Name: Cleo
Identity: Moderator
Task: guide the tasting
"""
"""Its cast in fields, before any rule."""
CAST = [("Ada", "subject"), ("Ben", "confederate"), ("Cleo", "moderator")]
"""Their names and kinds."""
PEOPLE = (
    ("Ada", "Tea Drinker", "Unaware of the aim.", "Choose a tea."),
    ("Ben", "Shop Assistant", "Works with the researchers.", "Praise the green tea."),
    ("Cleo", "Shop Owner", "Leads the tasting and keeps order.", "Read out the rules and record the answers."),
)
"""Its cast without any noun for a kind: name, occupation, background and task."""
KINDS = ["subject", "confederate", "moderator"]
"""Their kinds."""
RULES = "1. (Unicast, joking) Ben jokes with Ada.\n2. (Unicast) The Shop Owner asks the Tea Drinker for a number."
"""Its course in two rules, the second of which calls them by their occupations."""


def roles_of(form: str) -> str:
    """The people, each written in this form."""
    return "\n".join(
        form.format(
            n=n, letter="abc"[n - 1], word=("One", "Two", "Three")[n - 1], name=name, job=job, past=past, task=task
        )
        for n, (name, job, past, task) in enumerate(PEOPLE, 1)
    )


def whole(roles: str, rules: str = RULES) -> Reading:
    """A whole script of these roles and rules, read."""
    return read_script(f"# Background\nA tea shop.\n# Roles\n{roles}\n# Rules\n{rules}\n# Observation\nCount.\n")


def with_rules(rules: str) -> Reading:
    """A script of these rules for the usual cast, read."""
    return read_script(f"{ROLES}# Rules\n{rules}\n")


# ── what was read ────────────────────────────────────────────────────────────────────────────────────────────────


def told(reading: Reading) -> list[str]:
    """Each rule as `mode purpose initiator > receivers`, with a question mark where it is not clear."""
    return [f"{read.rule.mode} {read.rule.purpose} {parties_told(read)}" for read in reading.rules]


def parties_told(read: ReadRule) -> str:
    """A rule's `initiator > receivers`, with a question mark where it is not clear."""
    return f"{read.rule.initiator} > {','.join(read.rule.receivers)}" + ("" if read.clear else " ?")


def agree(found: str, expected: str) -> bool:
    """Tell whether a rule was read as expected; where it is not clear (a question mark behind it) the guess is not
    compared, but that it is marked is. What is expected with `~` behind it may be read so or be marked unclear.
    """
    if expected.endswith("~"):
        return plain_or_marked(found, expected.removesuffix(" ~"))
    return found.endswith("?") if expected.endswith("?") else found == expected


def plain_or_marked(found: str, expected: str) -> bool:
    """Tell whether a rule was read as expected, or else is marked unclear: what is marked clear is never wrong."""
    return found.endswith("?") or found == expected


def kinds_of(reading: Reading) -> list[tuple[str, str]]:
    """Each role's name and kind."""
    return [(role.name, role.kind) for role in reading.roles]


def parties_of(reading: Reading) -> list[tuple[str, tuple[str, ...]]]:
    """Each rule's initiator and receivers."""
    return [(read.rule.initiator, read.rule.receivers) for read in reading.rules]
