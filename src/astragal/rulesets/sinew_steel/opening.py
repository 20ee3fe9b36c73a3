"""A skin at the table: what a table is opened with. SS-70."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from astragal.values import frozen

if TYPE_CHECKING:
    from .skins import Skin

MOST_KINDS = 64
"""As many of one kind of thing as an option can list."""


@frozen
class Opening:
    """What `Host.open` takes for a skin: `host.open("sinew_steel", name=…, game_master=…, **opening(skin).given)`."""

    skin: str
    options: Mapping[str, Any]
    terms: Mapping[str, str]

    @property
    def given(self) -> dict[str, Any]:
        return {"skin": self.skin, "options": dict(self.options), "terms": dict(self.terms)}

    def but(self, **options: Any) -> Opening:
        """The same skin with other options."""
        return Opening(self.skin, {**self.options, **options}, self.terms)


def opening(skin: Skin) -> Opening:
    """SS-70: all that a skin says, as options and terms of a table."""
    return Opening(skin.name, options_of(skin), terms_of(skin))


def options_of(skin: Skin) -> dict[str, Any]:
    """What the rules ask a skin for."""
    return {
        "attributes": list(skin.keys),
        "luck": skin.luck,
        "agility": skin.agility,
        "usual_attack": {one.attack: one.key for one in skin.attributes if one.attack},
        "usual_defence": {one.defence: one.key for one in skin.attributes if one.defence},
        "weapons": [{"name": one.name, "edge": one.edge, "tags": list(one.tags)} for one in skin.weapons],
        "armour": [{"name": one.name, "soak": one.soak} for one in skin.armour],
        "gear": [{"name": one.name, "substantial": one.substantial} for one in skin.gear][:MOST_KINDS],
        "samples": [{**asdict(hero), "scores": dict(hero.scores), "gear": list(hero.gear)} for hero in skin.heroes],
        "plugins": [plugin.kind for plugin in skin.plugins],
    }


def terms_of(skin: Skin) -> dict[str, str]:
    """What people read: labels, the fuse step by step, crises, plug-ins."""
    return {
        **skin.labels,
        **{f"{one.key}_covers": one.covers for one in skin.attributes},
        "luck": skin.luck_name,
        "custodian": skin.custodian,
        "pressure": skin.pressure.name,
        **{f"pressure_{step}": text for step, text in enumerate(skin.pressure.steps)},
        **{f"crisis_{face}": crisis.name for face, crisis in enumerate(skin.crises, 1)},
        **{f"crisis_{face}_text": crisis.text for face, crisis in enumerate(skin.crises, 1)},
        **{f"{one.name}_use": one.use for one in skin.gear},
        **{plugin.kind: plugin.name for plugin in skin.plugins},
        **{f"{plugin.kind}_text": plugin.text for plugin in skin.plugins},
        **{f"{plugin.kind}_crisis": plugin.crisis for plugin in skin.plugins if plugin.crisis},
    }
