"""Secrets: hidden and secret deeds, cursors without gaps, withheld fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
import pytest

from astragal.game import GAME_MASTER_ONLY, Call, Chapter, Command, Event, Value, game
from astragal.game.fields import CharacterId, Doc, Name
from astragal.storage import open_store
from astragal.table.declarations import Role, Seen, Sight, Viewer, replace
from astragal.table.refusals import DependsOnHidden
from astragal.table.visibility.events import SeenEvent
from astragal.table.visibility.redact import WITHHELD, plain, redact, shows
from tests.table.seated import ScriptedDice, Seated, new_host


def everything(seated: Seated, seat: str) -> str:
    """All that a seat can get, as text."""
    seat = seated.seats[seat]
    view = plain(seated.host.look(seated.table, seat))
    page = seated.host.follow(seated.table, seat)
    export = b"".join(seated.host.archive.export(seated.table, seat)).decode()
    return msgspec.json.encode([view, page]).decode() + export + seated.host.archive.transcript(seated.table, seat)


def test_a_hidden_roll_leaves_a_closed_card_and_no_more(seated: Seated) -> None:
    seated.dice.faces = [5]
    outcome = seated.hidden("dare", who="Kira", danger=4)
    card = seated.host.follow(seated.table, seated.seats["Bo"]).events[-1]
    assert (card.closed, dict(card.fields)) == (True, {})
    assert outcome.events[-1].fields["made_it"] is True
    assert "made_it" not in everything(seated, "Bo")


def test_a_secret_roll_leaves_nothing_at_all(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    seated.dice.faces = [5]
    seated.hidden("dare", Sight.SECRET, who="Kira", danger=4)
    after = seated.host.follow(seated.table, seated.seats["Bo"])
    assert after == before
    assert seated.host.follow(seated.table, seated.seats["Bo"], before.cursor).events == ()


@pytest.mark.parametrize("sight", [Sight.HIDDEN, Sight.SECRET])
def test_a_reveal_turns_the_card_over_for_good(seated: Seated, sight: Sight) -> None:
    node = str(seated.act("Ada", "mark_save_node", label="before").events[0].fields["node"])
    seated.dice.faces = [5]
    hidden = seated.hidden("dare", sight, who="Kira", danger=4)
    seated.act("Ada", "reveal", act=hidden.act)
    revealed = seated.host.follow(seated.table, seated.seats["Di"]).events[-1]
    assert [event.name for event in revealed.opened] == ["rolled", "dared"]
    assert revealed.opened[1].fields["made_it"] is True
    seated.act("Ada", "rewind", node=node, price="nerve")
    assert hidden.act in seated.look("Di").revealed


def test_a_hidden_deed_with_a_decision_has_one_card(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.hidden("dare", who="Kira", danger=4)
    assert seated.look("Bo").decisions == {}
    assert seated.refused("Bo", "answer", act=waiting.act, answer=0) == "nothing_to_answer"
    before = len(seated.words("Bo"))
    seated.act("Ada", "answer", act=waiting.act, answer=2)
    assert len(seated.words("Bo")) == before


def test_players_can_not_roll_out_of_sight(seated: Seated) -> None:
    with pytest.raises(Exception, match="Only the game master"):
        seated.host.act(seated.table, seated.seats["Bo"], ("dare", {"who": "Kira"}), sight=Sight.HIDDEN)


def test_what_only_an_owner_may_see_reaches_nobody_else(seated: Seated) -> None:
    assert "deep water" in everything(seated, "Bo")
    assert "deep water" in everything(seated, "Ada")
    assert "deep water" not in everything(seated, "Cy")
    assert "deep water" not in everything(seated, "Di")


def test_cursors_are_dense_whatever_is_secret(seated: Seated) -> None:
    cursor = seated.host.follow(seated.table, seated.seats["Bo"]).cursor
    for _ in range(3):
        seated.dice.faces = [6]
        seated.hidden("dare", Sight.SECRET, who="Kira", danger=4)
    seated.dice.faces = [6]
    seated.act("Bo", "dare", who="Kira", danger=4)
    page = seated.host.follow(seated.table, seated.seats["Bo"], cursor)
    assert [event.name for event in page.events] == ["rolled", "dared"]
    assert int(page.cursor.rpartition("-")[2]) == int(cursor.rpartition("-")[2]) + 2


def test_a_cursor_from_another_role_or_from_nowhere_begins_anew(seated: Seated) -> None:
    cursor = seated.host.follow(seated.table, seated.seats["Bo"]).cursor
    seated.act("Ada", "hand_over", seat="Bo")
    page = seated.host.follow(seated.table, seated.seats["Bo"], cursor)
    assert page.restarted
    assert page.events[0].name == "table_opened"
    for nonsense in ("player-999999", "player--1", "x", "player-\u0661"):
        assert seated.host.follow(seated.table, seated.seats["Cy"], nonsense).restarted


def test_pages_are_read_one_after_the_other(seated: Seated) -> None:
    whole = seated.host.follow(seated.table, seated.seats["Cy"]).events
    paged: list[SeenEvent] = []
    cursor, more = "", True
    while more:
        page = seated.host.follow(seated.table, seated.seats["Cy"], cursor, most=2)
        paged += page.events
        cursor, more = page.cursor, page.more
    assert tuple(paged) == whole


def test_what_is_withheld_can_be_passed_on_but_not_decided_by() -> None:
    assert WITHHELD + 3 is WITHHELD
    assert WITHHELD.sheet.nerve is WITHHELD
    with pytest.raises(DependsOnHidden):
        bool(WITHHELD)
    with pytest.raises(DependsOnHidden):
        assert WITHHELD > 3
    assert plain({"known": 1, "hidden": WITHHELD}) == {"known": 1}
    assert not hasattr(WITHHELD, "__fspath__")


def test_a_waiting_roll_with_a_hidden_difficulty_does_not_tell_it(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    decision = replace(seated.look("Ada").decisions[waiting.act], hides=True)
    player = Viewer(seated.seats["Bo"], Role.PLAYER)
    assert redact(decision, player).question.arguments is WITHHELD
    assert redact(replace(decision, hides=False), player).question.arguments == (4, 3)


@dataclass(frozen=True, kw_only=True)
class Purse:
    colour: Annotated[str, Seen.ALL]
    coins: Annotated[int, Seen.OWNER]


@dataclass(frozen=True, kw_only=True)
class Whisper:
    words: Annotated[str, Seen.ALL]

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.seat == "Bo"


@dataclass(frozen=True, kw_only=True)
class Pocket:
    """Everyone may look into it; what lies in it says by itself who may see it, however deep it lies."""

    plainly: Annotated[tuple[tuple[str, int], ...], Seen.ALL] = ()
    maybe: Annotated[Purse | None, Seen.ALL] = None
    row: Annotated[tuple[Purse, ...], Seen.ALL] = ()
    named: Annotated[Mapping[str, Purse], Seen.ALL] = field(default_factory=dict)
    anything: Annotated[Any, Seen.ALL] = None
    heard: Annotated[tuple[Whisper, ...], Seen.ALL] = ()
    either: Annotated[str | Purse, Seen.ALL] = ""
    odd: Annotated[Callable[[], Purse] | Purse | None, Seen.ALL] = None
    """Of a type that no field of a game may have."""
    by_key: Annotated[Mapping[str, str | Purse], Seen.ALL] = field(default_factory=dict)


BO, CY = Viewer("Bo", Role.PLAYER), Viewer("Cy", Role.PLAYER)
PURSE = Purse(colour="red", coins=7)


@pytest.mark.parametrize(
    "pocket",
    [
        Pocket(maybe=PURSE),
        Pocket(row=(PURSE,)),
        Pocket(named={"it": PURSE}),
        Pocket(anything=PURSE),
        Pocket(anything=({"it": PURSE},)),
        Pocket(anything=Pocket(row=(PURSE,))),
        Pocket(either=PURSE),
        Pocket(odd=PURSE),
        Pocket(by_key={"it": PURSE, "label": "red"}),
    ],
)
def test_what_lies_in_something_open_is_still_cut(pocket: Pocket) -> None:
    shown = plain(redact(pocket, CY))
    assert "red" in str(shown)
    assert "7" not in str(shown)
    assert "7" in str(plain(pocket))


def test_what_is_not_for_a_viewer_is_left_out_of_something_open() -> None:
    pocket = Pocket(heard=(Whisper(words="the bridge is down"),))
    assert redact(pocket, BO) is pocket
    assert redact(pocket, CY).heard == ()


def test_what_is_seen_whole_is_not_made_again() -> None:
    pocket = Pocket(plainly=(("a", 1),), anything=(1, {"b": 2}))
    assert redact(pocket, CY) is pocket
    assert redact(pocket, Viewer("Ada", Role.GAME_MASTER)) is pocket
    assert plain(pocket)["anything"] == [1, {"b": 2}]


# ---------------------------------------------------------------- who owns it, who may know how hard it is


@dataclass(frozen=True, kw_only=True)
class Letter:
    """Its words are for its owner, wherever it lies."""

    owner: Annotated[str, Seen.ALL]
    words: Annotated[str, Seen.OWNER]


@dataclass(frozen=True, kw_only=True)
class Chest:
    owner: Annotated[str, Seen.ALL]
    letters: Annotated[tuple[Letter, ...], Seen.ALL] = ()
    purse: Annotated[Purse | None, Seen.ALL] = None


@dataclass(frozen=True, kw_only=True)
class Lock:
    against: Annotated[int, Seen.DIFFICULTY]
    hides: Annotated[bool, Seen.ALL] = False


@dataclass(frozen=True, kw_only=True)
class Door:
    lock: Annotated[Lock, Seen.ALL]
    hides: Annotated[bool, Seen.ALL] = False


@dataclass(frozen=True, kw_only=True)
class Seal:
    """What lies behind the seal is for nobody; what nobody marked is for the game master."""

    sign: Annotated[str, Seen.ALL]
    behind: Annotated[str, Seen.NOBODY]
    unmarked: str = "unmarked"


ADA = Viewer("Ada", Role.GAME_MASTER)


def test_what_lies_in_ones_own_thing_but_belongs_to_another_stays_hidden() -> None:
    chest = Chest(owner="Bo", letters=(Letter(owner="Bo", words="mine"), Letter(owner="Cy", words="his")))
    assert [letter.words for letter in redact(chest, BO).letters] == ["mine", WITHHELD]
    assert [letter.words for letter in redact(chest, CY).letters] == [WITHHELD, "his"]


def test_what_names_no_owner_belongs_to_whoever_owns_what_it_lies_in() -> None:
    chest = Chest(owner="Bo", purse=PURSE)
    assert redact(chest, BO) is chest
    assert plain(redact(chest, CY))["purse"] == {"colour": "red"}
    assert redact(PURSE, CY, owned=True) is PURSE


def test_ones_characters_things_are_ones_own() -> None:
    letter = Letter(owner="Kira", words="for Kira")
    assert redact(letter, Viewer("Bo", Role.PLAYER, frozenset({"Kira"}))) is letter
    assert redact(letter, Viewer("Bo", Role.PLAYER, frozenset({"Lund"}))).words is WITHHELD


@pytest.mark.parametrize(
    ("door", "outside", "known"),
    [
        (Door(lock=Lock(against=5)), False, True),
        (Door(lock=Lock(against=5, hides=True)), False, False),
        (Door(lock=Lock(against=5), hides=True), False, False),
        (Door(lock=Lock(against=5)), True, False),
    ],
)
def test_how_hard_a_thing_is_stays_hidden_if_it_or_what_is_around_it_hides_it(
    door: Door, outside: bool, known: bool
) -> None:
    assert (redact(door, BO, difficulty_hidden=outside).lock.against == 5) is known
    assert redact(door, ADA, difficulty_hidden=outside).lock.against == 5


@pytest.mark.parametrize("around", [lambda seal: seal, lambda seal: (1, seal), lambda seal: {"a": 1, "it": seal}])
def test_what_is_for_nobody_reaches_not_even_the_game_master(around: Any) -> None:
    seal = Seal(sign="a rose", behind="the canary")
    assert "the canary" not in repr(redact(around(seal), ADA))
    assert "unmarked" in repr(redact(around(seal), ADA))
    assert "a rose" in repr(redact(around(seal), CY))
    assert "the canary" not in repr(redact(around(seal), CY))
    assert "unmarked='unmarked'" not in repr(redact(around(seal), CY))


class Place(NamedTuple):
    name: str
    number: int


@dataclass(frozen=True, kw_only=True)
class Shelf:
    things: Annotated[tuple[Any, ...], Seen.ALL] = ()


def test_the_game_master_gets_values_of_other_types_as_they_are() -> None:
    things = (Role.PLAYER, 0.5, frozenset({1}), Place("the hill", 3), {"a": Role.PLAYER})
    assert redact(things, ADA) is things
    shelf = Shelf(things=(*things, Seal(sign="a rose", behind="the canary")))
    shown = redact(shelf, ADA)
    assert shown.things[:-1] == things
    assert isinstance(shown.things[3], Place)
    assert shown.things[-1].behind is WITHHELD


def test_whoever_asks_whether_a_field_is_shown_is_told_what_redaction_does() -> None:
    assert shows(PURSE, "colour", CY)
    assert not shows(PURSE, "coins", CY)
    assert shows(PURSE, "coins", ADA)
    assert shows(Whisper(words="psst"), "words", BO)
    assert not shows(Whisper(words="psst"), "words", CY)
    assert not shows(Seal(sign="a rose", behind="the canary"), "unmarked", CY)


@dataclass(frozen=True, kw_only=True)
class Branch:
    """Holds others of its kind, so whether all of it is open can't be told from its fields alone."""

    name: Annotated[str, Seen.ALL]
    hollow: Annotated[str, Seen.OWNER] = ""
    branches: Annotated[tuple[Branch, ...], Seen.ALL] = ()


def test_what_holds_others_of_its_kind_is_cut_at_every_depth() -> None:
    tree = Branch(name="root", branches=(Branch(name="leaf", hollow="a canary"),))
    assert plain(redact(tree, CY)) == {"name": "root", "branches": [{"name": "leaf", "branches": []}]}
    assert "a canary" in repr(redact(tree, ADA))


def test_values_are_written_as_json_has_them_and_without_what_is_hidden() -> None:
    assert plain({Role.PLAYER: frozenset({1}), "none": None}) == {"player": [1], "none": None}
    assert plain((WITHHELD, Role.PLAYER, [WITHHELD, 2])) == ["player", [2]]
    assert plain(Purse(colour="red", coins=WITHHELD)) == {"colour": "red"}
    assert plain(Pocket(maybe=PURSE))["maybe"] == {"colour": "red", "coins": 7}


# ---------------------------------------------------------------- pages of what a seat may see


def test_a_secret_roll_that_was_revealed_is_shown_in_its_reveal_and_nowhere_else(seated: Seated) -> None:
    seated.dice.faces = [5, 5]
    secret = seated.hidden("dare", Sight.SECRET, who="Kira", danger=4)
    seated.act("Bo", "dare", who="Kira", danger=4)
    seated.act("Ada", "reveal", act=secret.act)
    bo = seated.seats["Bo"]
    page = seated.host.follow(seated.table, bo)
    assert [event.name for event in page.events[-3:]] == ["rolled", "dared", "revealed"]
    assert len(page.events) == int(page.cursor.rpartition("-")[2])
    assert [event.act for event in page.events].count(secret.act) == 0
    for names in (["dared"], ["joined"], ["rolled", "revealed"]):
        found = seated.host.told(seated.table, bo, names)
        assert found == tuple(event for event in page.events if event.name in names)


class Dreamer(Value, seen=Seen.ALL):
    sleep: int = 8


OMENS = Chapter(seen=Seen.ALL)


@OMENS.event("omen_sent", says="{who} dreams of {what}")
class OmenSent(Event):
    """A dream that its dreamer's player reads, whoever that is by now; and the game master, as nearly everything."""

    who: CharacterId
    what: str

    def is_for(self, viewer: Viewer) -> bool:
        return self.who in viewer.characters


@OMENS.command("send_omen", may=GAME_MASTER_ONLY)
class SendOmen(Command):
    """Send a dream."""

    who: Annotated[CharacterId, Doc("who dreams")]
    what: Annotated[Name, Doc("of what")]

    def does(self, _: Call) -> list[OmenSent]:
        return [OmenSent(who=self.who, what=self.what)]


def test_what_is_for_a_heros_player_goes_with_the_hero_to_the_next_one(tmp_path: Path) -> None:
    omens = game("Omens", sheet=Dreamer, rules=[], chapters=[OMENS], dice="d6")
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), ScriptedDice(), (omens,))
    opened = host.open("omens", name="The Hill", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, ScriptedDice(), {"Ada": opened.seat})
    for name, hero in (("Bo", "Kira"), ("Cy", "Lund")):
        seated.sit(name)
        seated.act(name, "join", name=hero)
    bo, cy, table = seated.seats["Bo"], seated.seats["Cy"], seated.table
    omen = seated.act("Ada", "send_omen", who="Kira", what="a flood")
    assert seated.words("Ada")[-1] == "Kira dreams of a flood"
    assert (seated.words("Bo")[-1], seated.words("Cy")[-1]) == ("Kira dreams of a flood", "Lund enters the story")
    cursor, entered = host.follow(table, bo).cursor, host.follow(table, bo).events[-2].name
    seated.act("Ada", "give_character", character="Kira", seat="Cy")
    for page in (host.follow(table, bo), host.latest(table, bo)):
        assert [event.name for event in page.events[-2:]] == [entered, "character_given"]
    assert [event.name for event in host.follow(table, bo, cursor).events] == ["character_given"]
    assert host.told(table, bo, ["omen_sent"]) == host.events_of(table, bo, omen.act) == ()
    assert [event.words for event in host.events_of(table, cy, omen.act)] == ["Kira dreams of a flood"]


def test_whoever_reads_from_the_beginning_or_the_newest_has_not_begun_anew(seated: Seated) -> None:
    host, cy = seated.host, seated.seats["Cy"]
    assert not host.follow(seated.table, cy).restarted
    page = host.follow(seated.table, cy, most=3)
    assert not host.follow(seated.table, cy, page.cursor).restarted
    assert not host.latest(seated.table, cy, most=3).restarted
    assert not host.latest(seated.table, cy, page.cursor).restarted


def test_a_cursor_names_the_role_that_it_counts_for(seated: Seated) -> None:
    host, cy = seated.host, seated.seats["Cy"]
    cursor = host.follow(seated.table, cy, most=3).cursor
    assert cursor == "player-3"
    for foreign in ("3", "spectator-3", "player-3-3", "xplayer-3"):
        assert host.follow(seated.table, cy, foreign).restarted
    last = host.follow(seated.table, cy).cursor
    assert host.follow(seated.table, cy, last).events == ()
    assert host.follow(seated.table, cy, f"player-{int(last.rpartition('-')[2]) + 1}").restarted


def test_a_page_tells_where_it_begins_and_whether_more_follows(seated: Seated) -> None:
    host, cy = seated.host, seated.seats["Cy"]
    total = len(host.follow(seated.table, cy).events)
    first = host.follow(seated.table, cy, most=3)
    assert (first.start, first.more, len(first.events)) == ("", True, 3)
    second = host.follow(seated.table, cy, first.cursor, most=total - 3)
    assert (second.start, second.more, len(second.events)) == (first.cursor, False, total - 3)
    assert host.follow(seated.table, cy, first.cursor, most=total - 4).more
