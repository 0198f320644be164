"""Made-up names that a class sees: stars and moons. They are in no log: there everybody has another made-up name."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count
from random import Random

_STARS = """
    Achernar Acrux Adhara Albireo Alcor Alcyone Aldebaran Alderamin Algenib Algieba Algol Alhena Alioth Alkaid Almach
    Alnair Alphard Alpheratz Altair Ankaa Antares Arcturus Atlas Atria Avior Bellatrix Betelgeuse Callisto Canopus
    Capella Caph Ceres Charon Deimos Deneb Denebola Diphda Dubhe Elnath Eltanin Enceladus Enif Errai Europa Fomalhaut
    Gacrux Ganymede Gienah Gomeisa Hadar Hamal Hygiea Hyperion Iapetus Io Izar Kochab Markab Megrez Menkar Merak
    Merope Mimas Mintaka Mira Mirach Mirfak Mirzam Mizar Naos Nashira Nereid Nunki Oberon Okul Pallas Phecda Phobos
    Pleione Polaris Pollux Porrima Procyon Proteus Regulus Rigel Rotanev Ruchbah Sabik Sadr Saiph Sargas Scheat
    Schedar Segin Shaula Sheliak Sheratan Sirius Skat Spica Suhail Sulafat Tarazed Taygeta Thuban Titan Toliman
    Triton Umbriel Unuk Vega Vesta Vindemiatrix Wezen Yildun Zaniah Zaurak Zosma
"""
NAMES: tuple[str, ...] = tuple(_STARS.split())


def free_names(taken: Collection[str], chance: Random, n: int = 3) -> list[str]:
    """Names that nobody in the class has, in an order by lot; of more people than stars with a number behind."""
    for turn in count(1):
        tail = f" {turn}" if turn > 1 else ""
        if free := [f"{name}{tail}" for name in NAMES if f"{name}{tail}" not in taken]:
            return chance.sample(free, min(n, len(free)))
    raise AssertionError("numbers do not end")
