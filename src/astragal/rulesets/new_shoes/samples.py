"""Heroes to begin with at once, each with the setting they were made for."""

from __future__ import annotations

from astragal.values import frozen

from .drafts import Hero


@frozen
class Sample:
    hero: Hero
    setting: str


NAMES = (
    "Almut",
    "Bram Osei",
    "Cato Lindqvist",
    "Dalia Moreau",
    "Edda of the Locks",
    "Faris",
    "Grete Halloran",
    "Ishaan Roth",
    "Juno Pell",
    "Kasimir",
    "Lotte Abara",
    "Mirko Sand",
)
"""For heroes whom nobody has named yet."""

SAMPLES = (
    Sample(
        Hero(
            name="Ottilie Brandt",
            body=2,
            mind=5,
            will=3,
            about="Mends clocks that nobody else will touch, and keeps a list of the ones that lied.",
        ),
        "A harbour town where the tide brings in yesterday’s letters.",
    ),
    Sample(
        Hero(
            name="Teodor Vask",
            body=6,
            mind=2,
            will=2,
            about="Hauls other people’s pianos up other people’s stairs, and hums what he would play on them.",
        ),
        "A city built upwards, in which nobody has seen the ground for forty years.",
    ),
    Sample(
        Hero(
            name="Nhu Falk",
            body=3,
            mind=3,
            will=4,
            about="Was the youngest judge of the river courts until she ruled against the river.",
        ),
        "Barge country, where the water is a citizen and votes.",
    ),
    Sample(
        Hero(
            name="Pim Okonjo",
            body=4,
            mind=4,
            will=2,
            about="Delivers parcels to places that are not on the map yet, always a day early.",
        ),
        "The survey years: the coast is still being drawn, and it moves.",
    ),
    Sample(
        Hero(
            name="Sister Avelin",
            body=1,
            mind=2,
            will=7,
            about="Has kept one candle burning for sixty winters, and has never said what for.",
        ),
        "A mountain house at the end of the last road, before the long snow.",
    ),
)
