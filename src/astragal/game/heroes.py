"""Heroes on paper: how they are held against what is bought, those that are ready, and what random ones are made of."""

from astragal.table.authoring.heroes import BoughtHeroes, heroes_in, pick, pick_some, samples_in
from astragal.table.authoring.ruleset import HeroBook, Plain, Repair

__all__ = [
    "BoughtHeroes",
    "HeroBook",
    "Plain",
    "Repair",
    "heroes_in",
    "pick",
    "pick_some",
    "samples_in",
]
