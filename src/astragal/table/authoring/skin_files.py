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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, get_type_hints

from annotated_types import Ge, Le, MaxLen, MinLen
from msgspec import field
from typing_extensions import Doc

from astragal.fields import field_names
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
    hints_on_paper: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for field_on_paper in fields_of(kind):
        name = field_on_paper.name
        if field_on_paper.names in AT_A_TABLE or name in without:
            continue
        hints_on_paper[name] = hints[name]
        if not field_on_paper.required:
            defaults[name] = field_on_paper.default
    return _declared(kind.__name__, Value, kind.__doc__ or "", hints_on_paper, defaults)


def _declared(name: str, base: type, doc: str, hints: Plain, defaults: Plain) -> type[Any]:
    namespace = {"__annotations__": dict(hints), "__doc__": doc, "__module__": __name__, **defaults}
    metaclass: Any = type(Value)
    declared: type[Any] = metaclass(name, (base,), namespace)
    return declared


def makers_in(ruleset: Ruleset) -> dict[str, type[Any]]:
    """Return the commands that bring in foes and make heroes, if the game has them."""
    commands = {}
    for chapter in ruleset.chapters:
        for action in chapter.actions:
            commands[action.name] = action.command
    makers = {}
    if ruleset.foes:
        makers["foes"] = commands[ruleset.foes]
    if ruleset.heroes is not None and ruleset.heroes.make:
        makers["heroes"] = commands[ruleset.heroes.make]
    return makers


def kind_for(ruleset: Ruleset, base: type[Skin]) -> type[Any]:
    """Make the type of a game's skins: the shared parts, the game's own, and its options, heroes and foes."""
    options = on_paper(ruleset.options, base.FILLED)
    hints: dict[str, Any] = {"options": Annotated[options, Doc("House rules: options of the game.")]}
    defaults: dict[str, Any] = {"options": options()}
    most = {"foes": 40, "heroes": 12}
    docs = {"foes": "Those who can be brought in by name.", "heroes": "Heroes who are ready to be played."}
    for part, command in makers_in(ruleset).items():
        if part not in get_type_hints(base):
            entry: Any = on_paper(command)
            hints[part] = Annotated[tuple[entry, ...], MaxLen(most[part]), Apart(("name",)), Doc(docs[part])]
            defaults[part] = ()
    return _declared(base.__name__, base, base.__doc__ or "", hints, defaults)


class SkinFiles:
    """Parser of one game's skins, from the text of files."""

    def __init__(self, ruleset: Ruleset, base: type[Skin] = Skin) -> None:
        self.ruleset = ruleset
        self.kind = kind_for(ruleset, base)
        self._read_once = lru_cache(maxsize=16)(self._read)
        """Saves parsing a file again when it is described, then worn. The least recently used text is dropped."""

    # ------------------------------------------------------------ reading

    def load(self, text: str, where: str = "skin.toml") -> Any:
        """Parse a skin, or refuse with every fault."""
        skin, _ = self._read_once(text, where)
        return skin

    def _read(self, text: str, where: str) -> tuple[Any, Document]:
        document = read_toml(text, where)
        skin = document.read(self.kind, lambda raw: [*self._disagreements(raw), *self.kind.disagreements(raw)])
        return skin, document

    def check(self, text: str, where: str) -> None:
        """Refuse a faulty skin. A skin without faults is tried out: its heroes are made and its foes brought in."""
        skin, document = self._read(text, where)
        problems = list(self._refusals_at_a_trial(skin))
        if problems:
            raise document.refused(problems)

    def _refusals_at_a_trial(self, skin: Any) -> Iterator[validation.Problem]:
        """Try out a skin's options, heroes and foes, and yield the game's own refusals of them."""
        applied = self.wear(skin)
        try:
            options: Any = validation.read(self.ruleset.options, applied.options)
        except Refusal as refusal:
            sentence = refusal.sentence.rstrip(".")
            yield validation.Problem(("options",), f"options: {sentence}", "options that the game takes")
            return
        call = self._trial(applied, options)
        makers = makers_in(self.ruleset)
        entries_by_part = {"heroes": applied.setting.heroes, "foes": [foe.fields for foe in applied.setting.foes]}
        for part, entries in entries_by_part.items():
            for place, fields in enumerate(entries):
                try:
                    validation.read(makers[part], fields).does(call)
                except Refusal as refusal:
                    path = (part, place)
                    sentence = refusal.sentence.rstrip(".")
                    wrong = f"{validation.shown(path)} ({fields.get('name', '')}): {sentence}"
                    yield validation.Problem(path, wrong, "what the game's own rules allow")

    def _trial(self, applied: AppliedSkin, options: Any) -> TableCall[Any]:
        """Make a call at an empty table that plays with this skin."""
        state: Any = TableState(
            id="trial",
            name="A trial",
            ruleset=self.ruleset.id,
            options=options,
            house=HouseOptions(),
            game=self.ruleset.begin(options),
            terms=ChainMap(dict(applied.terms), dict(self.ruleset.terms)),
        )
        return TableCall(state, Viewer("trial", Role.GAME_MASTER), "trial")

    # ------------------------------------------------------------ checks across fields

    def _disagreements(self, raw: Plain) -> Iterator[validation.Problem]:
        """Find what no single field shows: unknown terms, unseen signs, pale colours, ways that lead nowhere."""
        terms = raw.get("terms")
        if isinstance(terms, Mapping) and self.ruleset.terms:
            yield from self._unknown_terms(terms)
        for name in ("options", "heroes", "foes"):
            if self._derives(name):
                yield from _unseen(raw.get(name), (name,))
        look = raw.get("look")
        if isinstance(look, Mapping):
            for name, wrong in unreadable(dict(look)):
                yield validation.Problem(("look", name), f"look.{name} {wrong}", "a colour in which words can be read")
        adventure = raw.get("adventure")
        if isinstance(adventure, Mapping):
            yield from _broken_ways(adventure.get("scenes"))

    def _unknown_terms(self, terms: Plain) -> Iterator[validation.Problem]:
        expected = f"one of {', '.join(list(self.ruleset.terms)[:60])}"
        for word in terms:
            if word not in self.ruleset.terms:
                wrong = f"there is no term {validation.printable(str(word), 60)}"
                yield validation.Problem(("terms", word), wrong, expected, at_key=True)

    def _derives(self, part: str) -> bool:
        """Return whether this part of a skin is derived from the game, and is no part of the game's own skin type."""
        return part in self.kind.__annotations__

    # ------------------------------------------------------------ applied to a table

    def wear(self, skin: Any) -> AppliedSkin:
        """Return what the skin changes at a table."""
        moves = {kind.value: getattr(skin.moves, kind.value) for kind in MoveKind if kind is not MoveKind.OMEN}
        moves[MoveKind.OMEN.value] = skin.omens
        heroes = map(_set_fields, skin.heroes) if self._derives("heroes") else ()
        foes = [Foe(id=foe.name, name=foe.name, fields=_set_fields(foe)) for foe in self._entries(skin, "foes")]
        return AppliedSkin(
            {**_set_fields(skin.options), **skin.fills_in()},
            {**skin.names(), **skin.terms},
            Setting(
                heroes=tuple(heroes),
                foes=tuple(foes),
                boons=skin.boons,
                rites=skin.rites,
                moves=moves,
                adventure=_adventure(skin.adventure),
                look=skin.look,
                cover=skin.cover or "",
                portraits=skin.portraits,
            ),
        )

    def _entries(self, skin: Any, part: str) -> Sequence[Any]:
        """Return the heroes or the foes of a skin; none if the game has no command that makes them."""
        return getattr(skin, part) if part in field_names(self.kind) else ()

    # ------------------------------------------------------------ in words

    def describe(self, skin: Any) -> list[str]:
        """Describe all of a skin, in lines. The first is its name and its genre."""
        lines = [f"{skin.name}: {skin.genre}"]
        if skin.about:
            lines.append(skin.about)
        lines += skin.lines()
        lines += _part("Words", [f"{word}: {words}" for word, words in skin.terms.items()])
        lines += _part("Options", [f"{name}: {_in_words(value)}" for name, value in _set_fields(skin.options).items()])
        lines += _part("Heroes", map(_person, self._entries(skin, "heroes")))
        lines += _part("Foes", map(_person, self._entries(skin, "foes")))
        lines += _part("Boons", skin.boons)
        lines += _part("Rites", skin.rites)
        lines += _part("Omens", skin.omens)
        lines += _part("Escalations", skin.moves.escalate)
        lines += _part("Terrain", skin.moves.terrain)
        lines += _part("Bargains", skin.moves.bargain)
        if skin.adventure:
            lines += _adventure_lines(skin.adventure)
        return lines

    def schema(self) -> str:
        """Return the JSON schema of a skin file, for completion in editors."""
        head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"A skin for {self.ruleset.name}"}
        return json.dumps(head | schema_of(self.kind), indent=2, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------- implementation


def _set_fields(value: Any) -> dict[str, Any]:
    """Return the fields that differ from their defaults, and all required ones, as plain values."""
    fields = {}
    for definition in fields_of(type(value)):
        part = getattr(value, definition.name)
        if definition.required or part != definition.default:
            fields[definition.name] = plain(part)
    return fields


def _adventure(drafted: FirstAdventure | None) -> Adventure | None:
    """Turn a drafted adventure into one for a table. Ways on refer to scenes by numbered ids instead of titles."""
    if drafted is None:
        return None
    id_by_title = {scene.title: f"scene-{number}" for number, scene in enumerate(drafted.scenes, 1)}
    return Adventure(
        title=drafted.title,
        opening=drafted.opening,
        scenes=tuple(_scene(scene, id_by_title) for scene in drafted.scenes),
        clocks=tuple(_clock(clock, number) for number, clock in enumerate(drafted.clocks, 1)),
        secrets=tuple(copied_into(Secret, secret) for secret in drafted.secrets),
        props=(
            *(_person_prop(person, number) for number, person in enumerate(drafted.people, 1)),
            *(_handout_prop(handout, number) for number, handout in enumerate(drafted.handouts, 1)),
        ),
    )


def _scene(scene: SceneDraft, id_by_title: Mapping[str, str]) -> Scene:
    """Turn a drafted scene into one for a table. Hidden ways on come last, so that the numbers show no gap."""
    options = []
    for number, way_on in enumerate(sorted(scene.options, key=lambda way_on: way_on.way is Way.HIDDEN), 1):
        leads_to = id_by_title.get(way_on.leads_to or "")
        options.append(Option(number=number, words=way_on.words, way=way_on.way, leads_to=leads_to))
    picture = _picture("plates", scene.picture)
    return copied_into(Scene, scene, id=id_by_title[scene.title], options=tuple(options), picture=picture)


def _clock(clock: ClockDraft, number: int) -> Clock:
    hands = Hands(ticks=0, size=clock.size, public=clock.face is Face.PUBLIC)
    return Clock(id=f"clock-{number}", name=clock.name, face=clock.face, hands=hands)


def _person_prop(person: PersonDraft, number: int) -> Prop:
    picture = _picture("portraits", person.portrait)
    return Prop(id=f"person-{number}", title=person.name, words=person.about, picture=picture)


def _handout_prop(handout: HandoutDraft, number: int) -> Prop:
    picture = _picture("plates", handout.picture)
    return Prop(id=f"handout-{number}", title=handout.title, words=handout.words, picture=picture)


def _picture(folder: str, name: str | None) -> str:
    return f"{folder}/{name}" if name else ""


def _broken_ways(scenes: Any) -> Iterator[validation.Problem]:
    """Check that a scene has no ways on or two to four, that each leads to a known scene, and that one can be seen."""
    entries = _mappings_in(scenes)
    titles = [entry["title"] for entry in entries if isinstance(entry.get("title"), str)]
    expected_titles = ", ".join(validation.printable(title, 60) for title in titles[:12])
    for place, scene in enumerate(entries):
        path: validation.Path = ("adventure", "scenes", place, "options")
        options = scene.get("options")
        ways = _mappings_in(options)
        if 0 < len(ways) < FEWEST_OPTIONS:
            yield validation.Problem(path, found=options, expected="two to four ways on, or none for an ending")
        if ways and all(way.get("way") == Way.HIDDEN.value for way in ways):
            yield validation.Problem(path, f"{validation.shown(path)} are all hidden", "a way on that players see")
        for number, way in enumerate(ways):
            leads_to = way.get("leads_to")
            if isinstance(leads_to, str) and leads_to not in titles:
                expected = f"the title of a scene: {expected_titles}"
                yield validation.Problem((*path, number, "leads_to"), found=leads_to, expected=expected)


def _mappings_in(entries: Any) -> list[Mapping[str, Any]]:
    """Return the entries of a list from a file that are objects; none if it is no list at all."""
    if not isinstance(entries, list):
        return []
    return [entry for entry in entries if isinstance(entry, Mapping)]


def _unseen(raw: Any, path: validation.Path) -> Iterator[validation.Problem]:
    """Yield texts with invisible characters, which a command would take but nobody could read, and multi-line names."""
    if isinstance(raw, Mapping):
        for name, entry in raw.items():
            yield from _unseen(entry, (*path, str(name)))
    elif isinstance(raw, list):
        for place, entry in enumerate(raw):
            yield from _unseen(entry, (*path, place))
    elif isinstance(raw, str):
        layout = "" if path[-1] == "name" else validation.LAYOUT
        strange = validation.strange_sign(raw, layout, validation.UNSEEN)
        if strange is not None:
            wrong = f"{validation.shown(path)} holds {validation.sign_name(raw[strange])}"
            yield validation.Problem(path, wrong, "signs that can be seen")


def _part(title: str, lines: Iterable[str]) -> list[str]:
    """Put a title over the lines that say something, and indent these. Nothing if none does."""
    indented = [f"  {line}" for line in lines if line]
    return [f"{title}:", *indented] if indented else []


def _person(person: Any) -> str:
    """Describe a hero or foe in a line: who they are, and their numbers."""
    fields = _set_fields(person)
    name = fields.pop("name")
    words = [f"{name}:"]
    for key in ("concept", "about"):
        if key in fields:
            words.append(fields.pop(key))
    numbers = [f"{key.replace('_', ' ')} {_in_words(value)}" for key, value in fields.items()]
    if numbers:
        words.append(f"({'; '.join(numbers)})")
    return " ".join(words).strip()


def _adventure_lines(adventure: FirstAdventure) -> list[str]:
    lines = _part(f"Adventure: {adventure.title}", [adventure.opening])
    for scene in adventure.scenes:
        lines += _scene_lines(scene)
    lines += _part("Clocks", [f"{clock.name}: {clock.size}" for clock in adventure.clocks])
    lines += _part("Secrets", [f"{secret.title}: {secret.words}" for secret in adventure.secrets])
    lines += _part("People", [f"{person.name}: {person.about}" for person in adventure.people])
    lines += _part("Handouts", [handout.title for handout in adventure.handouts])
    return lines


def _scene_lines(scene: SceneDraft) -> list[str]:
    marks = {Way.OPEN: "", Way.RISKY: " (risky)", Way.HIDDEN: " (hidden)"}
    lines = [f"  {scene.title}"]
    lines += [f"    {part}" for part in (scene.hook, scene.action, scene.consequence) if part]
    for way_on in scene.options:
        leads_to = f" → {way_on.leads_to}" if way_on.leads_to else ""
        lines.append(f"    - {way_on.words}{marks[way_on.way]}{leads_to}")
    return lines


EMPTY: tuple[Any, ...] = (None, "", [], {})


def _in_words(value: Any) -> str:
    """Write a plain value for people."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return ", ".join(f"{key} {_in_words(part)}" for key, part in value.items() if part not in EMPTY)
        case list():
            return ", ".join(map(_in_words, value))
    return str(value)
