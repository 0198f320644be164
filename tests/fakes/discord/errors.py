"""Discord's refusals: status, code and sentence, as the real API gives them."""

from __future__ import annotations

from typing import Any

SENTENCES = {
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10014: (400, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    30003: (400, "Maximum number of pins reached for the channel (50)"),
    30007: (400, "Maximum number of webhooks reached (15)"),
    30008: (400, "Maximum number of emojis reached (2000)"),
    30010: (400, "Maximum number of reactions reached (20)"),
    30032: (400, "Maximum number of application commands reached (100)"),
    30058: (400, "Maximum number of webhooks per guild reached (1000)"),
    220003: (400, "Webhooks can only create threads in forum channels"),
    30034: (429, "Max number of daily application command creates has been reached (200)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40066: (400, "There are no tags available that can be set by non-moderators."),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50021: (403, "Cannot execute action on a system message"),
    50024: (403, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    160002: (403, "Cannot reply without permission to read message history"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
}


class Refused(Exception):
    """A request that Discord would refuse. `errors` is the tree of fields of code 50035."""

    def __init__(
        self,
        code: int,
        message: str = "",
        *,
        status: int = 0,
        errors: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        ordinary, sentence = SENTENCES.get(code, (status, message))
        self.code, self.status, self.message = code, status or ordinary, message or sentence
        self.errors = errors
        self.headers = headers or {}
        super().__init__(f"{self.status} {self.code}: {self.message} {errors or ''}")

    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = {"message": self.message, "code": self.code}
        return found | ({"errors": self.errors} if self.errors else {})


UNAUTHORISED = {"message": "401: Unauthorized", "code": 0}
NOT_FOUND = {"message": "404: Not Found", "code": 0}


class Form:
    """Collects what is wrong with a request, field by field, and refuses it as a whole with 50035."""

    def __init__(self) -> None:
        self.problems: list[tuple[tuple[str | int, ...], str, str]] = []

    def wrong(self, path: tuple[str | int, ...], code: str, message: str) -> None:
        self.problems.append((path, code, message))

    def length(self, path: tuple[str | int, ...], text: str | None, most: int, least: int = 0) -> None:
        """Check a text's length, counted in characters as Discord counts them (a surrogate pair is one)."""
        size = len(text or "")
        if size > most:
            self.wrong(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
        elif size < least:
            self.wrong(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def count(self, path: tuple[str | int, ...], number: int, most: int, least: int = 0) -> None:
        if not least <= number <= most:
            self.wrong(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def check(self) -> None:
        """Refuse the request if anything was wrong with it."""
        if self.problems:
            raise Refused(50035, errors=tree(self.problems))


def tree(problems: list[tuple[tuple[str | int, ...], str, str]]) -> dict[str, Any]:
    """Discord's nested `errors` of a list of (path, code, sentence)."""
    root: dict[str, Any] = {}
    for path, code, message in problems:
        node = root
        for part in path:
            node = node.setdefault(str(part), {})
        node.setdefault("_errors", []).append({"code": code, "message": message})
    return root


def invalid(*path: str | int, code: str = "BASE_TYPE_BAD", message: str) -> Refused:
    """A refusal of one field."""
    return Refused(50035, errors=tree([(path, code, message)]))
