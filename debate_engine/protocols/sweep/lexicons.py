"""English word lists for the measures of a speech.

The lists are our own, put together from general knowledge of English for this purpose; they are no standard instrument
and were validated against nothing. (The idea of counting hedges and boosters is Hyland's, *Metadiscourse*, 2005; his
lists were not used.) A trailing `*` stands for any ending.
"""

from __future__ import annotations

import re
from typing import Literal

Category = Literal["hedges", "boosters", "polarising", "risk", "benefit"]
CATEGORIES: tuple[Category, ...] = ("hedges", "boosters", "polarising", "risk", "benefit")
SCALES: tuple[tuple[Category, ...], ...] = (("hedges", "boosters", "polarising"), ("risk", "benefit"))
"""The lists that share no entry: within a scale a word counts once, for the longest entry that holds it."""

_ENTRIES: dict[Category, str] = {
    # words that leave room for doubt
    "hedges": """
        may, might, could, perhaps, maybe, possibly, possible, possibility, probably, probable, likely, unlikely,
        potential, potentially, presumably, apparently, arguably, seemingly, seem*, appear, appears, appeared, suggest,
        suggests, suggested, tend, tends, tended, tendency, somewhat, relatively, fairly, rather, generally, usually,
        typically, often, sometimes, occasionally, frequently, mostly, mainly, largely, partly, partially, partial,
        roughly, approximately, about half, almost, nearly, uncertain*, unclear, unsure, doubtful, assume*, assuming,
        estimate*, indicate, indicates, believe, believes, i think, we think, in my view, in our view, in my opinion,
        to some extent, to a certain extent, to some degree, in some cases, in many cases, in some ways, in part,
        in general, in principle, in theory, on balance, on the whole, more or less, under some conditions,
        under certain conditions, it depends, depends on, depending on, not necessarily, not always, provided that,
        so far, with caution, cautious*, careful consideration, tentative*, reservation*
    """,
    # words that close the room for doubt, without condemning
    "boosters": """
        clearly, clear that, certainly, certain that, definitely, undoubtedly, doubtless, obviously, obvious,
        evidently, evident, surely, indeed, in fact, of course, no doubt, without doubt, without a doubt, beyond doubt,
        beyond a doubt, undeniabl*, indisputabl*, unquestionabl*, unmistakabl*, strongly, firmly, deeply, highly,
        greatly, hugely, immensely, immense, tremendous*, enormous*, vastly, vast, profound*, extremely,
        exceptionally, extraordinar*, remarkabl*, incredibl*, truly, really, very, proven, proves, proved, demonstrates,
        demonstrated, it is known, we know, i am convinced, we are convinced, wholehearted*, unparalleled,
        without question, beyond question, conclusively, decisively, overwhelming*
    """,
    # absolute or condemning words, which leave the other side no room
    "polarising": """
        always, never, nobody, everyone, everybody, nothing, cannot, can never, impossible, must not, must never,
        must be banned, must be stopped, must be rejected,
        should not be allowed, should never, should be banned, has no place, have no place, there is no place,
        no excuse, no justification, no defence, no defense, no room for, under no circumstances, at all costs,
        at any cost, at no point, the only way, the only choice, the only answer, once and for all, absolutely,
        absolute, totally, total, completely, utterly, utter, entirely, wholly, unacceptabl*, intolerabl*,
        inexcusabl*, indefensibl*, unjustifiabl*, unforgivabl*, unthinkable, unconscionabl*, outrageous*, outrage,
        appalling*, shameful*, disgrace*, despicabl*, reprehensibl*, abhorrent, repugnant, immoral*, unethical*,
        morally wrong, fundamentally wrong, plainly wrong, simply wrong, evil, reckless*, irresponsib*, negligen*,
        arrogan*, hypocri*, cynical*, absurd*, ridiculous*, nonsens*, delusion*, naive*, blatant*, flagrant*, sheer,
        dangerous nonsense, catastroph*, disaster*, disastrous*, devastat*, ruin*, destroy*, destructi*, betray*,
        assault on, attack on, war on, playing god, slippery slope, point of no return, forbid*,
        outlaw*, zero tolerance
    """,
    "risk": """
        risk*, danger*, harm, harms, harmed, harmful*, harming, threat*, hazard*, damag*, unsafe, peril*, jeopard*,
        abuse, abuses, abused, abusive, misuse*, exploit*, inequal*, unequal*, inequit*, unfair*, injustice*, unjust*,
        discriminat*, bias, biases, biased, loss, losses, lose, loses, losing, lost, concern, concerns, concerning,
        worry, worries, worrying, worrisome, fear, fears, adverse*, side effect*, unintended consequence*,
        unforeseen consequence*, negative consequence*, consequences, drawback*, downside*, disadvantag*, fail, fails,
        failed, failing, failure*, vulnerab*, burden*, problem*, erode*, eroding, erosion, undermin*, worsen*, worse,
        suffer*, victim*, toxic*, pollut*, crisis, crises, fatal*, death*, deadly, injur*, catastroph*, disaster*,
        disastrous*, devastat*, destroy*, destructi*, ruin*, weaken*, threaten*, divisi*, exclu*, marginali*, neglect*,
        pitfall*, obstacle*, backlash, chaos, decline*, negative, negatively, costly, penalt*
    """,
    "benefit": """
        benefi*, advantag*, gain, gains, gained, improv*, opportunit*, progress*, promising, help, helps, helped,
        helpful*, helping, cure, cures, cured, heal, heals, healing, save, saves, saved, saving, savings, prosper*,
        grow, grows, growth, effici*, effective*, empower*, enabl*, enrich*, valuable, success*, succeed*, solve*,
        solving, solution*, advance, advances, advanced, advancing, advancement*, breakthrough*, transformative,
        positive*, strength, strengths, strengthen*, safer, cleaner, healthier, healthy, better, best, easier, cheaper,
        fairer, happier, stronger, faster, innovat*, thriv*, flourish*, well-being, wellbeing, reward*, enhanc*,
        boost*, foster*, promot*, uplift*, inclusi*, relief, relieve*, rescue*, useful*, favourabl*, favorabl*,
        merit, merits, worthwhile, hope, hopeful*, promise, promises, excellent, wonderful*
    """,
}

_NEGATORS = (
    "no not never without neither nor hardly scarcely barely little few lack lacks lacking cannot nobody nothing"
)
NEGATORS = frozenset(_NEGATORS.split())
"""They turn a risk word into a benefit word and the reverse; so does any word that ends in n't."""

REDUCER = re.compile(
    r"less|fewer|lower(?:s|ed|ing)?|(?:lessen|reduc|avoid|prevent|minimi|mitigat|eliminat|decreas|curb)[^ ]*"
)
"""Words that turn a risk word ("reduces the risk") and leave a benefit word as it is."""

_FUNCTION_WORDS = (
    "the of and to is are was were be been that this these those for with it its as by from at on not or but have has "
    "had which their they would should could can will more than when there we you an if who"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""By their share a text is taken for English (`measures.is_english`)."""


def entries(category: Category) -> frozenset[str]:
    """The entries of a list."""
    return frozenset(" ".join(entry.split()) for entry in _ENTRIES[category].split(","))
