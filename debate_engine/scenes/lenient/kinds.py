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
        "interviewer", "referee", "narrator", "chairperson", "proctor",
    ),
}  # fmt: skip
"""The nouns by which scripts call the three kinds of role."""

_ALL = frozenset(noun for nouns in NOUNS.values() for noun in nouns)

_AGENT = re.compile(r"(?:ant|or|er|ist|e)$")
KIN = (
    frozenset(
        _AGENT.sub("", noun) + ending
        for nouns in NOUNS.values()
        for noun in nouns
        for ending in (
            "",
            "e",
            "s",
            "es",
            "ed",
            "ing",
            "ion",
            "ions",
            "ive",
            "ively",
            "ly",
            "al",
            "ate",
            "ates",
            "ated",
            "ating",
        )
    )
    - _ALL
)
"""Words that look like a noun for a role but are its verb (`participate`) or another kin."""

_OF_OTHERS = re.compile(r"\b(?:of|to|for|with|by)\s+(?:the\s+|an?\s+)?(?=\w).*", re.IGNORECASE)
"""What an identity says of somebody else: `friend of the subject`."""

_PLANTED = r"\b(?:(planted|fake|undercover|disguised|bogus|sham)|simulated|fellow|co-?(?=participant))\b"
"""What stands before a noun for a subject where somebody only passes for one."""

_CERTAIN = ("subject", "confederate", "moderator")

_AIM = r"(?:the |\w+[’']s? )?(?:\w+[’']?s? )?(?:experiment|study|purpose|aim|goal|hypothesis)"
_STAFF = (
    r"(?:the |an? )?(?:researchers?|experimenters?|investigators?|scientists?|research (?:team|staff)|lab|moderator)\b"
)

_SIGNS: dict[Kind, str] = {
    "subject": r"\bvolunteer|\bguinea[- ]pig|\btest person\b"
    r"|\b(?:is|are|one|person|whom?|we|they) (?:\w+ )?(?:stud(?:y|ied)|observed?|watched)\b"
    r"|\bna[iï]ve\b|\bsigned up\b|\banswered an? (?:ad\b|advert|notice|call)|\bwas invited\b"
    r"|\b(?:real|genuine) (?:participant|test person)"
    r"|\bnew (?:member|hire|employee|manager|owner)|\bmake\w* (?:\w+ )?(?:decisions?|choices?)",
    "confederate": r"\bsubtly|covertly|gently|\binfluenc|\bpersua|\bsway|\bsteer|\bnudg|\bpush\b|\bpressure|\bconvinc"
    rf"|\belicit|\btempt|\bencourag\w+ \w+ to (?:continue|keep|persist|stay)|\b(?:aware|informed) (?:of|about) {_AIM}"
    rf"|\b(?:trained|coached|prepared|told|played|sent|placed) by {_STAFF}|\bworks? (?:for|with) us\b"
    rf"|\bworks? for {_STAFF}"
    r"|\b(?:poses|passes) as\b|\bfollows? (?:a|the|his|her|their) script|\bundercover\b|\bnot a real\b"
    r"|\bplayed by an? (?:\w+ )?(?:assistant|actor|actress)\b"
    r"|\bactress\b|\bon purpose\b|\bdoubt (?:her|his|their)\b|\bpush\w* for\b"
    r"|\bin on (?:the|it)\b|\bactor\b|\bconfederate\b|\bplant\b|\bplanted\b|posing as"
    r"|\b(?:work\w*|cooperat\w+|collaborat\w+|agreed|act(?:s|ing)|briefed|instructed|hired|paid|script\w*|directed)\b"
    rf"[^.;,]{{0,20}}\b(?:with|by|from|of|for) {_STAFF}|{_STAFF}[’'] (?:instructions|orders|helpers?)"
    r"|research team|pretend|anchors?\b|\bfram(?:ing|es)\b|to highlight the|downplay"
    r"|without (?:explicitly )?mentioning|aims to|\baccomplice|in league|in truth|\bsecretly|\bbriefed to|\bhired by"
    r"|instructed (?:by the|beforehand)"
    rf"|\bknows? (?:about )?{_AIM}|\bplays? along|\bplay\w* down|\btalk\w* \w+ into|\bpraise"
    r"|(?:extreme|very high|very low|high or low) (?:\w+ )?(?:price|number|offer|figure|value|bid)|\bexaggerat"
    r"|(?:overly|very|too) optimistic|\bkeep\w* saying|\b(?:sound|seem)\w* plausible|majority view|\bfavou?r\w* the",
    "moderator": r"\bfacilitat|\boversee|\bmoderat|\bmonitor|\bsupervis|\bcollect\w* data|\bgather\w* data|\brecord"
    r"|\b(?:ensur\w+|mak\w+ sure) (?:the|that|adherence|smooth|fair|a|participants|everyone|ethical)"
    r"|\bexplain the rules"
    r"|\bguides? (?:the|participants|(?:\w+ )?through)\b|\bneutral|\bunbiased"
    r"|\bobjective (?:insights|data)|\bimpartial|\bresearcher"
    r"|\bpresent\w* (?:the )?scenarios?|\bmediat|\bpresid|\bprovides? (?:updates|instructions|information)"
    r"|\b(?:conduct\w*|carr\w+ out) the (?:study|experiment|simulation)|\bnot(?:es?|ing) (?:down|all|every)|\bruns? the"
    r"|\bkeeps? (?:order|time)"
    r"|\bread\w* out|\bleads? the (?!opinion)|\blogs? (?:all|every)|\bcollects? the|\bhands? out|no stake"
    r"|the same (?:information|words)",
}  # fmt: skip
"""What speaks for a kind in all that is said of a role."""

_DECIDES = r"\b(?:decide|choose|pick|estimate|vote|allocate|evaluate|assess|judge|respond|reach)\b"
"""What a subject does; not looked for in its identity, where it may be an office."""

_BELIEVES = re.compile(
    r"\bbelie(?:ves?|ving) (?:they|she|he|that|it|the|this)\b|\bthinks? (?:they|she|he|that|it|the|this)\b"
    r"|the impression",
    re.IGNORECASE,
)
_UNKNOWING = re.compile(
    r"\bun(?:aware|informed|suspecting|knowing\w*)\b[^.;,]*"
    r"|\bknow(?:s|ing)? nothing\b[^.;,]*"
    r"|(?:\b(?:not?|never|without)|n[’']t)\s+(?:\w+\s+){0,3}?(?:aware|inform\w*|told|know\w*|idea|knowledge|briefed)\b[^.;,]*",
    re.IGNORECASE,
)
"""Who does not know what it is about: words in such a clause are no sign of one who does."""

_THEIR_WORK = re.compile(rf"\b(?:with|by|from|of|for|to) {_STAFF}", re.IGNORECASE)
"""Somebody else who leads: no sign that the role does."""

_REVEALED = re.compile(
    r"\b(?:in (?:truth|reality|fact)|actually|really|secretly)\s+an?\s+(?:\w+\s+)?"
    r"(?:actor|actress|confederate|assistant|accomplice)\b|\b(?:a|the) confederate of\b"
    rf"|\b(?:trained|instructed|briefed|hired|paid|planted|played|sent|placed) by {_STAFF}"
    rf"|\bworks? for {_STAFF}",
    re.IGNORECASE,
)
"""Who is told to be another than the identity says."""
_IN_TRUTH_ANOTHER = 4.5

_WEIGHTS: dict[Kind, float] = {"subject": 1.0, "confederate": 1.7, "moderator": 1.2, "other": 0.0}
"""What one sign of a kind weighs: few but a confederate do what theirs say."""
_KNOWS_NOT, _HAS_A_BELIEF = 3.4, 2.0
"""What it weighs for a subject that somebody is told not to know, or to believe, what the session is for."""


def is_called(text: str, kind: Kind) -> bool:
    """Tell whether a text calls somebody by a noun of the kind."""
    return kind in NOUNS and _names(_OF_OTHERS.sub("", text), kind)


def kind_of(title: str, identity: str, background: str, task: str, *, by_unknowing: bool = True) -> Kind:
    """The likeliest kind. `title` is what stood in brackets behind the name; "other" where nothing speaks for any.

    `by_unknowing`: who does not know, or believes, what the session is for is likely to be a subject.
    """
    scores = dict.fromkeys(NOUNS, 0.0)
    told = _UNKNOWING.sub(" ", f"{identity}. {background} {task}")
    about = {"moderator": _THEIR_WORK.sub(" ", told)}
    of_itself = f"{identity}. {background}"
    title, identity = _OF_OTHERS.sub("", title), _OF_OTHERS.sub("", identity)
    for kind in NOUNS:
        scores[kind] += 12 * _names(title, kind, certain=True) + 8 * _names(title, kind)
        scores[kind] += 9 * _names(identity, kind, certain=True) + _by_noun(identity, kind)
        scores[kind] += _WEIGHTS[kind] * min(4, _count(_SIGNS[kind], about.get(kind, told)))
    scores["confederate"] += _IN_TRUTH_ANOTHER * bool(_REVEALED.search(told))
    scores["subject"] += min(3, _count(_DECIDES, f"{background} {task}"))
    scores["subject"] += by_unknowing * _KNOWS_NOT * bool(_UNKNOWING.search(of_itself))
    scores["subject"] += by_unknowing * _HAS_A_BELIEF * bool(_BELIEVES.search(_UNKNOWING.sub(" ", of_itself)))
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] > 0 else "other"


def _count(signs: str, text: str) -> int:
    """How many different ones of the signs a text bears."""
    return len(set(re.findall(signs, text, re.IGNORECASE)))


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
    words = [word.removesuffix("s") for word in re.findall(r"[a-z]+", text.lower())]
    return any(word == noun if word in _ALL else alike(word, noun, 0.85) for word in words for noun in nouns)


def names_a_kind(text: str) -> bool:
    """Tell whether a text holds a noun for any kind of role."""
    words = [word.removesuffix("s") for word in re.findall(r"[a-z]+", text.lower())]
    return any(alike(word, noun, 0.85) for word in words if word not in KIN for noun in _ALL)
