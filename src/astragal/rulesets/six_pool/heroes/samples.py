"""Heroes to play at once, each with a line about where they come from. All are legal, and all are ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SAMPLES: tuple[Mapping[str, Any], ...] = (
    {
        "name": "Oda Kestrel",
        "hero_class": "rogue",
        "about": "Salt-Under-Slate, a harbour town where every lock was made by the same dead man, her uncle.",
        "pools": {"STR": 10, "DEX": 18, "CON": 12, "INT": 15, "WIS": 12, "CHA": 10},
        "edges": {"DEX": 1},
        "training": {"lock picking": "expert", "stealth": "trained", "perception": "trained"},
        "armour": 2,
        "abilities": [
            {"name": "light fingers", "uses": 1, "per": "encounter", "rolls": ["check"], "pools": ["DEX"], "up_to": 10}
        ],
    },
    {
        "name": "Brannoc Tull",
        "hero_class": "fighter",
        "about": "The Long Toll, a bridge nine days across; he kept its middle arch until nobody came to relieve him.",
        "pools": {"STR": 18, "DEX": 12, "CON": 15, "INT": 10, "WIS": 12, "CHA": 10},
        "edges": {"STR": 1},
        "training": {"athletics": "trained", "endurance": "trained", "intimidation": "trained"},
        "armour": 6,
        "abilities": [{"name": "old drill", "uses": 1, "per": "encounter", "rolls": ["attack"]}],
    },
    {
        "name": "Ysolde Marr",
        "hero_class": "bard",
        "about": "Court of the Drowned Hours, where the tide decides the season and songs are taken as evidence.",
        "pools": {"STR": 10, "DEX": 12, "CON": 10, "INT": 12, "WIS": 15, "CHA": 18},
        "edges": {"CHA": 1},
        "training": {"persuasion": "trained", "performance": "expert", "insight": "trained"},
        "armour": 1,
        "abilities": [{"name": "second verse", "uses": 1, "per": "day", "pools": ["CHA"]}],
    },
    {
        "name": "Pell of Nine Lamps",
        "hero_class": "wizard",
        "about": "Nine Lamps, a library on stilts above a marsh that answers if one asks it by lamplight.",
        "pools": {"STR": 10, "DEX": 12, "CON": 12, "INT": 18, "WIS": 15, "CHA": 10},
        "edges": {"INT": 1},
        "training": {"arcana": "expert", "history": "trained", "investigation": "trained"},
        "armour": 0,
        "abilities": [{"name": "marginal note", "uses": 2, "per": "day", "rolls": ["check"], "pools": ["INT"]}],
    },
    {
        "name": "Mother Agnes Vole",
        "hero_class": "cleric",
        "level": 5,
        "about": "The Ash Parishes, where chimneys are altars and she has buried three bishops, none of them twice.",
        "pools": {"STR": 10, "DEX": 12, "CON": 15, "INT": 12, "WIS": 24, "CHA": 16},
        "edges": {"WIS": 2},
        "training": {"medicine": "master", "religion": "trained", "persuasion": "trained"},
        "armour": 4,
        "abilities": [{"name": "steady hands", "uses": 1, "per": "day", "pools": ["WIS"]}],
    },
)
"""As files would have them: `read_hero(SAMPLES[0])`."""
