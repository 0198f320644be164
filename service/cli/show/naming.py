"""Which steps are speeches, and what a person calls a session."""

from __future__ import annotations

import re

_SPEECH = re.compile(
    r"(?:^|/)(?:opening|closing|round/\d+)/(?:pro|con)(?:/topic/\d+/sample/1)?$|heat/[\d.]+/(?:pro|con)/\d+/speech$"
)


def is_speech(step: str) -> bool:
    """Whether the step's answer is a speech that can be shown while it is written."""
    return bool(_SPEECH.search(step))


_KINDS = {"socrasynth": "debate", "rulegen": "scene"}


def kind_of(protocol: str) -> str:
    """What a person calls a session of this protocol, where that is not the protocol's own name."""
    return _KINDS.get(protocol, protocol)
