"""Skin files: a setting over the rules, as data, with the options that it fills in for a table. SS-70 to SS-72.

A file is loaded whole, or refused with every fault and its place. The loader, the schema and the documentation are
derived from the definitions here.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
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
    """Find a key of Luck or of agility that no attribute has, and one key for both."""
    luck = raw.get("luck")
    agility = raw.get("agility")
    listed = ", ".join(validation.printable(key, 8) for key in keys[:8])
    for name, key in (("luck", luck), ("agility", agility)):
        is_well_spelt = isinstance(key, str) and re.fullmatch(KEY, key) is not None
        if is_well_spelt and keys and key not in keys:
            yield validation.Problem((name,), found=key, expected=f"the key of an attribute: {listed}")
    if luck in keys and luck == agility:
        yield validation.Problem(("agility",), found=luck, expected="another attribute than Luck")


def _reserved(path: validation.Path, attribute: Mapping[str, Any]) -> Iterator[validation.Problem]:
    if attribute.get("key") == STAMINA:
        expected = "another key: this one is Stamina's in every skin"
        yield validation.Problem((*path, "key"), f"{validation.shown((*path, 'key'))} is {STAMINA}", expected)


def _illegal(path: validation.Path, hero: Mapping[str, Any], keys: list[str]) -> Iterator[validation.Problem]:
    """SS-70, SS-71: sample heroes are legal at the standard budget."""
    scores = hero.get("scores")
    if not isinstance(scores, Mapping) or len(set(keys)) != 5:
        return
    if any(type(score) is not int for score in scores.values()):
        return
    path_of_scores = (*path, "scores")
    legal = f"a hero who is legal with {int(Tone.STANDARD)} build points"
    for fault in build_points(keys, Tone.STANDARD).faults(scores):
        yield validation.Problem(path_of_scores, f"{validation.shown(path_of_scores)}: {fault.words}", legal)


def _crisis(path: validation.Path, plugin: Mapping[str, Any]) -> Iterator[validation.Problem]:
    """SS-67, SS-71: stress needs a crisis, since its track can fill; other plug-ins can't have one."""
    kind = plugin.get("kind")
    if kind not in shapes.choices_in(definitions.shape_of(PluginKind)):
        return
    has_crisis = "crisis" in plugin
    needs_crisis = kind == "stress"
    if has_crisis == needs_crisis:
        return
    path_of_crisis = (*path, "crisis")
    fault = "not wanted" if has_crisis else "missing"
    message = f"{validation.shown(path_of_crisis)} is {fault}"
    yield validation.Problem(path_of_crisis, message, "a crisis for stress, and for no other kind", at_key=has_crisis)


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

    @property
    def words(self) -> str:
        """Name of the weapon, its edge and its tags."""
        marks = ", ".join((f"edge {self.edge}", *self.tags))
        return f"{self.name} ({marks})"


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
        keys = []
        for _, attribute in _tables(raw, "attributes"):
            key = attribute.get("key")
            if isinstance(key, str):
                keys.append(key)
        problems = list(_unknown_keys(raw, keys))
        for path, attribute in _tables(raw, "attributes"):
            problems += _reserved(path, attribute)
        for path, hero in _tables(raw, "heroes"):
            problems += _illegal(path, hero, keys)
        for path, plugin in _tables(raw, "plugins"):
            problems += _crisis(path, plugin)
        return problems

    def fills_in(self) -> dict[str, Any]:
        """SS-70: options of the game that the skin fills in, as plain values. They are of many types: hence Any."""
        usual_attack = {}
        usual_defence = {}
        for attribute in self.attributes:
            if attribute.attack:
                usual_attack[attribute.attack] = attribute.key
            if attribute.defence:
                usual_defence[attribute.defence] = attribute.key
        gear = [{"name": item.name, "substantial": item.substantial} for item in self.gear]
        return {
            "attributes": list(self.keys),
            "luck": self.luck,
            "agility": self.agility,
            "usual_attack": usual_attack,
            "usual_defence": usual_defence,
            "weapons": [plain(weapon) for weapon in self.weapons],
            "armour": [plain(armour) for armour in self.armour],
            "gear": gear[:MOST_KINDS],
            "samples": [plain(hero) for hero in self.heroes],
            "plugins": [plugin.kind for plugin in self.plugins],
        }

    def names(self) -> dict[str, str]:
        """SS-70: terms that people read: labels, the fuse step by step, crises, plug-ins."""
        terms = dict(self.labels)
        for attribute in self.attributes:
            terms[f"{attribute.key}_covers"] = attribute.covers
        terms["luck"] = self.luck_name
        terms["custodian"] = self.custodian
        terms["pressure"] = self.pressure.name
        for step, feeling in enumerate(self.pressure.steps):
            terms[f"pressure_{step}"] = feeling
        for face, crisis in enumerate(self.crises, 1):
            terms[f"crisis_{face}"] = crisis.name
            terms[f"crisis_{face}_text"] = crisis.text
        for item in self.gear:
            terms[f"{item.name}_use"] = item.use
        for plugin in self.plugins:
            terms[plugin.kind] = plugin.name
            terms[f"{plugin.kind}_text"] = plugin.text
            if plugin.crisis:
                terms[f"{plugin.kind}_crisis"] = plugin.crisis
        return terms

    def lines(self) -> list[str]:
        """The skin as text, a line for each thing."""
        lines = ["Attributes:"]
        for attribute in self.attributes:
            lines.append(f"  {attribute.key} {attribute.label}: {attribute.covers}")
        lines.append(f"{self.luck} is Luck ({self.luck_name}), {self.agility} is agility")
        lines.append(f"Whoever runs the game is the {self.custodian}")
        lines.append(f"{self.pressure.name} (Pressure):")
        for step, feeling in enumerate(self.pressure.steps):
            lines.append(f"  {step}: {feeling}")
        lines.append("Crises:")
        for face, crisis in enumerate(self.crises, 1):
            lines.append(f"  {face}. {crisis.name}: {crisis.text}")
        for plugin in self.plugins:
            lines.append(f"Plays with {plugin.name} ({plugin.kind}): {plugin.text}")
        if self.weapons:
            weapons = [weapon.words for weapon in self.weapons]
            lines.append(f"Weapons: {', '.join(weapons)}")
        if self.armour:
            armour = [f"{piece.name} (soak {piece.soak})" for piece in self.armour]
            lines.append(f"Armour: {', '.join(armour)}")
        if self.gear:
            lines.append("Gear:")
        for item in self.gear:
            lines.append(f"  {item.name}: {item.use}")
        return lines


DEFAULT = "plain"
"""The skin of a table that chose none."""


def default_parts() -> dict[str, object]:
    """Parse the default skin's file, without its options and foes: those are for tables that use it."""
    parts = tomllib.loads(shipped_skin(__package__, DEFAULT))
    fields = {field.name for field in definitions.fields_of(Skin)}
    return {name: part for name, part in parts.items() if name in fields}


@cache
def default_skin() -> Skin:
    """SS-72: the plainest of the skins that come with the program.

    Cached: it saves parsing and checking the file for each hero on paper and each table that uses it. The file ships
    with the program and never changes, so nothing ends it.
    """
    return validation.read(Skin, default_parts())


# ---------------------------------------------------------------- skins of an older format

GENRE = "Imported: the names are its own, the colours are the plain skin's."


def import_manifest(text: str, where: str = "manifest.yaml") -> list[Skin]:
    """SS-70, SS-71: import a manifest's skins, or refuse it with every fault. The default skin fills the gaps."""
    from astragal.table.settings.yaml_files import read_yaml  # takes longer to load than all skins together

    document = read_yaml(text, where)
    default = default_parts()
    skins: list[Skin] = []
    problems: list[validation.Problem] = []
    for name, entry in _entries(document.value):
        if not isinstance(entry, Mapping):
            message = f'the skin "{validation.printable(name)}" is no table'
            problems.append(validation.Problem(("skins", name), message, "name, attributes, luck_key …"))
            continue
        raw = _as_skin_file(name, entry, default)
        skin, faults = validation.examine(Skin, raw)
        for fault in (*faults, *Skin.disagreements(raw)):
            problems.append(_in_manifest(name, entry, worded(fault)))
        if skin is not None:
            skins.append(skin)
    if not problems and not skins:
        problems.append(validation.Problem(("skins",), "there are no skins", "skins: and an entry for each"))
    if problems or document.faults:
        raise document.refused(problems)
    return skins


def skin_files_of(text: str, where: str) -> dict[str, str]:
    """SS-70: convert the manifest's skins to skin files, by ids made from their names."""
    file_by_id: dict[str, str] = {}
    for skin in import_manifest(text, where):
        plain_id = "_".join(re.findall(r"[a-z0-9]+", skin.name.casefold())) or "skin"
        free_id = plain_id
        number = 2
        while free_id in file_by_id:
            free_id = f"{plain_id}_{number}"
            number += 1
        file_by_id[free_id] = written_toml(plain(skin))
    return file_by_id


def _entries(manifest: Any) -> list[tuple[str, Any]]:
    """Skins of a manifest by name. A manifest may hold anything: hence Any."""
    skins = manifest.get("skins") if isinstance(manifest, Mapping) else None
    if not isinstance(skins, Mapping):
        return []
    return [(name, _as_text(entry)) for name, entry in skins.items()]


def _as_text(value: Any) -> Any:
    """Convert integers to text: a manifest has nothing but text, and a skin may be called 1984."""
    if isinstance(value, Mapping):
        return {name: _as_text(entry) for name, entry in value.items()}
    if type(value) is int:
        return str(value)
    return value


def _as_skin_file(name: str, entry: Mapping[str, Any], default: dict[str, Any]) -> dict[str, Any]:
    """Convert an entry to a skin file's fields. An entry names the five attributes and says which is Luck."""
    luck = entry.get("luck_key", default["luck"])
    attributes = entry.get("attributes") or default["attributes"]
    if isinstance(entry.get("attributes"), Mapping):
        attributes = _attributes(entry["attributes"], luck, default)
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


def _attributes(labels: Mapping[str, Any], luck: Any, default: dict[str, Any]) -> list[dict[str, Any]]:
    """Take what each attribute covers from the default skin: Luck's from its Luck, the others' in their order."""
    attribute_by_key = {attribute["key"]: attribute for attribute in default["attributes"]}
    default_luck = attribute_by_key.pop(default["luck"])
    in_order = iter(attribute_by_key.values())
    attributes = []
    for key, label in labels.items():
        model = default_luck if key == luck else next(in_order, default_luck)
        attributes.append({**model, "key": key, "label": label})
    return attributes


def _find_agility(attributes: Any, default_key: str) -> Any:
    """Find agility, which a manifest does not name: the attribute in the place of the default skin's."""
    if isinstance(attributes, list):
        for attribute in attributes:
            if isinstance(attribute, Mapping) and attribute.get("attack") == "fast":
                return attribute.get("key", default_key)
    return default_key


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
