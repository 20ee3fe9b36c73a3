"""SS-70: what a skin is. The loader, the schema and the documentation are read from these definitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.rulesets.sinew_steel.scores import STAMINA
from astragal.table.fields.shapes import Apart, OneLine, Spelled, Tidy
from astragal.values import frozen

KEY = r"[A-Z][A-Z0-9]{1,4}"

Key = Annotated[str, Spelled(KEY, "two to five capital letters A–Z or digits, a letter first")]
Name = Annotated[str, MinLen(1), MaxLen(60), OneLine()]
Sentence = Annotated[str, MinLen(1), MaxLen(200), OneLine()]
Prose = Annotated[str, MinLen(1), MaxLen(600), Tidy()]
Tag = Annotated[str, MinLen(1), MaxLen(20), OneLine()]

Attack = Literal["heavy", "fast", "clever", "presence", "lucky"]
Defence = Literal["parry", "dodge", "cover", "composure", "chance"]
PluginKind = Literal["feat", "ritual", "ally", "stress"]


@frozen
class Attribute:
    """One of the five."""

    key: Annotated[Key, Doc("Short form, as on the sheet: MGT. STM is taken by Stamina.")]
    label: Annotated[Name, Doc("Its name.")]
    covers: Annotated[Sentence, Doc("What it is tested for.")]
    attack: Annotated[Attack | None, Doc("The way of attacking that it usually answers for.")] = None
    defence: Annotated[Defence | None, Doc("The way of defending that it usually answers for.")] = None


@frozen
class Pressure:
    """The fuse: a track from 0 to 5."""

    name: Annotated[Name, Doc("What the track is called.")]
    steps: Annotated[tuple[Sentence, ...], MinLen(6), MaxLen(6), Doc("How it feels at 0, 1, 2, 3, 4 and 5.")]


@frozen
class Crisis:
    """One face of the crisis die. What it does is in the rules; this is what it looks like here."""

    name: Annotated[Name, Doc("What it is called.")]
    text: Annotated[Prose, Doc("What the table sees happen.")]


@frozen
class Weapon:
    """Something that hurts."""

    name: Name
    edge: Annotated[int, Ge(0), Le(2), Doc("0 light, 1 standard, 2 brutal.")]
    tags: Annotated[tuple[Tag, ...], MaxLen(6), Doc("explosive and plasma pierce where the table plays it so.")] = ()


@frozen
class Armour:
    """Something that soaks."""

    name: Name
    soak: Annotated[int, Ge(1), Le(3)]


@frozen
class Gear:
    """Something that is usual to carry."""

    name: Name
    use: Annotated[Sentence, Doc("What it is good for.")]
    substantial: Annotated[bool, Doc("Counts towards the six that are carried freely.")] = True


@frozen
class Plugin:
    """A rule from the toolkit that is on wherever this skin is played."""

    kind: Annotated[PluginKind, Doc("Which rule it is.")]
    name: Annotated[Name, Doc("What it is called here.")]
    text: Annotated[Prose, Doc("What it is in the story.")]
    crisis: Annotated[Prose | None, Doc("Stress only: what happens when its track is full.")] = None


@frozen
class SampleHero:
    """A hero who is ready to be played, legal at the standard budget."""

    name: Name
    concept: Annotated[Sentence, Doc("Who they are, in a line.")]
    scores: Annotated[Mapping[Key, int], Doc("The five attributes by key, and STM.")]
    gear: Annotated[tuple[Name, ...], MinLen(3), MaxLen(6)]
    advantage: Annotated[Sentence, Doc("One small advantage in words.")]


@frozen
class Skin:
    """A setting for Sinew & Steel: names, colours, gear and people."""

    name: Annotated[Name, Doc("The skin's name.")]
    genre: Annotated[Sentence, Doc("What kind of story it is for, in a line.")]
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

    def usual_attack(self, way: Attack) -> str | None:
        """SS-43: the key of the attribute that is usually rolled to attack in this way."""
        return next((one.key for one in self.attributes if one.attack == way), None)

    def usual_defence(self, way: Defence) -> str | None:
        """SS-43: the key of the attribute that is usually rolled to defend in this way."""
        return next((one.key for one in self.attributes if one.defence == way), None)
