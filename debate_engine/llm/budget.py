"""What a session may spend, as a pure value; and how many tokens a text may have, estimated before it is sent."""

from __future__ import annotations

import math
import string
from dataclasses import dataclass, replace

from elenchus.debate_engine.llm.client import Call, Usage

PRICE_REMEDY = "give its model's price in models.yaml, or agree to calls without a price (--unpriced-ok)"
_LETTERS_A_TOKEN = 4.0
_OTHER_BYTES_A_TOKEN = 1.6
_SIGNS = (string.digits + string.punctuation).encode()
_BEYOND_ASCII = bytes(range(128, 256))
_MESSAGE_TOKENS = 8


def estimate_tokens(text: str) -> int:
    """A text's tokens, estimated without any model's vocabulary: for English, JSON and Markdown rather too many.

    4 letters or blanks count as a token, and so does each digit and punctuation mark and 1.6 bytes of everything else.
    Against SmolLM2's own tokenizer that is 1.0 to 1.3 times the truth for English and 0.7 to 1.5 times for other
    languages (`tests/debate_engine/llm/test_local_model.py`); the vendors' larger vocabularies need fewer tokens.
    """
    raw = text.encode("utf-8", "replace")
    ascii_only = raw if len(raw) == len(text) else raw.translate(None, _BEYOND_ASCII)
    letters = len(ascii_only.translate(None, _SIGNS))
    signs, other = len(ascii_only) - letters, len(raw) - len(ascii_only)
    return math.ceil(letters / _LETTERS_A_TOKEN + signs + other / _OTHER_BYTES_A_TOKEN)


def estimate_call(call: Call) -> int:
    """The tokens of a call's prompt: its messages with the marks between them, and its schema."""
    words = sum(estimate_tokens(message.content) + _MESSAGE_TOKENS for message in call.messages)
    return words + (estimate_tokens(str(call.schema)) if call.schema else 0)


def estimated(call: Call, text: str) -> Usage:
    """The usage of a call whose vendor did not count."""
    return Usage(estimate_call(call), estimate_tokens(text))


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a session's spending and what is spent. None is no limit.

    `usd_spent` counts the calls whose price is known; `unpriced` counts the others, so that nobody takes a sum for
    the whole. With `unpriced_usd` (dollars a million tokens) these count by that; without it a limit of dollars refuses
    a call whose price is not known, unless `unpriced_ok`.
    """

    tokens: int | None = None
    usd: float | None = None
    unpriced_usd: float | None = None
    tokens_spent: int = 0
    usd_spent: float = 0.0
    unpriced: int = 0
    unpriced_ok: bool = False

    def after(self, usage: Usage, cost_usd: float | None) -> Budget:
        """The budget when a call has been paid for."""
        return replace(
            self,
            tokens_spent=self.tokens_spent + usage.input_tokens + usage.output_tokens,
            usd_spent=self.usd_spent + self.dollars(usage.input_tokens + usage.output_tokens, cost_usd),
            unpriced=self.unpriced + (cost_usd is None),
        )

    def dollars(self, tokens: int, cost_usd: float | None) -> float:
        """What a call of so many tokens counts for; `cost_usd` None: its price is not known."""
        return tokens * (self.unpriced_usd or 0.0) / 1_000_000 if cost_usd is None else cost_usd

    def raised(self, tokens: int | None = None, usd: float | None = None, *, unpriced_ok: bool = False) -> Budget:
        """The same spending under new limits; None leaves a limit as it is, and a yes to unpriced calls stands."""
        return replace(
            self,
            tokens=self.tokens if tokens is None else tokens,
            usd=self.usd if usd is None else usd,
            unpriced_ok=self.unpriced_ok or unpriced_ok,
        )

    def would_exceed(self, tokens: int = 0, cost_usd: float | None = 0.0) -> str | None:
        """Why a call of this size does not fit any more, as a clause, or None if it does.

        `cost_usd` None: nobody knows what it costs.
        """
        if self.usd is not None and cost_usd is None and not self.unpriced_ok:
            return f"nobody knows what the next call costs, so that ${self.usd:g} cannot hold it: {PRICE_REMEDY}"
        if self.tokens is not None and self.tokens_spent + tokens > self.tokens:
            return f"{self.tokens_spent:,} of {self.tokens:,} tokens are spent and the next call may take {tokens:,}"
        if self.usd is not None and self.usd_spent + (cost_usd or 0.0) > self.usd:
            return (
                f"${self.usd_spent:.4f} of ${self.usd:.4f} are spent and the next call may cost ${cost_usd or 0.0:.4f}"
            )
        return None
