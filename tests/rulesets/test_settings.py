"""Skins as settings, in every game: the shipped ones load, their people are legal, their foes and scenes can be had."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.surfaces.shared.context import AppContext, SeatView
from astragal.surfaces.shared.sheets import board_lines, sheet_lines
from astragal.table.authoring.ruleset import AppliedSkin, Ruleset, SkinShelf
from astragal.table.authoring.skin_files import SkinFiles
from astragal.table.fields.json_schema import schema_of
from astragal.table.fields.lookup import things_of
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.starter import sample_heroes, start_table
from astragal.table.state.setting import Setting
from astragal.table.state.things import Way
from astragal.wiring import OURS, installed_rulesets
from tests.rulesets.at_table import AtTable
from tests.table.seated import LaidOnce, ScriptedDice, new_host

GAMES = {name: installed_rulesets()[name]() for name in OURS}
SHIPPED = [(game, skin) for game, ruleset in GAMES.items() for skin in sorted(ruleset.skins.shipped())]  # type: ignore[union-attr]


def shelf_of(game: str) -> SkinShelf:
    shelf = GAMES[game].skins
    assert shelf is not None
    return shelf


@cache
def worn(game: str, skin: str) -> AppliedSkin:
    return shelf_of(game).wear(shelf_of(game).shipped()[skin])


Seat = Callable[[str, str], AtTable[Any]]


def lay(folder: Path, game: str, skin: str) -> AtTable[Any]:
    return AtTable.opened(folder, GAMES[game], "A setting", skin=skin, **worn(game, skin).given)


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seat:
    return lambda game, skin: laid_once(lay, game=game, skin=skin)


# ---------------------------------------------------------------- the shipped ones


@pytest.mark.parametrize("game", ["narraject", "new_shoes", "six_pool"])
def test_every_game_comes_with_two_settings_at_least(game: str) -> None:
    assert len(shelf_of(game).shipped()) >= 2


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_a_shipped_setting_is_whole_and_in_order(game: str, skin: str) -> None:
    """Options, words, four heroes, foes, boons, rites, omens, moves of every kind, and an adventure."""
    shelf, text = shelf_of(game), shelf_of(game).shipped()[skin]
    assert shelf.faults(text, f"{skin}.toml") == []
    raw = tomllib.loads(text)
    for part in ("about", "heroes", "foes", "boons", "rites", "omens", "moves", "adventure"):
        assert raw[part]
    assert skin == "plain" or raw["options"]
    assert len(raw["heroes"]) == 4
    assert len(raw["foes"]) >= 5
    assert all(raw["moves"][kind] for kind in ("escalate", "terrain", "bargain"))
    assert raw["adventure"]["opening"]


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_a_settings_party_is_legal_by_the_book_and_offered_as_samples(seated: Seat, game: str, skin: str) -> None:
    ruleset, table = GAMES[game], seated(game, skin)
    assert ruleset.heroes is not None
    heroes = sample_heroes(ruleset, worn(game, skin))
    assert len(heroes) == 4
    for hero in heroes.values():
        table.act("Bo", ruleset.heroes.make, **hero)
    assert {one.name for one in table.look("Bo").characters.values()} == set(heroes)


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_a_player_takes_one_of_its_party_by_name_and_nobody_has_to_rule_on_it(
    tmp_path: Path, game: str, skin: str
) -> None:
    given = {"house": {"trusting": False}, "skin": skin, **worn(game, skin).given}
    table: AtTable[Any] = AtTable.opened(tmp_path, GAMES[game], "A setting", **given)
    first, second, *_ = sample_heroes(GAMES[game], worn(game, skin))
    table.act("Bo", "take_sample", sample=first.casefold())
    table.act("Ada", "take_sample", sample=second, seat="Cy")
    assert {one.name: one.seat for one in table.look("Bo").characters.values()} == {
        first: table.seats["Bo"],
        second: table.seats["Cy"],
    }
    assert first not in table.sentence("Cy", "take_sample", sample="Nobody")


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_a_settings_foes_are_brought_in_by_their_names(seated: Seat, game: str, skin: str) -> None:
    """The command that the game has for it takes a foe's name; a second one of a kind has a number."""
    ruleset, table = GAMES[game], seated(game, skin)
    for foe in worn(game, skin).setting.foes:
        table.act("Ada", ruleset.foes, name=foe.name.upper())
        table.act("Ada", ruleset.foes, foe=foe.name)
        table.act("Ada", ruleset.foes, foe=foe.name, name=f"Old {foe.name}"[:60])
        there = {one.name for one in table.look("Ada").characters.values()}
        there |= {one.name for one in getattr(table.look("Ada").game, "threats", {}).values()}
        assert {foe.name, f"{foe.name} 2", f"Old {foe.name}"} <= there
    with pytest.raises(NoSuchThing, match="There is no foe 'Nobody' here: "):
        table.act("Ada", ruleset.foes, foe="Nobody")
    assert "say what they are called" in table.sentence("Ada", ruleset.foes)


def test_boons_and_rites_are_suggested_by_their_words_and_any_others_are_taken(seated: Seat) -> None:
    """SS-61, SS-56: players know the rites, and not what boons lie ready."""
    table, setting = seated("sinew_steel", "plain"), worn("sinew_steel", "plain").setting
    kinds, boon, rite = table.host.books["sinew_steel"].kinds, setting.boons[0], setting.rites[0]
    assert things_of(kinds, table.look("Bo"), "boon") == {}
    assert list(things_of(kinds, table.look("Bo"), "rite") or ()) == list(setting.rites)
    table.act("Bo", "make_hero", name="Kira")
    for said in (boon.upper().rstrip("."), boon[:8]):
        table.act("Ada", "milestone", boon=said)
        table.act("Bo", "advance", who="Kira")
    assert table.sheet("Kira").boons == (boon, boon[:8])
    table.act("Ada", "raise_pressure", rise=1)
    table.dice.faces = [20]
    told = table.act("Bo", "rite", who="Kira", attribute="INT", stakes=rite.lower())
    assert table.told(told, "tried")["stakes"] == rite


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_each_scene_of_its_adventure_can_be_begun_and_left(seated: Seat, game: str, skin: str) -> None:
    table, adventure = seated(game, skin), worn(game, skin).setting.adventure
    assert adventure is not None
    table.act("Ada", "begin_evening")
    assert not table.look("Bo").scenes
    for scene in adventure.scenes:
        for option in scene.options or (None,):
            table.act("Ada", "begin_scene", scene=scene.title)
            if option:
                table.act("Ada", "take_option", number=option.number)
            present = table.look("Ada").calendar.scene
            assert present == (option.leads_to if option else scene.id)
            if present is not None:
                table.act("Ada", "end_scene")
            shown = table.look("Bo").scenes[scene.id]
            assert [one.words for one in shown.options] == [
                one.words for one in scene.options if one.way is not Way.HIDDEN
            ]


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_every_scene_but_the_first_is_led_to(game: str, skin: str) -> None:
    adventure = worn(game, skin).setting.adventure
    assert adventure is not None
    first, *others = (scene.id for scene in adventure.scenes)
    led_to = {option.leads_to for scene in adventure.scenes for option in scene.options}
    assert set(others) <= led_to
    assert first not in led_to


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_a_starter_table_begins_with_its_adventure(tmp_path: Path, game: str, skin: str) -> None:
    ruleset, wears = GAMES[game], worn(game, skin)
    host = new_host(open_store(str(tmp_path / "tables.db")), ScriptedDice(), (ruleset,))
    heroes = list(enumerate(sample_heroes(ruleset, wears).values()))
    players = [f"Player {number}" for number, _ in heroes]
    started = start_table(
        host, ruleset, name="T", game_master="Ada", players=players, heroes=heroes, begins=True, **wears.given
    )
    adventure, state = wears.setting.adventure, host.look(started.table, started.players[0])
    assert adventure is not None
    assert state.calendar.scene == adventure.scenes[0].id
    assert adventure.opening in [event.words for event in host.follow(started.table, started.players[0]).events]


# ---------------------------------------------------------------- what players may know


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_foes_moves_and_scenes_are_the_game_masters_to_know(seated: Seat, game: str, skin: str) -> None:
    table, setting = seated(game, skin), worn(game, skin).setting
    assert setting.adventure is not None
    secrets = [foe.name for foe in setting.foes]
    secrets += [words for moves in setting.moves.values() for words in moves]
    secrets += [setting.adventure.opening, *(scene.title for scene in setting.adventure.scenes)]
    told = "".join(line.decode() for line in table.host.archive.export(table.table, table.seats["Bo"]))
    told += str(table.look("Bo")) + str(table.host.follow(table.table, table.seats["Bo"]).events)
    for secret in secrets:
        assert json.dumps(secret, ensure_ascii=False)[1:-1] not in told
    assert table.look("Ada").setting == setting


# ---------------------------------------------------------------- its words


def renamed(ruleset: Ruleset) -> dict[str, str]:
    """A word that nobody would take for one of the book's, for every short term."""
    return {key: f"Zz{number}" for number, key in enumerate(ruleset.terms) if len(ruleset.terms[key]) < 20}


@pytest.mark.parametrize("game", ["narraject", "new_shoes", "six_pool"])
def test_sheets_are_labelled_in_the_settings_words(tmp_path: Path, game: str) -> None:
    ruleset, terms = GAMES[game], renamed(GAMES[game])
    assert ruleset.heroes is not None
    table: AtTable[Any] = AtTable.opened(tmp_path, ruleset, "Words", skin="words", terms=terms)
    hero = next(iter(sample_heroes(ruleset, AppliedSkin({}, {})).values()))
    table.act("Bo", ruleset.heroes.make, **hero)
    store = table.host._repository.store  # noqa: SLF001 - the view reads nothing else of it
    view = SeatView(AppContext(table.host, store), table.table, table.seats["Bo"])
    (who,) = view.state.characters.values()
    lines = "\n".join([*sheet_lines(view, who), *board_lines(view)])
    assert "Zz" in lines
    for key in ("might", "persona", "body", "will", "STR", "CHA"):
        if key in terms:
            assert terms[key] in lines
            assert ruleset.terms[key] not in lines.replace(who.name, "")


WANTED = {"goal": "I want to be in", "approach": "by the door", "difficulty": 1}


@pytest.mark.parametrize(
    ("game", "hero", "refused", "sentence"),
    [
        (
            "narraject",
            {},
            ("attempt", {"stat": "might", "focus": 9, **WANTED}),
            "can put 5 points of Flame into a roll on Brawn",
        ),
        ("narraject", {}, ("attempt", {"stat": "might", "anchors": ["Wings"], **WANTED}), "has no Lamp called 'Wings'"),
        ("new_shoes", {"body": 9}, None, "Legs"),
        ("six_pool", {}, ("check", {"pool": "STR", "dc": 10, "points": 9}), "Effort limit in Brawn is"),
    ],
)
def test_refusals_say_the_settings_words(
    tmp_path: Path, game: str, hero: dict[str, Any], refused: tuple[str, dict[str, Any]] | None, sentence: str
) -> None:
    words = {
        "narraject": {"might": "Brawn", "focus": "Flame", "anchor": "Lamp"},
        "new_shoes": {"body": "Legs"},
        "six_pool": {"STR": "Brawn"},
    }
    ruleset = GAMES[game]
    assert ruleset.heroes is not None
    table: AtTable[Any] = AtTable.opened(tmp_path, ruleset, "Words", terms=words[game])
    made = {**next(iter(sample_heroes(ruleset, AppliedSkin({}, {})).values())), **hero}
    if refused is None:
        assert sentence in table.sentence("Bo", ruleset.heroes.make, **made)
        return
    table.act("Bo", ruleset.heroes.make, **made)
    command, fields = refused
    assert sentence in table.sentence("Bo", command, who=made["name"], **fields)


def test_fields_keep_their_names_in_refusals_for_programs(seated: Seat) -> None:
    table = seated("sinew_steel", "saltglass")
    assert table.sentence("Ada", "make_npc", name="Guard", luck=99) == "luck must be at most 20, not 99."


def test_who_is_named_and_what_is_quoted_keeps_its_words(tmp_path: Path) -> None:
    table: AtTable[Any] = AtTable.opened(tmp_path, GAMES["new_shoes"], "Words", terms={"mind": "Torch", "xp": "Marks"})
    table.act("Bo", "make_hero", name="Mind", body=3, mind=4, will=3)
    assert table.sentence("Bo", "make_hero", name="Mind", body=3, mind=4, will=3).startswith("Somebody called Mind is")
    state = table.look("Bo")
    assert state.worded("“Mind” costs Mind 2 of her Mind, 'Mind' and 3 XP.") == (
        "“Mind” costs Mind 2 of her Mind, 'Mind' and 3 Marks."
    )
    assert state.worded("The Minds meet.") == "The Torchs meet."


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("game", OURS)
def test_the_schema_is_current(game: str) -> None:
    """`astragal skin schema GAME` writes it again."""
    shelf = shelf_of(game)
    assert shelf.schema is not None
    published = (files(f"astragal.rulesets.{game}") / "skins" / "skin.schema.json").read_text("utf-8")
    assert published == shelf.schema()


@pytest.mark.parametrize("game", OURS)
def test_the_schema_knows_every_field_of_the_shipped_skins_and_of_the_template(game: str) -> None:
    """An editor that follows it has nothing to say against any of them."""

    def unknown(schema: dict[str, Any], value: Any, path: str) -> Iterator[str]:
        schema = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
        if isinstance(value, list):
            assert schema.get("minItems", 0) <= len(value) <= schema["maxItems"]
            for one in value:
                yield from unknown(schema["items"], one, f"{path}[]")
        if isinstance(value, dict):
            assert set(schema.get("required", ())) <= set(value)
            for name, one in value.items():
                inner = schema.get("properties", {}).get(name) or schema["additionalProperties"]
                yield from unknown(inner, one, f"{path}.{name}") if inner else [f"{path}.{name}"]

    shelf = shelf_of(game)
    assert shelf.schema is not None
    for text in (*shelf.shipped().values(), shelf.template()):
        assert not list(unknown(json.loads(shelf.schema()), tomllib.loads(text), ""))


@pytest.mark.parametrize("game", OURS)
def test_the_template_can_be_played_as_it_stands(game: str) -> None:
    shelf = shelf_of(game)
    assert shelf.faults(shelf.template(), "template.toml") == []
    assert shelf.template().count("#") > 10


@pytest.mark.parametrize(("game", "skin"), SHIPPED)
def test_all_of_a_skin_is_described(game: str, skin: str) -> None:
    shelf, text = shelf_of(game), shelf_of(game).shipped()[skin]
    told, raw = "\n".join(shelf.describe(text)), tomllib.loads(text)
    wanted = [raw["name"], raw["genre"], *raw["boons"], *raw["rites"], *raw["omens"], *raw.get("terms", {}).values()]
    wanted += [words for moves in raw["moves"].values() for words in moves]
    wanted += [one["name"] for part in ("heroes", "foes") for one in raw[part]]
    wanted += [raw["adventure"]["title"], *(scene["title"] for scene in raw["adventure"]["scenes"])]
    wanted += [way["words"] for scene in raw["adventure"]["scenes"] for way in scene.get("options", ())]
    assert [words for words in wanted if words not in told] == []


FAULTS = {
    "an unknown part": ('name = "My s', 'colour = "red"\nname = "My s', "there is no colour; expected one of name"),
    "an unknown term": ("[moves]", '[terms]\nxyzzy = "x"\n[moves]', "there is no term xyzzy; expected one of "),
    "an unknown option": ("[options]\n", "[options]\nxyzzy = 1\n", "there is no options.xyzzy; expected one of "),
    "a scene that is nowhere": (
        'leads_to = "Inside"',
        'leads_to = "Outside"',
        'adventure.scenes[1].options[1].leads_to is "Outside"; expected the title of a scene: A door, Inside',
    ),
    "one way on": (
        'hook = "Where it ends, for now."',
        'options = [{ words = "On" }]',
        "adventure.scenes[2].options is a list of 1; expected two to four ways on, or none for an ending",
    ),
    "hidden ways only": (
        'hook = "Where it ends, for now."',
        'options = [{ words = "a", way = "hidden" }, { words = "b", way = "hidden" }]',
        "adventure.scenes[2].options are all hidden; expected a way on that players see",
    ),
    "two foes of one name": (
        "[moves]",
        '[[foes]]\nname = "WATCHMAN"\n[moves]',
        "looks like foes[1].name; expected names that can be told apart",
    ),
    "a foe with a field that is none": (
        "[moves]",
        '[[foes]]\nname = "x"\nteeth = 9\n[moves]',
        ".teeth; expected one of",
    ),
    "a foe on a seat": ("[moves]", '[[foes]]\nname = "x"\nfoe = "Watchman"\n[moves]', ".foe; expected one of"),
    "a joker in a foe's name": (
        "[moves]",
        '[[foes]]\nname = "a\\u202eb"\n[moves]',
        "holds U+202E RIGHT-TO-LEFT OVERRIDE",
    ),
    "a name of two lines": ("[moves]", '[[foes]]\nname = "a\\nb"\n[moves]', "holds U+000A"),
    "no omens but a word": (
        'omens = ["A sign',
        'omens = "x" # ["A sign',
        'omens is "x"; expected a list of at most 12',
    ),
}


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("case", FAULTS)
def test_a_malformed_skin_is_refused_with_its_line_and_a_remedy(game: str, case: str) -> None:
    old, new, sentence = FAULTS[case]
    shelf = shelf_of(game)
    if "[terms]" in new:
        old, new = ("[terms]\n", '[terms]\nxyzzy = "x"\n') if "[terms]" in shelf.template() else (old, new)
    assert old in shelf.template()
    text = shelf.template().replace(old, new, 1)
    told = shelf.faults(text, "mine.toml")
    assert any(sentence in fault for fault in told), told
    lines = text.split("\n")
    for fault in told:
        where, line, column, _ = fault.split(":", 3)
        assert where == "mine.toml"
        assert lines[int(line) - 1][int(column) - 1 :]


@pytest.mark.parametrize(
    ("game", "old", "new", "sentence"),
    [
        ("narraject", "persona = 3 }", "persona = 9 }", "heroes[1] (First Hero): The Ratings add up to 16"),
        ("narraject", "level = 2\nabout", "about", "foes[1] (Watchman): level is missing"),
        ("new_shoes", "mind = 4", "mind = 5", "heroes[1] (First Hero): "),
        ("six_pool", "DEX = 18", "DEX = 8", "heroes[1] (First Hero): "),
        ("six_pool", "training = { perception", 'training = { "tea"', "foes[1] (Watchman): There is no skill 'tea'"),
        ("sinew_steel", 'kit = ["Sword", ', 'kit = ["Sword", "Spork", ', "There is nothing called 'Spork' here"),
        ("sinew_steel", 'best = "MGT"', 'best = "XXX"', "foes[1] (Watchman): There is no attribute 'XXX'"),
    ],
)
def test_who_is_not_legal_by_the_book_is_refused_in_the_games_own_words(
    game: str, old: str, new: str, sentence: str
) -> None:
    shelf = shelf_of(game)
    text = shelf.template().replace(old, new, 1)
    assert text != shelf.template()
    (fault,) = shelf.faults(text, "mine.toml")
    assert sentence in fault
    assert fault.startswith("mine.toml:")
    assert "expected what the game's own rules allow" in fault


def test_a_skin_without_anything_but_a_name_and_a_genre_will_do() -> None:
    for game in ("narraject", "new_shoes", "six_pool"):
        text = 'name = "Bare"\ngenre = "Nothing yet."\n'
        assert shelf_of(game).faults(text, "bare.toml") == []
        assert shelf_of(game).wear(text) == AppliedSkin(
            {}, {}, Setting(moves={"escalate": (), "terrain": (), "bargain": (), "omen": ()})
        )
        assert shelf_of(game).describe(text) == ["Bare: Nothing yet."]


def test_what_is_read_off_a_command_leaves_out_who_is_at_a_table() -> None:
    schema = schema_of(SkinFiles(GAMES["narraject"]).kind)
    assert "seat" not in schema["properties"]["heroes"]["items"]["properties"]
    assert {"name", "level", "boss"} <= set(schema["properties"]["foes"]["items"]["properties"])


def test_options_that_a_skin_sets_are_the_tables(seated: Seat) -> None:
    table = seated("narraject", "orchard_nine")
    assert table.look("Bo").options.anchors_per_roll.value == "one"
    hero = next(iter(sample_heroes(GAMES["narraject"], worn("narraject", "orchard_nine")).values()))
    table.act("Bo", "make_hero", **hero)
    anchors = [one["name"] for one in hero["anchors"]]
    with pytest.raises(Refusal, match="One Anchor counts on a roll here, not 3"):
        table.act("Bo", "attempt", who=hero["name"], stat="might", anchors=anchors, **WANTED)
