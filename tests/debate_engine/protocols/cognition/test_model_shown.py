"""Words by which a model shows itself, and those of people that sound like it: of these no rating is lost."""

from __future__ import annotations

import pytest

from elenchus.debate_engine.protocols.cognition.model_shown import model_shown


@pytest.mark.parametrize(
    "words",
    [
        "As an AI language model I have no opinions.",
        "As an AI, I cannot own a dog.",
        "As an A.I., I cannot own a dog.",
        "As an AI I consider both sides.",
        "I'm just an AI assistant, made to help.",
        "I'm an AI helper and own no dog.",
        "I am a large language model trained by Google.",
        "Being a chatbot, I know no dogs.",
        "I am a computer program.",
        "As a program that answers questions I own no dog.",
        "My training data says little of it.",
        "My programming does not allow me to take sides.",
        "I was trained on a large amount of text.",
        "I was programmed to be neutral.",
        "I do not have personal opinions or feelings.",
        "I don't have feelings, but many do.",
        "I cannot form beliefs.",
        "Als KI-Sprachmodell habe ich dazu keine Haltung.",
        "Als KI habe ich keinen Hund.",
        "Ich bin nur eine KI und kenne keine Hunde.",
        "Dazu habe ich keine eigenen Meinungen.",
        "En tant qu'IA, je n'ai pas d'avis.",
        "Como modelo de lenguaje, no puedo opinar.",
    ],
)
def test_a_model_shows_itself(words: str) -> None:
    assert model_shown(words)


@pytest.mark.parametrize(
    "words",
    [
        "As a program manager, I plan everything twice.",
        "I am a program director at the theatre.",
        "As an AI researcher I have seen such systems fail.",
        "I'm an AI safety engineer from Lagos.",
        "As a chatbot developer I know better.",
        "My programming skills pay my rent.",
        "My developers tell me otherwise.",
        "I was trained on the old looms.",
        "I don't have any opinion on winter sports.",
        "I do not have opinions about clothes.",
        "I don't have feelings about yoga either way.",
        "I don't have any beliefs of that kind.",
        "I cannot express emotions well.",
        "As a girl I worked as a model for a painter.",
        "Als KI-Forscherin sehe ich das anders.",
        "Ich bin KI-Entwickler und habe zwei Katzen.",
        "Als Köchin halte ich von KI nichts, und als Assistent taugt sie auch nicht.",
        "Ich habe dazu keine eigene Meinung, ich kenne keine Hunde.",
        "Je suis une ancienne cuisinière.",
        "Soy una cocinera, y como pescado.",
    ],
)
def test_people_of_such_trades_and_people_without_an_opinion_do_not(words: str) -> None:
    assert model_shown(words) == ""
