"""`/scene add`: what is said of a scene's script."""

from __future__ import annotations


def not_a_script(most: int) -> str:
    """The file cannot be one."""
    return f"A script is a text file, .md or .txt, of at most {most // 1000:,} kB."


def finding(line: int, what: str, remedy: str, *, grave: bool) -> str:
    """What is wrong on a line."""
    return f"{'❌' if grave else '▫'} **line {line}:** {what}; {remedy}"


def left_open(rule: int, what: str, remedy: str) -> str:
    """What a scene leaves open."""
    return f"▫ {f'rule {rule}: ' if rule else ''}{what}; {remedy}"


def preview(name: str, title: str) -> str:
    """Over the preview."""
    return f"{name}: {title}" if title else name


def role(name: str, kind: str, speaks: bool) -> str:
    """A role."""
    return f"{name} ({kind}{'' if speaks else ', never speaks'})"
