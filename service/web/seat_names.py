"""Made-up names that are offered to people on seats: short, easy to say, nobody's own."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from elenchus.service.web.strings import Language

FIRST: Mapping[Language, tuple[str, ...]] = {
    "en": (
        "Amber", "Brisk", "Calm", "Clever", "Copper", "Crimson", "Eager", "Gentle", "Golden", "Jolly", "Keen", "Lively",
        "Mellow", "Merry", "Nimble", "Olive", "Patient", "Quiet", "Rapid", "Scarlet", "Silver", "Steady", "Sunny",
        "Violet",
    ),
    "de": (
        "Bernstein", "Eis", "Feder", "Flieder", "Garten", "Gold", "Herbst", "Kupfer", "Laub", "Licht", "Mai", "Moos",
        "Mond", "Nebel", "Regen", "Sand", "Silber", "Sommer", "Sonnen", "Stein", "Sternen", "Wald", "Wiesen", "Wind",
    ),
}  # fmt: skip
SECOND: Mapping[Language, tuple[str, ...]] = {
    "en": (
        "Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Hare", "Heron", "Ibis", "Jay", "Lark",
        "Lynx",
        "Marten", "Otter", "Owl", "Panda", "Puffin", "Raven", "Robin", "Seal", "Stork", "Swan", "Wren",
    ),
    "de": (
        "amsel", "biber", "dachs", "drossel", "eule", "falke", "fink", "fuchs", "hase", "igel", "kranich", "lerche",
        "luchs", "marder", "meise", "otter", "rabe", "reh", "reiher", "robbe", "schwan", "specht", "storch", "wiesel",
    ),
}  # fmt: skip
BETWEEN: Mapping[Language, str] = {"en": " ", "de": ""}


def offered_name(session: str, seat: str, language: Language) -> str:
    """The name that is offered for a seat of a session: the same at every visit."""
    drawn = int.from_bytes(sha256(f"{session}/{seat}".encode()).digest()[:8])
    first, second = FIRST[language], SECOND[language]
    return first[drawn % len(first)] + BETWEEN[language] + second[drawn // len(first) % len(second)]
