"""SS-70: what a skin of this game says besides the shared parts: attributes, Pressure, crises, gear, plug-ins.

The loader, the schema and the documentation are read from these definitions, and so is what a table is opened with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from astragal.game import Value
from astragal.game.fields import Apart, Doc, Ge, Le, MaxLen, MinLen, OneLine, Spelled
from astragal.rulesets.sinew_steel.scores import STAMINA
from astragal.table.authoring import skin_files
from astragal.table.authoring.skin_files import Name, Prose, Sentence
from astragal.table.fields.validation import Problem
from astragal.table.visibility.redact import plain

from .agreement import KEY, PluginKind, disagreements

MOST_KINDS = 64
"""As many of one kind of thing as an option can list."""

Key = Annotated[str, Spelled(KEY, "two to five capital letters A–Z or digits, a letter first")]
Tag = Annotated[str, MinLen(1), MaxLen(20), OneLine()]

Attack = Literal["heavy", "fast", "clever", "presence", "lucky"]
Defence = Literal["parry", "dodge", "cover", "composure", "chance"]


class Attribute(Value):
    """One of the five."""

    key: Annotated[Key, Doc("Short form, as on the sheet: MGT. STM is taken by Stamina.")]
    label: Annotated[Name, Doc("Its name.")]
    covers: Annotated[Sentence, Doc("What it is tested for.")]
    attack: Annotated[Attack | None, Doc("The way of attacking that it usually answers for.")] = None
    defence: Annotated[Defence | None, Doc("The way of defending that it usually answers for.")] = None


class Pressure(Value):
    """The fuse: a track from 0 to 5."""

    name: Annotated[Name, Doc("What the track is called.")]
    steps: Annotated[tuple[Sentence, ...], MinLen(6), MaxLen(6), Doc("How it feels at 0, 1, 2, 3, 4 and 5.")]


class Crisis(Value):
    """One face of the crisis die. What it does is in the rules; this is what it looks like here."""

    name: Annotated[Name, Doc("What it is called.")]
    text: Annotated[Prose, Doc("What the table sees happen.")]


class Weapon(Value):
    """Something that hurts."""

    name: Name
    edge: Annotated[int, Ge(0), Le(2), Doc("0 light, 1 standard, 2 brutal.")]
    tags: Annotated[tuple[Tag, ...], MaxLen(6), Doc("explosive and plasma pierce where the table plays it so.")] = ()


class Armour(Value):
    """Something that soaks."""

    name: Name
    soak: Annotated[int, Ge(1), Le(3)]


class Gear(Value):
    """Something that is usual to carry."""

    name: Name
    use: Annotated[Sentence, Doc("What it is good for.")]
    substantial: Annotated[bool, Doc("Counts towards the six that are carried freely.")] = True


class Plugin(Value):
    """A rule from the toolkit that is on wherever this skin is played."""

    kind: Annotated[PluginKind, Doc("Which rule it is.")]
    name: Annotated[Name, Doc("What it is called here.")]
    text: Annotated[Prose, Doc("What it is in the story.")]
    crisis: Annotated[Prose | None, Doc("Stress only: what happens when its track is full.")] = None


class SampleHero(Value):
    """A hero who is ready to be played, legal at the standard budget."""

    name: Name
    concept: Annotated[Sentence, Doc("Who they are, in a line.")]
    scores: Annotated[Mapping[Key, int], Doc("The five attributes by key, and STM.")]
    gear: Annotated[tuple[Name, ...], MinLen(3), MaxLen(6)]
    advantage: Annotated[Sentence, Doc("One small advantage in words.")]


class Skin(skin_files.Skin):
    """A setting for Sinew & Steel: names, colours, gear, people, foes, moves and a first adventure."""

    FILLED: ClassVar[frozenset[str]] = frozenset(
        ("attributes", "luck", "agility", "usual_attack", "usual_defence", "weapons", "armour", "gear")
    ) | {"samples", "plugins"}

    luck: Annotated[Key, Doc("The key of the attribute that is Luck.")]
    agility: Annotated[Key, Doc("The key of the attribute that too much baggage hinders.")]
    luck_name: Annotated[Name, Doc("What Luck and its tokens are called.")]
    attributes: Annotated[tuple[Attribute, ...], MinLen(5), MaxLen(5), Apart(("key", "label", "attack", "defence"))]
    pressure: Pressure
    crises: Annotated[tuple[Crisis, ...], MinLen(6), MaxLen(6), Apart(("name",)), Doc("In the order of the d6.")]
    weapons: Annotated[tuple[Weapon, ...], MaxLen(40), Apart(("name",))] = ()
    armour: Annotated[tuple[Armour, ...], MaxLen(20), Apart(("name",))] = ()
    gear: Annotated[tuple[Gear, ...], MaxLen(60), Apart(("name",))] = ()
    plugins: Annotated[tuple[Plugin, ...], MaxLen(4), Apart(("kind", "name")), Doc("At most one of each kind.")] = ()
    heroes: Annotated[tuple[SampleHero, ...], MaxLen(12), Apart(("name",))] = ()
    custodian: Annotated[Name, Doc("What whoever runs the game is called.")] = "Custodian"

    @property
    def keys(self) -> tuple[str, ...]:
        """The five keys, in the skin's order."""
        return tuple(attribute.key for attribute in self.attributes)

    @property
    def labels(self) -> dict[str, str]:
        """What each score is called, Stamina included."""
        return {attribute.key: attribute.label for attribute in self.attributes} | {STAMINA: "Stamina"}

    @classmethod
    def disagreements(cls, raw: Mapping[str, Any]) -> list[Problem]:
        return disagreements(raw)

    def fills_in(self) -> dict[str, Any]:
        """SS-70: what the rules ask a skin for."""
        return {
            "attributes": list(self.keys),
            "luck": self.luck,
            "agility": self.agility,
            "usual_attack": {one.attack: one.key for one in self.attributes if one.attack},
            "usual_defence": {one.defence: one.key for one in self.attributes if one.defence},
            "weapons": [plain(one) for one in self.weapons],
            "armour": [plain(one) for one in self.armour],
            "gear": [{"name": one.name, "substantial": one.substantial} for one in self.gear][:MOST_KINDS],
            "samples": [plain(hero) for hero in self.heroes],
            "plugins": [plugin.kind for plugin in self.plugins],
        }

    def names(self) -> dict[str, str]:
        """SS-70: what people read: labels, the fuse step by step, crises, plug-ins."""
        return {
            **self.labels,
            **{f"{one.key}_covers": one.covers for one in self.attributes},
            "luck": self.luck_name,
            "custodian": self.custodian,
            "pressure": self.pressure.name,
            **{f"pressure_{step}": text for step, text in enumerate(self.pressure.steps)},
            **{f"crisis_{face}": crisis.name for face, crisis in enumerate(self.crises, 1)},
            **{f"crisis_{face}_text": crisis.text for face, crisis in enumerate(self.crises, 1)},
            **{f"{one.name}_use": one.use for one in self.gear},
            **{plugin.kind: plugin.name for plugin in self.plugins},
            **{f"{plugin.kind}_text": plugin.text for plugin in self.plugins},
            **{f"{plugin.kind}_crisis": plugin.crisis for plugin in self.plugins if plugin.crisis},
        }

    def lines(self) -> list[str]:
        weapons = [f"{one.name} (edge {one.edge}{''.join(f', {tag}' for tag in one.tags)})" for one in self.weapons]
        return [
            "Attributes:",
            *(f"  {one.key} {one.label}: {one.covers}" for one in self.attributes),
            f"{self.luck} is Luck ({self.luck_name}), {self.agility} is agility",
            f"Whoever runs the game is the {self.custodian}",
            f"{self.pressure.name} (Pressure):",
            *(f"  {step}: {text}" for step, text in enumerate(self.pressure.steps)),
            "Crises:",
            *(f"  {face}. {crisis.name}: {crisis.text}" for face, crisis in enumerate(self.crises, 1)),
            *(f"Plays with {plugin.name} ({plugin.kind}): {plugin.text}" for plugin in self.plugins),
            *([f"Weapons: {', '.join(weapons)}"] if weapons else []),
            *([f"Armour: {', '.join(f'{one.name} (soak {one.soak})' for one in self.armour)}"] if self.armour else []),
            *(["Gear:", *(f"  {one.name}: {one.use}" for one in self.gear)] if self.gear else []),
        ]
