"""Buckets a route, Discord's global limit, hidden limits, and the ban that follows ten thousand refusals."""

from __future__ import annotations

import hashlib
import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.discord.clock import Clock

MAJOR = ("channel_id", "guild_id", "webhook_id", "webhook_token")
BUCKETS: dict[tuple[str, str], tuple[int, float]] = {
    ("POST", "/channels/{channel_id}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): (5, 5.0),
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): (5, 1.0),
    ("GET", "/channels/{channel_id}/messages"): (5, 5.0),
    ("POST", "/channels/{channel_id}/threads"): (50, 300.0),
    ("POST", "/channels/{channel_id}/messages/{message_id}/threads"): (50, 300.0),
    ("PATCH", "/channels/{channel_id}"): (10, 15.0),
    ("POST", "/channels/{channel_id}/webhooks"): (5, 10.0),
    ("POST", "/webhooks/{webhook_id}/{webhook_token}"): (5, 2.0),
    ("PATCH", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"): (5, 2.0),
    ("DELETE", "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"): (5, 1.0),
    ("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me"): (1, 0.25),
    ("POST", "/users/@me/channels"): (10, 10.0),
    ("POST", "/applications/{application_id}/emojis"): (50, 60.0),
}
"""Requests and seconds, as seen from outside; Discord publishes none of them."""
ORDINARY = (50, 1.0)
OUTSIDE_GLOBAL = ("/interactions/",)


@dataclass
class Bucket:
    limit: int
    window: float
    used: int = 0
    resets: float = 0.0


@dataclass(frozen=True)
class Limited:
    """A 429: how long to wait, whether for the whole bot, and of whom the limit is."""

    retry_after: float
    everywhere: bool = False
    scope: str = "user"
    headers: dict[str, str] = field(default_factory=dict)
    banned: bool = False

    def body(self) -> dict[str, Any]:
        sentence = "You are being rate limited."
        return {"message": sentence, "retry_after": self.retry_after, "global": self.everywhere, "code": 0}


@dataclass
class RateLimits:
    """`scale` shortens every window (0.01 makes 5 s into 50 ms), so that a test of the same order takes less time.

    Time is the fake's own: `clock.advance` fills the buckets again.
    """

    scale: float = 1.0
    clock: Clock = field(default_factory=Clock)
    everywhere: int = 50
    webhook_channel: int = 30
    buckets: dict[str, Bucket] = field(default_factory=dict)
    last_second: deque[float] = field(default_factory=deque)
    by_channel: dict[int, deque[float]] = field(default_factory=dict)
    invalid: deque[float] = field(default_factory=deque)
    hits: list[tuple[str, str]] = field(default_factory=list)
    """The (method, template) of each request that was answered 429."""

    def refuse_invalid(self) -> Limited | None:
        """Ten thousand answers of 401, 403 and 429 within ten minutes: a ban, without the `Via` of a true 429."""
        _forget(self.invalid, self.clock.now() - 600)
        return Limited(600.0, banned=True) if len(self.invalid) >= 10_000 else None

    def count_invalid(self, status: int) -> None:
        if status in (401, 403, 429):
            self.invalid.append(self.clock.now())

    def refuse_everywhere(self, path: str) -> Limited | None:
        """Fifty requests a second for the bot, interactions apart."""
        if path.startswith(OUTSIDE_GLOBAL):
            return None
        now = self.clock.now()
        _forget(self.last_second, now - self.scale)
        if len(self.last_second) >= self.everywhere:
            wait = self.last_second[0] + self.scale - now
            return Limited(max(0.001, wait), True, "global", {"X-RateLimit-Global": "true"})
        self.last_second.append(now)
        return None

    def take(self, method: str, template: str, values: dict[str, str]) -> tuple[dict[str, str], Limited | None]:
        """Count a request in its bucket: the headers of the answer, and the refusal if it was one too many."""
        if template.startswith(OUTSIDE_GLOBAL):
            return {}, None
        name = hashlib.sha256(f"{method} {template}".encode()).hexdigest()[:32]
        major = ":".join(values[key] for key in MAJOR if key in values)
        limit, window = BUCKETS.get((method, template), ORDINARY)
        bucket = self.buckets.setdefault(f"{name}:{major}", Bucket(limit, window * self.scale))
        now = self.clock.now()
        if now >= bucket.resets:
            bucket.used, bucket.resets = 0, now + bucket.window
        refused = bucket.used >= bucket.limit
        bucket.used += not refused
        after = max(0.001, bucket.resets - now)
        headers = {"X-RateLimit-Limit": str(bucket.limit), "X-RateLimit-Remaining": str(bucket.limit - bucket.used)}
        headers |= {
            "X-RateLimit-Reset": f"{math.ceil(bucket.resets * 1000) / 1000:.3f}",
            "X-RateLimit-Reset-After": f"{math.ceil(after * 1000) / 1000:.3f}",
        }
        headers["X-RateLimit-Bucket"] = name
        return headers, Limited(after, headers={"X-RateLimit-Scope": "user"}) if refused else None

    def take_webhook_post(self, channel: int) -> Limited | None:
        """Thirty webhook posts a minute and channel (its threads share them): a limit that no header announces."""
        posts = self.by_channel.setdefault(channel, deque())
        now = self.clock.now()
        _forget(posts, now - 60 * self.scale)
        if len(posts) >= self.webhook_channel:
            wait = max(0.001, posts[0] + 60 * self.scale - now)
            return Limited(wait, scope="shared", headers={"X-RateLimit-Scope": "shared"})
        posts.append(now)
        return None


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()
