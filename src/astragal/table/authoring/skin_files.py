"""Skin files: the fields of a skin, and how a file is parsed, validated, tried out, described and applied to a table.

The shared parts are fields of `Skin`. Options, heroes and foes are derived from the game: from its options, and from
the fields of the commands that make heroes and bring in foes. A game whose skins have more declares a subclass:

    class SteelSkin(Skin):
        pressure: Pressure  # one more part, parsed and validated like the others

        def fills_in(self) -> Plain: ...  # options that its parts fill in
"""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, get_type_hints

from annotated_types import Ge, Le, MaxLen, MinLen
from msgspec import field
from typing_extensions import Doc

from astragal.table.authoring.chapter import TableCall
from astragal.table.authoring.ruleset import AppliedSkin, Plain
from astragal.table.declarations import Role, Value, Viewer, copied_into
from astragal.table.fields import validation
from astragal.table.fields.definitions import Apart, OneLine, Tidy, fields_of
from astragal.table.fields.json_schema import schema_of
from astragal.table.refusals import Refusal
from astragal.table.settings import Document, read_toml
from astragal.table.state.pictures import PLATES, PORTRAITS
from astragal.table.state.setting import Adventure, Foe, Look, MoveKind, Prop, Secret, Setting, unreadable
from astragal.table.state.table import HouseOptions, TableState
from astragal.table.state.things import Clock, Face, Hands, Option, Scene, Way
from astragal.table.visibility.redact import plain

if TYPE_CHECKING:
    from astragal.table.authoring.ruleset import Ruleset

Name: TypeAlias = Annotated[str, MinLen(1), MaxLen(60), OneLine()]
Sentence: TypeAlias = Annotated[str, MinLen(1), MaxLen(200), OneLine()]
Prose: TypeAlias = Annotated[str, MinLen(1), MaxLen(600), Tidy()]
Passage: TypeAlias = Annotated[str, MaxLen(2000), Tidy()]
Lines: TypeAlias = Annotated[tuple[Sentence, ...], MaxLen(12)]

PlateName: TypeAlias = Literal[tuple(PLATES)]  # type: ignore[valid-type]
PortraitName: TypeAlias = Literal[tuple(PORTRAITS)]  # type: ignore[valid-type]

FEWEST_OPTIONS = 2
AT_A_TABLE = ("seat", "character", "foe")
"""Kinds of things that exist only at a table, so that a file can't name them."""

# ---------------------------------------------------------------- fields of a skin of any game


class WayOn(Value):
    """A way on from a scene."""

    words: Annotated[Sentence, Doc("What the heroes can do.")]
    way: Annotated[Way, Doc("open, shown as risky, or hidden from players.")] = Way.OPEN
    leads_to: Annotated[Name | None, Doc("The title of the scene that follows; without one, it is yours to tell.")] = (
        None
    )


class SceneDraft(Value):
    """A scene of the adventure, as `write_scene` takes it."""

    title: Annotated[Name, Doc("What it is called.")]
    hook: Annotated[Passage, Doc("What draws the heroes in.")] = ""
    action: Annotated[Passage, Doc("What goes on.")] = ""
    consequence: Annotated[Passage, Doc("What comes of it; best left open.")] = ""
    options: Annotated[tuple[WayOn, ...], MaxLen(4), Doc("Two to four ways on; an ending has none.")] = ()
    save_node: Annotated[bool, Doc("Whether coming here marks a place to rewind to.")] = False
    picture: Annotated[PlateName | None, Doc("Its plate; without one, one that fits its words.")] = None


class ClockDraft(Value):
    """A clock of the adventure."""

    name: Annotated[Name, Doc("What it counts towards.")]
    size: Annotated[int, Ge(2), Le(12), Doc("How many ticks fill it.")] = 6
    face: Annotated[Face, Doc("Whether players see it, know its name, or don't know of it.")] = Face.HIDDEN


class SecretDraft(Value):
    """Something that is true, and that the heroes don't know yet."""

    title: Annotated[Sentence, Doc("What it is about.")]
    words: Annotated[Prose, Doc("The truth of it.")]


class PersonDraft(Value):
    """Someone the heroes meet, to be shown when they do."""

    name: Annotated[Name, Doc("What they are called.")]
    about: Annotated[Prose, Doc("Who they are, as the heroes see them.")]
    portrait: Annotated[PortraitName | None, Doc("Their face.")] = None


class HandoutDraft(Value):
    """A letter, a map, a sign: shown when its time has come."""

    title: Annotated[Sentence, Doc("What it is.")]
    words: Annotated[Passage, Doc("What stands in it.")] = ""
    picture: Annotated[PlateName | None, Doc("What it shows.")] = None


class FirstAdventure(Value):
    """A first adventure: its scenes lie ready for the game master."""

    title: Annotated[Name, Doc("What it is called.")]
    opening: Annotated[Passage, Doc("The words that it begins with.")] = ""
    scenes: Annotated[tuple[SceneDraft, ...], MinLen(1), MaxLen(12), Apart(("title",)), Doc("The first begins it.")]
    clocks: Annotated[tuple[ClockDraft, ...], MaxLen(6), Apart(("name",)), Doc("Clocks that lie ready.")] = ()
    secrets: Annotated[tuple[SecretDraft, ...], MaxLen(12), Doc("What the heroes don't know yet.")] = ()
    people: Annotated[tuple[PersonDraft, ...], MaxLen(12), Apart(("name",)), Doc("Whom the heroes meet.")] = ()
    handouts: Annotated[tuple[HandoutDraft, ...], MaxLen(12), Doc("What can be shown.")] = ()


class Moves(Value):
    """Moves of the game master, for when the players stall. Omens are a fourth kind."""

    escalate: Annotated[Lines, Doc("What gets worse if nobody acts.")] = ()
    terrain: Annotated[Lines, Doc("How the ground changes under the heroes.")] = ()
    bargain: Annotated[Lines, Doc("What they want, now, for a price that hurts.")] = ()


class Skin(Value):
    """A setting over a game: words, options, people, foes, moves and a first adventure. No rule is changed by it."""

    FILLED: ClassVar[frozenset[str]] = frozenset()
    """Options that parts of the skin fill in. A file can't set them under `options`."""

    name: Annotated[Name, Doc("The skin's name.")]
    genre: Annotated[Sentence, Doc("What kind of story it is for, in a line.")]
    about: Annotated[Passage, Doc("The setting in a few sentences.")] = ""
    terms: Annotated[Mapping[str, Sentence], Doc("Words of the game, each with the setting's word for it.")] = field(
        default_factory=dict
    )
    boons: Annotated[Lines, Doc("What heroes can be given: an ally, a favour, a relic.")] = ()
    rites: Annotated[Lines, Doc("Ways to be rid of what weighs on the heroes.")] = ()
    omens: Annotated[Lines, Doc("Signs of what is coming, to be told and not explained.")] = ()
    moves: Annotated[Moves, Doc("Moves for when the players stall.")] = Moves()
    adventure: Annotated[FirstAdventure | None, Doc("A first adventure.")] = None
    look: Annotated[Look | None, Doc("Its colours and its ornament.")] = None
    cover: Annotated[PlateName | None, Doc("The plate that stands for the setting.")] = None
    portraits: Annotated[Mapping[str, PortraitName], Doc("Faces of its people, by name.")] = field(default_factory=dict)

    @classmethod
    def disagreements(cls, _raw: Plain) -> list[validation.Problem]:
        """Find parts that contradict each other. The file may have other faults, too."""
        return []

    def fills_in(self) -> Plain:
        """Return the options of the game that the subclass's own parts fill in."""
        return {}

    def names(self) -> Mapping[str, str]:
        """Return the terms that the subclass's own parts define."""
        return {}

    def lines(self) -> Sequence[str]:
        """Describe the subclass's own parts, in lines."""
        return ()


# ---------------------------------------------------------------- derived from the game


def on_paper(kind: type[Any], without: frozenset[str] = frozenset()) -> type[Value]:
    """Make a type of the fields that a file can have: all but those that name someone at a table, and `without`."""
    hints = get_type_hints(kind, include_extras=True)
    kept = [one for one in fields_of(kind) if one.names not in AT_A_TABLE and one.name not in without]
    defaults = {one.name: one.default for one in kept if not one.required}
    return _declared(kind.__name__, Value, kind.__doc__ or "", {one.name: hints[one.name] for one in kept}, defaults)


def _declared(name: str, base: type, doc: str, hints: Plain, defaults: Plain) -> type[Any]:
    space = {"__annotations__": dict(hints), "__doc__": doc, "__module__": __name__, **defaults}
    meta: Any = type(Value)
    made: type[Any] = meta(name, (base,), space)
    return made


def makers_in(ruleset: Ruleset) -> dict[str, type[Any]]:
    """Return the commands that bring in foes and make heroes, if the game has them."""
    commands = {one.name: one.command for chapter in ruleset.chapters for one in chapter.actions}
    named = {"foes": ruleset.foes, "heroes": ruleset.heroes.make if ruleset.heroes else ""}
    return {part: commands[name] for part, name in named.items() if name}


def kind_for(ruleset: Ruleset, base: type[Skin]) -> type[Any]:
    """Make the type of a game's skins: the shared parts, the game's own, and its options, heroes and foes."""
    options = on_paper(ruleset.options, base.FILLED)
    hints: dict[str, Any] = {"options": Annotated[options, Doc("House rules: options of the game.")]}
    defaults: dict[str, Any] = {"options": options()}
    most = {"foes": 40, "heroes": 12}
    docs = {"foes": "Those who can be brought in by name.", "heroes": "Heroes who are ready to be played."}
    for part, command in makers_in(ruleset).items():
        if part not in get_type_hints(base):
            one: Any = on_paper(command)
            hints[part] = Annotated[tuple[one, ...], MaxLen(most[part]), Apart(("name",)), Doc(docs[part])]
            defaults[part] = ()
    return _declared(base.__name__, base, base.__doc__ or "", hints, defaults)


class SkinFiles:
    """Parser of one game's skins, from the text of files."""

    def __init__(self, ruleset: Ruleset, base: type[Skin] = Skin) -> None:
        self.ruleset = ruleset
        self.kind = kind_for(ruleset, base)
        self._read_once = lru_cache(maxsize=16)(self._read)

    # ------------------------------------------------------------ reading

    def load(self, text: str, where: str = "skin.toml") -> Any:
        """Parse a skin, or refuse with every fault."""
        return self._read_once(text, where)[0]

    def _read(self, text: str, where: str) -> tuple[Any, Document]:
        document = read_toml(text, where)
        skin = document.read(self.kind, lambda raw: [*self._disagreements(raw), *self.kind.disagreements(raw)])
        return skin, document

    def check(self, text: str, where: str) -> None:
        """Refuse a faulty skin. A skin without faults is tried out: its heroes are made and its foes brought in."""
        skin, document = self._read(text, where)
        if problems := list(self._untold(skin)):
            raise document.refused(problems)

    def _untold(self, skin: Any) -> Iterator[validation.Problem]:
        """Try out a skin's options, heroes and foes, and yield the game's own refusals of them."""
        worn = self.wear(skin)
        try:
            options: Any = validation.read(self.ruleset.options, worn.options)
        except Refusal as refusal:
            yield validation.Problem(
                ("options",), f"options: {refusal.sentence.rstrip('.')}", "options that the game takes"
            )
            return
        state: Any = TableState(
            id="trial",
            name="A trial",
            ruleset=self.ruleset.id,
            options=options,
            house=HouseOptions(),
            game=self.ruleset.begin(options),
            terms=ChainMap(dict(worn.terms), dict(self.ruleset.terms)),
        )
        call = TableCall(state, Viewer("trial", Role.GAME_MASTER), "trial")
        makers = makers_in(self.ruleset)
        ready = {"heroes": worn.setting.heroes, "foes": [foe.fields for foe in worn.setting.foes]}
        for part, entries in ready.items():
            for place, fields in enumerate(entries):
                try:
                    validation.read(makers[part], fields).does(call)
                except Refusal as refusal:
                    way = (part, place)
                    wrong = f"{validation.shown(way)} ({fields.get('name', '')}): {refusal.sentence.rstrip('.')}"
                    yield validation.Problem(way, wrong, "what the game's own rules allow")

    # ------------------------------------------------------------ checks across fields

    def _disagreements(self, raw: Plain) -> Iterator[validation.Problem]:
        terms, known = raw.get("terms"), self.ruleset.terms
        for word in terms if isinstance(terms, Mapping) and known else ():
            if word not in known:
                expected = f"one of {', '.join(list(known)[:60])}"
                yield validation.Problem(
                    ("terms", word), f"there is no term {validation.printable(str(word), 60)}", expected, at_key=True
                )
        derived = [name for name in ("options", "heroes", "foes") if name in self.kind.__annotations__]
        yield from (wrong for name in derived for wrong in _unseen(raw.get(name), (name,)))
        look = raw.get("look")
        for name, wrong in unreadable(dict(look)) if isinstance(look, Mapping) else ():
            yield validation.Problem(("look", name), f"look.{name} {wrong}", "a colour in which words can be read")
        adventure = raw.get("adventure")
        if isinstance(adventure, Mapping):
            yield from _broken_ways(adventure.get("scenes"))

    # ------------------------------------------------------------ applied to a table

    def wear(self, skin: Any) -> AppliedSkin:
        moves = {kind.value: getattr(skin.moves, kind.value) for kind in MoveKind if kind is not MoveKind.OMEN}
        own_heroes = "heroes" in self.kind.__annotations__
        return AppliedSkin(
            {**_said(skin.options), **skin.fills_in()},
            {**skin.names(), **skin.terms},
            Setting(
                heroes=tuple(map(_said, skin.heroes)) if own_heroes else (),
                foes=tuple(Foe(id=one.name, name=one.name, fields=_said(one)) for one in getattr(skin, "foes", ())),
                boons=skin.boons,
                rites=skin.rites,
                moves={**moves, MoveKind.OMEN.value: skin.omens},
                adventure=_adventure(skin.adventure),
                look=skin.look,
                cover=skin.cover or "",
                portraits=skin.portraits,
            ),
        )

    # ------------------------------------------------------------ in words

    def describe(self, skin: Any) -> list[str]:
        """Describe all of a skin, in lines. The first is its name and its genre."""
        lines = [f"{skin.name}: {skin.genre}", *([skin.about] if skin.about else []), *skin.lines()]
        lines += _part("Words", [f"{word}: {told}" for word, told in skin.terms.items()])
        lines += _part("Options", [f"{name}: {_in_words(value)}" for name, value in _said(skin.options).items()])
        lines += _part("Heroes", map(_person, skin.heroes))
        lines += _part("Foes", map(_person, getattr(skin, "foes", ())))
        for title, told in (("Boons", skin.boons), ("Rites", skin.rites), ("Omens", skin.omens)):
            lines += _part(title, told)
        moves = {"Escalations": skin.moves.escalate, "Terrain": skin.moves.terrain, "Bargains": skin.moves.bargain}
        for title, told in moves.items():
            lines += _part(title, told)
        if skin.adventure:
            lines += _part(f"Adventure: {skin.adventure.title}", [skin.adventure.opening])
            lines += [line for scene in skin.adventure.scenes for line in _scene_lines(scene)]
            lines += _part("Clocks", [f"{one.name}: {one.size}" for one in skin.adventure.clocks])
            lines += _part("Secrets", [f"{one.title}: {one.words}" for one in skin.adventure.secrets])
            lines += _part("People", [f"{one.name}: {one.about}" for one in skin.adventure.people])
            lines += _part("Handouts", [one.title for one in skin.adventure.handouts])
        return lines

    def schema(self) -> str:
        """Return the JSON schema of a skin file, for completion in editors."""
        named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"A skin for {self.ruleset.name}"}
        return json.dumps(named | schema_of(self.kind), indent=2, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------- implementation


def _said(value: Any) -> dict[str, Any]:
    """Return the fields that differ from their defaults, and all required ones, as plain values."""
    parts = ((one, getattr(value, one.name)) for one in fields_of(type(value)))
    return {one.name: plain(part) for one, part in parts if one.required or part != one.default}


def _adventure(drafted: FirstAdventure | None) -> Adventure | None:
    """Turn a drafted adventure into one for a table. Ways on refer to scenes by numbered ids instead of titles."""
    if drafted is None:
        return None
    ids = {scene.title: f"scene-{number}" for number, scene in enumerate(drafted.scenes, 1)}
    scenes = (
        copied_into(
            Scene,
            scene,
            id=ids[scene.title],
            options=tuple(
                Option(number=number, words=one.words, way=one.way, leads_to=ids.get(one.leads_to or ""))
                for number, one in enumerate(sorted(scene.options, key=lambda one: one.way is Way.HIDDEN), 1)
            ),
            picture=_picture("plates", scene.picture),
        )
        for scene in drafted.scenes
    )
    clocks = (
        Clock(
            id=f"clock-{number}",
            name=one.name,
            face=one.face,
            hands=Hands(ticks=0, size=one.size, public=one.face is Face.PUBLIC),
        )
        for number, one in enumerate(drafted.clocks, 1)
    )
    people = (
        Prop(id=f"person-{number}", title=one.name, words=one.about, picture=_picture("portraits", one.portrait))
        for number, one in enumerate(drafted.people, 1)
    )
    handouts = (
        Prop(id=f"handout-{number}", title=one.title, words=one.words, picture=_picture("plates", one.picture))
        for number, one in enumerate(drafted.handouts, 1)
    )
    return Adventure(
        title=drafted.title,
        opening=drafted.opening,
        scenes=tuple(scenes),
        clocks=tuple(clocks),
        secrets=tuple(copied_into(Secret, one) for one in drafted.secrets),
        props=(*people, *handouts),
    )


def _picture(folder: str, name: str | None) -> str:
    return f"{folder}/{name}" if name else ""


def _broken_ways(scenes: Any) -> Iterator[validation.Problem]:
    """Check that a scene has no ways on or two to four, that each leads to a known scene, and that one can be seen."""
    entries = [one for one in scenes if isinstance(one, Mapping)] if isinstance(scenes, list) else []
    titles = [title for one in entries if isinstance(title := one.get("title"), str)]
    for place, scene in enumerate(entries):
        path: validation.Path = ("adventure", "scenes", place, "options")
        options = scene.get("options")
        ways = [one for one in options if isinstance(one, Mapping)] if isinstance(options, list) else []
        if 0 < len(ways) < FEWEST_OPTIONS:
            yield validation.Problem(path, found=options, expected="two to four ways on, or none for an ending")
        if ways and all(one.get("way") == Way.HIDDEN.value for one in ways):
            yield validation.Problem(path, f"{validation.shown(path)} are all hidden", "a way on that players see")
        for number, one in enumerate(ways):
            if isinstance(leads_to := one.get("leads_to"), str) and leads_to not in titles:
                listed = ", ".join(validation.printable(title, 60) for title in titles[:12])
                yield validation.Problem(
                    (*path, number, "leads_to"), found=leads_to, expected=f"the title of a scene: {listed}"
                )


def _unseen(raw: Any, path: validation.Path) -> Iterator[validation.Problem]:
    """Yield texts with invisible characters, which a command would take but nobody could read, and multi-line names."""
    if isinstance(raw, Mapping):
        for name, one in raw.items():
            yield from _unseen(one, (*path, str(name)))
    elif isinstance(raw, list):
        for place, one in enumerate(raw):
            yield from _unseen(one, (*path, place))
    elif isinstance(raw, str):
        strange = validation.strange_sign(raw, "" if path[-1] == "name" else validation.LAYOUT, validation.UNSEEN)
        if strange is not None:
            yield validation.Problem(
                path, f"{validation.shown(path)} holds {validation.sign_name(raw[strange])}", "signs that can be seen"
            )


def _part(title: str, lines: Any) -> list[str]:
    told = [f"  {line}" for line in lines if line]
    return [f"{title}:", *told] if told else []


def _person(one: Any) -> str:
    """Describe a hero or foe in a line: who they are, and their numbers."""
    said = _said(one)
    name, about = said.pop("name"), [said.pop(key) for key in ("concept", "about") if key in said]
    numbers = [f"{key.replace('_', ' ')} {_in_words(value)}" for key, value in said.items()]
    return " ".join([f"{name}:", *about, f"({'; '.join(numbers)})" if numbers else ""]).strip()


def _scene_lines(scene: SceneDraft) -> list[str]:
    told = [f"    {part}" for part in (scene.hook, scene.action, scene.consequence) if part]
    marks = {Way.OPEN: "", Way.RISKY: " (risky)", Way.HIDDEN: " (hidden)"}
    ways = [f"    - {one.words}{marks[one.way]}{f' → {one.leads_to}' if one.leads_to else ''}" for one in scene.options]
    return [f"  {scene.title}", *told, *ways]


def _in_words(value: Any) -> str:
    """Write a plain value for people."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{key} {_in_words(one)}" for key, one in value.items() if one not in (None, "", [], {}))
        case list():
            return ", ".join(map(_in_words, value))
    return str(value)
