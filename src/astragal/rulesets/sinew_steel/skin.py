"""Skin files: a setting over the rules, as data, with the options that it fills in for a table. SS-70 to SS-72.

A file is loaded whole, or refused with every fault and its place. The loader, the schema and the documentation are
derived from the definitions here.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, count
from typing import Annotated, Any, ClassVar, Literal

from astragal.game import Value
from astragal.game.fields import Apart, Doc, Ge, Le, MaxLen, MinLen, OneLine, Spelled
from astragal.table.authoring import skin_files
from astragal.table.authoring.skin_files import Name, Prose, Sentence
from astragal.table.authoring.skins import shipped_skin
from astragal.table.fields import definitions, shapes, validation
from astragal.table.settings import worded, written_toml
from astragal.table.visibility.redact import plain

from .scores import STAMINA, Tone, build_points

KEY = r"[A-Z][A-Z0-9]{1,4}"
PluginKind = Literal["feat", "ritual", "ally", "stress"]


def _tables(raw: Mapping[str, Any], name: str) -> Iterator[tuple[validation.Path, Mapping[str, Any]]]:
    entries = raw.get(name)
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, Mapping):
            yield (name, place), entry


def _unknown_keys(raw: Mapping[str, Any], keys: list[str]) -> Iterator[validation.Problem]:
    listed = ", ".join(validation.printable(key, 8) for key in keys[:8])
    for name in ("luck", "agility"):
        key = raw.get(name)
        if isinstance(key, str) and re.fullmatch(KEY, key) and keys and key not in keys:
            yield validation.Problem((name,), found=key, expected=f"the key of an attribute: {listed}")
    if (luck := raw.get("luck")) in keys and luck == raw.get("agility"):
        yield validation.Problem(("agility",), found=luck, expected="another attribute than Luck")


def _reserved(path: validation.Path, attribute: Mapping[str, Any]) -> Iterator[validation.Problem]:
    if attribute.get("key") == STAMINA:
        expected = "another key: this one is Stamina's in every skin"
        yield validation.Problem((*path, "key"), f"{validation.shown((*path, 'key'))} is {STAMINA}", expected)


def _illegal(path: validation.Path, hero: Mapping[str, Any], keys: list[str]) -> Iterator[validation.Problem]:
    """SS-70, SS-71: sample heroes are legal at the standard budget."""
    way, scores = (*path, "scores"), hero.get("scores")
    if not isinstance(scores, Mapping) or len(set(keys)) != 5 or any(type(one) is not int for one in scores.values()):
        return
    legal = f"a hero who is legal with {int(Tone.STANDARD)} build points"
    for fault in build_points(keys, Tone.STANDARD).faults(scores):
        yield validation.Problem(way, f"{validation.shown(way)}: {fault.words}", legal)


def _crisis(path: validation.Path, plugin: Mapping[str, Any]) -> Iterator[validation.Problem]:
    """SS-67, SS-71: stress needs a crisis, since its track can fill; other plug-ins can't have one."""
    way, has_crisis = (*path, "crisis"), "crisis" in plugin
    if plugin.get("kind") in shapes.choices_in(definitions.shape_of(PluginKind)) and has_crisis != (
        plugin["kind"] == "stress"
    ):
        wrong = f"{validation.shown(way)} is {'not wanted' if has_crisis else 'missing'}"
        yield validation.Problem(way, wrong, "a crisis for stress, and for no other kind", at_key=has_crisis)


MOST_KINDS = 64
"""Most items of one kind that an option can list."""

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
    """One face of the crisis die: its name and looks in this setting. Its effect is in the rules."""

    name: Annotated[Name, Doc("What it is called.")]
    text: Annotated[Prose, Doc("What the table sees happen.")]


class Weapon(Value):
    """A weapon and its edge."""

    name: Name
    edge: Annotated[int, Ge(0), Le(2), Doc("0 light, 1 standard, 2 brutal.")]
    tags: Annotated[tuple[Tag, ...], MaxLen(6), Doc("explosive and plasma pierce where the table plays it so.")] = ()


class Armour(Value):
    """Armour and its soak."""

    name: Name
    soak: Annotated[int, Ge(1), Le(3)]


class Gear(Value):
    """Usual gear that is neither weapon nor armour."""

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
        """Names of scores by key, Stamina included."""
        return {attribute.key: attribute.label for attribute in self.attributes} | {STAMINA: "Stamina"}

    @classmethod
    def disagreements(cls, raw: Mapping[str, Any]) -> list[validation.Problem]:
        """Find fields that contradict each other. Fields with other faults are skipped if they can't be judged."""
        keys = [key for _, one in _tables(raw, "attributes") if isinstance(key := one.get("key"), str)]
        return [
            *_unknown_keys(raw, keys),
            *(wrong for path, one in _tables(raw, "attributes") for wrong in _reserved(path, one)),
            *(wrong for path, hero in _tables(raw, "heroes") for wrong in _illegal(path, hero, keys)),
            *(wrong for path, plugin in _tables(raw, "plugins") for wrong in _crisis(path, plugin)),
        ]

    def fills_in(self) -> dict[str, Any]:
        """SS-70: options of the game that the skin fills in."""
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
        """SS-70: terms that people read: labels, the fuse step by step, crises, plug-ins."""
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


DEFAULT = "plain"
"""The skin of a table that chose none."""


def default_parts() -> dict[str, object]:
    """Parse the default skin's file, without its options and foes: those are for tables that use it."""
    parts, known = tomllib.loads(shipped_skin(__package__, DEFAULT)), {one.name for one in definitions.fields_of(Skin)}
    return {name: part for name, part in parts.items() if name in known}


@cache
def default_skin() -> Skin:
    """SS-72: the plainest of the skins that come with the program."""
    return validation.read(Skin, default_parts())


# ---------------------------------------------------------------- skins of an older format

GENRE = "Imported: the names are its own, the colours are the plain skin's."


def import_manifest(text: str, where: str = "manifest.yaml") -> list[Skin]:
    """SS-70, SS-71: import a manifest's skins, or refuse it with every fault. The default skin fills the gaps."""
    from astragal.table.settings.yaml_files import read_yaml  # takes longer to load than all skins together

    document, default = read_yaml(text, where), default_parts()
    skins: list[Skin] = []
    problems: list[validation.Problem] = []
    for name, entry in _entries(document.value):
        if not isinstance(entry, Mapping):
            wrong = f'the skin "{validation.printable(name)}" is no table'
            problems.append(validation.Problem(("skins", name), wrong, "name, attributes, luck_key …"))
            continue
        raw = _as_skin_file(name, entry, default)
        skin, found = validation.examine(Skin, raw)
        problems += [_in_manifest(name, entry, worded(one)) for one in (*found, *Skin.disagreements(raw))]
        skins += [skin] if skin else []
    if not problems and not skins:
        problems.append(validation.Problem(("skins",), "there are no skins", "skins: and an entry for each"))
    if problems or document.faults:
        raise document.refused(problems)
    return skins


def skin_files_of(text: str, where: str) -> dict[str, str]:
    """SS-70: convert the manifest's skins to skin files, by ids made from their names."""
    files: dict[str, str] = {}
    for skin in import_manifest(text, where):
        plainly = "_".join(re.findall(r"[a-z0-9]+", skin.name.casefold())) or "skin"
        ids = chain([plainly], (f"{plainly}_{number}" for number in count(2)))
        files[next(one for one in ids if one not in files)] = written_toml(plain(skin))
    return files


def _entries(manifest: Any) -> list[tuple[str, Any]]:
    skins = manifest.get("skins") if isinstance(manifest, Mapping) else None
    return [(name, _words(entry)) for name, entry in skins.items()] if isinstance(skins, Mapping) else []


def _words(value: Any) -> Any:
    """Convert integers to text: a manifest has nothing but text, and a skin may be called 1984."""
    if isinstance(value, Mapping):
        return {name: _words(one) for name, one in value.items()}
    return str(value) if type(value) is int else value


def _as_skin_file(name: str, entry: Mapping[str, Any], default: dict[str, Any]) -> dict[str, Any]:
    """Convert an entry to a skin file's fields. An entry names the five attributes and says which is Luck."""
    own = entry.get("attributes")
    luck = entry.get("luck_key", default["luck"])
    attributes = _attributes(own, luck, default) if isinstance(own, Mapping) else own or default["attributes"]
    return {
        **default,
        "name": entry.get("name", name.replace("_", " ").title()),
        "genre": GENRE,
        "luck": luck,
        "agility": _find_agility(attributes, default["agility"]),
        "luck_name": entry.get("luck_name", default["luck_name"]),
        "attributes": attributes,
        "pressure": {**default["pressure"], "name": entry.get("pressure_track", default["pressure"]["name"])},
        "heroes": [],
        "plugins": [],
        "adventure": None,
    }


def _attributes(own: Mapping[str, Any], luck: Any, default: dict[str, Any]) -> list[dict[str, Any]]:
    """Take what each attribute covers from the default skin: Luck's from its Luck, the others' in their order."""
    lent = {one["key"]: one for one in default["attributes"]}
    chance = lent.pop(default["luck"])
    others = iter(lent.values())
    return [{**(chance if key == luck else next(others, chance)), "key": key, "label": own[key]} for key in own]


def _find_agility(attributes: Any, otherwise: str) -> Any:
    """Find agility, which a manifest does not name: the attribute in the place of the default skin's."""
    tables = [one for one in attributes if isinstance(one, Mapping)] if isinstance(attributes, list) else []
    return next((one.get("key", otherwise) for one in tables if one.get("attack") == "fast"), otherwise)


def _in_manifest(name: str, entry: Mapping[str, Any], problem: validation.Problem) -> validation.Problem:
    """Map a problem of the converted skin to the value of the manifest that it came from."""
    match problem.path:
        case ("attributes", int(place), *_) if isinstance(entry.get("attributes"), Mapping):
            way: validation.Path = ("attributes", list(entry["attributes"])[place])
        case ("pressure", "name"):
            way = ("pressure_track",)
        case ("luck",):
            way = ("luck_key",)
        case _:
            way = problem.path
    return problem._replace(path=("skins", name, *way), at_key=False)
