"""What a role is in the scene, judged by what it does there: the words of its identity, background and task."""

from __future__ import annotations

import re
from collections.abc import Sequence

from debate_engine.scenes.lenient.alike import alike
from debate_engine.scenes.scene import Kind

NOUNS: dict[Kind, tuple[str, ...]] = {
    "subject": ("subject", "participant", "respondent", "volunteer", "testee", "examinee", "interviewee"),
    "confederate": (
        "confederate", "influencer", "plant", "insider", "accomplice", "stooge", "actor", "actress", "collaborator",
        "shill", "persuader", "instigator",
    ),
    "moderator": (
        "moderator", "facilitator", "host", "researcher", "experimenter", "observer", "coordinator", "supervisor",
        "instructor", "administrator", "organizer", "organiser", "psychologist", "overseer", "investigator", "mediator",
    ),
}  # fmt: skip
"""The nouns by which scripts call the three kinds of role."""

_OF_OTHERS = re.compile(r"\b(?:of|to|for|with|by)\s+(?:the\s+|an?\s+)?(?=\w).*", re.IGNORECASE)
"""What an identity says of somebody else: `friend of the subject`."""

_PLANTED = r"\b(?:(planted|fake|undercover|disguised|bogus|sham)|simulated|fellow|co-?(?=participant))\b"
"""What stands before a noun for a subject where somebody only passes for one."""

_CERTAIN = ("subject", "confederate", "moderator")

_SIGNS: dict[Kind, str] = {
    "subject": r"\bunaware\b|\bbelie(?:ves?|ving) (?:they|she|he|that|it)|\bthinks? (?:they|she|he)|the impression"
    r"|\bvolunteer|\bnew (?:member|hire|employee|manager|owner)|\bmake\w* (?:\w+ )?(?:decisions?|choices?)"
    r"|\b(?:to )?(?:decide|choose|pick|estimate|vote|allocate|evaluate|assess|judge|respond)\b",
    "confederate": r"\bsubtly|covertly|gently|\binfluenc|\bpersua|\bsway|\bsteer|\bnudg|\bpush\b|\bpressure|\bconvinc"
    r"|\belicit|\btempt|\bencourag\w+ \w+ to (?:continue|keep|persist|stay)|(?:aware|informed) (?:of|about) the "
    r"(?:\w+ )?(?:experiment|study|purpose|aim|goal)|in on the|\bactor\b|\bconfederate\b|\bplant\b|posing as"
    r"|research team|pretend|anchors?\b|\bfram(?:ing|es)\b|to highlight the|downplay"
    r"|without (?:explicitly )?mentioning|aims to|\baccomplice|in league|in truth|\bsecretly|\bbriefed to|\bhired by"
    r"|instructed by the|knows? (?:about )?the (?:\w+ )?(?:aim|purpose|goal)|\bplay\w* down|\btalk\w* \w+ into|\bpraise"
    r"|(?:extreme|very high|very low|high or low) (?:\w+ )?(?:price|number|offer|figure|value|bid)|\bexaggerat"
    r"|(?:overly|very|too) optimistic|\bkeep\w* saying|\b(?:sound|seem)\w* plausible|majority view|\bfavou?r\w* the",
    "moderator": r"\bfacilitat|\boversee|\bmoderat|\bmonitor|\bsupervis|\bcollect\w* data|\bgather\w* data|\brecord"
    r"|\bensur\w+ (?:the|that|adherence|smooth|fair|a|participants|everyone|ethical)|\bexplain the rules"
    r"|\bguide (?:the|participants)|\bneutral|\bunbiased|\bobjective (?:insights|data)|\bimpartial|\bresearcher"
    r"|\bpresent\w* (?:the )?scenarios?|\bmediat|\bprovides? (?:updates|instructions|information)"
    r"|\bconduct\w* the (?:study|experiment|simulation)|\bnot(?:es?|ing) (?:down|all|every)|\bruns? the"
    r"|\bkeeps? (?:order|time)"
    r"|\bread\w* out|\bleads? the|\blogs? (?:all|every)|\bcollects? the|\bhands? out|no stake"
    r"|the same (?:information|words)",
}  # fmt: skip


_WEIGHTS: dict[Kind, float] = {"subject": 1.0, "confederate": 1.7, "moderator": 1.2, "other": 0.0}
"""What one sign of a kind weighs: few but a confederate do what theirs say."""


def kind_of(title: str, identity: str, background: str, task: str) -> Kind:
    """The likeliest kind. `title` is what stood in brackets behind the name; "other" where nothing speaks for any."""
    scores = dict.fromkeys(NOUNS, 0.0)
    told = f"{identity}. {background} {task}"
    identity = _OF_OTHERS.sub("", identity)
    for kind in NOUNS:
        scores[kind] += 12 * _names(title, kind, certain=True) + 8 * _names(title, kind)
        scores[kind] += 9 * _names(identity, kind, certain=True) + _by_noun(identity, kind)
        scores[kind] += _WEIGHTS[kind] * min(4, len(set(re.findall(_SIGNS[kind], told, re.IGNORECASE))))
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] > 0 else "other"


def _by_noun(identity: str, kind: Kind) -> float:
    """How much a loose noun says: the more, the less else the identity says; what was simulated was planted."""
    if not _names(identity, kind):
        return 0.0
    if kind == "subject" and re.search(r"simulated|fellow|co-?participant|fake", identity, re.IGNORECASE):
        return 0.0
    return 4.0 if len(identity.split()) <= 3 else 2.5


def _names(text: str, kind: Kind, *, certain: bool = False) -> bool:
    """Tell whether a text holds a noun of the kind (with `certain`, only the kind's own name)."""
    if planted := re.search(_PLANTED, text, re.IGNORECASE):
        if kind == "subject" and not certain:
            return False
        if kind == "confederate" and planted[1]:
            return True
    nouns: Sequence[str] = [noun for noun in NOUNS[kind] if noun in _CERTAIN] if certain else NOUNS[kind]
    words = re.findall(r"[a-z]+", text.lower())
    return any(alike(word.removesuffix("s"), noun, 0.85) for word in words for noun in nouns)
