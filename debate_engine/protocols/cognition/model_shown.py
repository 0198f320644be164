"""Words by which a reply shows that a model speaks: English, with the commonest German, French and Spanish turns. Pure.

Another wording passes. What people say of their trade (“as an AI researcher”, “my programming skills”), or who have no
opinion on something, is none of these: their rating would be lost, and more often a neutral one.
"""

from __future__ import annotations

import re

_TRADE = (
    r"(?![ -](?:(?!(?:i|we|you|he|she|it|that|who|which)\b)\w+ )?"
    r"(?!(?:never|rather|however|other|helper|computer|character)\b)"
    r"(?:\w{2,}(?:er|or|ist|ian|yst|ast)|student|expert|consultant|advocate|s[ck]eptic|critic|fan|lead|professional)s?\b)"
)
"""What does not follow: a trade, or another word for people, perhaps behind one word more."""
_MODEL = (
    r"(?:(?:ai|a\.i\.|artificial intelligence|(?:large )?language model|llm|(?:chat ?)?bot|virtual assistant)(?!\w)"
    rf"{_TRADE}|(?:computer )?program(?=[^\w\s-]|$| (?:that|which|and|or|i)\b))"
)
_MODEL_DE = (
    r"(?:KI(?:-\w*(?:modell|assistent\w*|system|bot|programm))?(?![\w-])|künstliche intelligenz|sprachmodell|chatbot"
    r"|virtueller assistent|computerprogramm)"
)
_MODEL_FR = r"(?:IA|intelligence artificielle|modèle de langage|assistant virtuel|chatbot)"
_MODEL_ES = r"(?:IA|inteligencia artificial|modelo de lenguaje|asistente virtual|chatbot)"
_NOT = r"I (?:do not|don['’]t|cannot|can['’]t)"
_AS_MODEL = re.compile(
    rf"\b(?:as|being) an? (?:\w+ )?{_MODEL}"
    rf"|\bI(?:['’]m| am)(?: just| only| merely)? an? (?:\w+ )?{_MODEL}"
    r"|\bmy (?:training data|training cut-?off|knowledge cut-?off|creators at)\b"
    r"|\bmy programming (?:does|doesn['’]t|forbids|prevents|tells|says|allows)\b"
    r"|\bmy developers (?:have )?(?:trained|made|built|designed|programmed)\b"
    r"|\bI (?:was|am|have been) programmed (?:to|not)\b"
    r"|\bI (?:was|am|have been) trained on (?:\w+ ){0,4}(?:data|datasets?|texts?|internet)\b"
    r"|\bI (?:was|am|have been) (?:trained|developed|made|created|programmed) by (?:OpenAI|Anthropic|Google|Meta)\b"
    rf"|\b{_NOT} (?:have|hold|form|possess|express) (?:any )?(?:(?:personal|own|human) )+"
    r"(?:opinions?|feelings?|beliefs?|emotions?|consciousness)\b"
    rf"|\b{_NOT} (?:have|hold|form|possess) (?:any )?(?:opinions|feelings|beliefs|emotions|consciousness)\b"
    r"(?! (?:about|for|in|of|on|that|there|to|towards?)\b)"
    rf"|\b(?:als|ich bin)(?: nur)?(?: eine?)? (?:reine[sr]? |große[sr]? )?{_MODEL_DE}\b"
    r"|\b(?:habe|besitze) (?:ich )?keine (?:eigenen|persönlichen) (?:meinungen|gefühle|überzeugungen)\b"
    rf"|\b(?:en tant qu['’]|je suis (?:juste )?|comme )(?:une? )?{_MODEL_FR}\b"
    rf"|\b(?:como|soy)(?: solo)?(?: una?)? {_MODEL_ES}\b",
    re.IGNORECASE,
)


def model_shown(text: str) -> str:
    """The words by which a text shows that a model speaks, "" where none does."""
    found = _AS_MODEL.search(text)
    return found[0] if found else ""
