"""Consent: what a program may do alone, what waits for a person, and how the proposal reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Le

from astragal.chance import Rolls, d6, rule
from astragal.game import GAME_MASTER_ONLY, Call, Chapter, Command, Doing, Event, Seen, Value, game
from astragal.game.fields import Against, CharacterId, Doc, FreeText, Name, Names, Pays
from astragal.storage import open_store
from astragal.table.authoring.display import RollCard
from astragal.table.declarations import Sight, replace
from astragal.table.log.repository import Outcome
from astragal.table.refusals import Refusal
from astragal.table.state.table import State
from tests.table.seated import LaidOnce, ScriptedDice, Seated, new_host


class Sheet(Value, seen=Seen.ALL):
    coins: Annotated[int, Ge(0), Le(9)] = 3
    hurt: bool = False


@rule
def persuade(difficulty: int, coins: int) -> Rolls[bool]:
    """A d6 and the coins reach the difficulty."""
    return (yield from d6) + coins >= difficulty


MARKET = Chapter(seen=Seen.ALL)


@MARKET.event("haggled", says="{who} haggles: {agreed}")
class Haggled(Event):
    who: CharacterId
    agreed: bool


@MARKET.event("hurt", says="{who} is hurt", sets={"hurt": True})
class Hurt(Event):
    who: CharacterId


@MARKET.command("haggle", actor="who")
class Haggle(Command):
    """Haggle, with as many coins as it takes."""

    who: Annotated[CharacterId, Doc("who haggles")]
    about: Annotated[Name, Doc("what it is about")]
    coins: Annotated[int, Ge(0), Le(9), Pays(), Doc("coins laid down first")] = 0
    difficulty: Annotated[int, Ge(1), Le(9), Against(), Doc("what to reach")] = 4
    loudly: Annotated[bool, Doc("whether all hear it")] = False
    friends: Annotated[tuple[Annotated[str, Names("character")], ...], Doc("who stands by")] = ()
    pitch: Annotated[str, FreeText(), Doc("what is said")] = ""
    terms: Annotated[dict[str, str], Doc("further terms")] = {}  # noqa: RUF012 - a default of a command

    def does(self, _: Call) -> Doing[bool]:
        agreed = yield persuade(self.difficulty, self.coins)
        return [Haggled(who=self.who, agreed=agreed)]

    def hides(self, _: Call) -> bool:
        return self.about == "the plot"


@MARKET.command("bargain", actor="who", card=RollCard(title="{who} bargains for {about}", short="A bargain"))
class Bargain(Command):
    """Bargain, as its card says."""

    who: Annotated[CharacterId, Doc("who bargains")]
    about: Annotated[Name, Doc("what it is about")]
    difficulty: Annotated[int, Ge(1), Le(9), Against(), Doc("what to reach")] = 4
    loudly: Annotated[bool, Doc("whether all hear it")] = False

    def does(self, _: Call) -> Doing[bool]:
        agreed = yield persuade(self.difficulty, 0)
        return [Haggled(who=self.who, agreed=agreed)]


@MARKET.command("sing", actor="who")
class Sing(Command):
    """Sing a song."""

    who: Annotated[CharacterId, Doc("who sings")]
    loudly: Annotated[bool, Doc("whether all hear it")] = False

    def does(self, _: Call) -> Doing[bool]:
        agreed = yield persuade(4, 0)
        return [Haggled(who=self.who, agreed=agreed)]


@MARKET.command("hurt_them", may=GAME_MASTER_ONLY)
class HurtThem(Command):
    """Hurt these."""

    them: Annotated[tuple[Annotated[str, Names("character")], ...], Doc("who is hurt")]

    def does(self, _: Call) -> list[Hurt]:
        return [Hurt(who=who) for who in self.them]


@MARKET.command("stumble", actor="who")
class Stumble(Command):
    """Stumble, and be hurt."""

    who: Annotated[CharacterId, Doc("who stumbles")]

    def does(self, _: Call) -> list[Hurt]:
        return [Hurt(who=self.who)]


@MARKET.event("players_swapped", says="{one} and {another} have each other's players")
class PlayersSwapped(Event):
    one: CharacterId
    another: CharacterId

    def fold(self, state: State) -> State:
        one, another = state.characters[self.one], state.characters[self.another]
        return state.with_character(replace(one, seat=another.seat)).with_character(replace(another, seat=one.seat))


@MARKET.command("swap_players", may=GAME_MASTER_ONLY)
class SwapPlayers(Command):
    """Give two players each other's hero."""

    one: Annotated[CharacterId, Doc("whose hero")]
    another: Annotated[CharacterId, Doc("and whose")]

    def does(self, _: Call) -> list[PlayersSwapped]:
        return [PlayersSwapped(one=self.one, another=self.another)]


GAME = game("Market", sheet=Sheet, rules=[persuade], chapters=[MARKET], dice="d6")


def at_the_market(folder: Path, *, ai: bool = False, **opening: Any) -> Seated:
    """Ada runs the game, maybe as an AI; Bo plays Kira, Cy plays Lund, the AI Max plays Nim, and Di looks on."""
    dice = ScriptedDice([5] * 9)
    host = new_host(open_store(f"sqlite:///{folder}/tables.db"), dice, (GAME,))
    opened = host.open("market", name="The Market", game_master="Ada", ai=ai, **opening)
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    for name, hero in (("Bo", "Kira"), ("Cy", "Lund"), ("Max", "Nim")):
        seated.sit(name, ai=name == "Max")
        seated.act(name, "join", name=hero)
    seated.sit("Di", "spectator")
    return seated


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(at_the_market)


def by_program(
    seated: Seated, command: str, /, *, by: str = "Ada", agreed: str | None = None, **fields: Any
) -> Outcome:
    sender = seated.seats[by]
    return seated.host.act(seated.table, sender, (command, fields), program=True, agreed=agreed)


def asked(outcome: Outcome) -> tuple[str | None, str]:
    """The seat that a proposal asks, and its words."""
    (event,) = outcome.events
    assert event.name == "consent_asked", event
    consent = event.fields["consent"]
    return consent["of"], consent["words"]


def last_words(outcome: Outcome) -> str:
    return outcome.events[-1].words


def hero(seated: Seated, name: str) -> str:
    return next(one.id for one in seated.look("Ada").characters.values() if one.name == name)


def agree_to_it(seated: Seated, who: str) -> str:
    """What comes of it when somebody says yes to the only proposal there is."""
    (consent,) = seated.look("Ada").consents
    return seated.refused(who, "agree", consent=consent)


# ---------------------------------------------------------------- what waits for whom


def test_what_is_grave_waits_for_any_person_who_may_do_it(seated: Seated) -> None:
    seated.act("Bo", "stumble", who="Kira")
    outcome = by_program(seated, "undo")
    assert asked(outcome) == (None, "undo the last command")
    assert seated.look("Ada").characters[hero(seated, "Kira")].sheet.hurt
    assert [agree_to_it(seated, name) for name in ("Bo", "Di", "Ada")] == ["not_yours", "not_allowed", "done"]
    assert not seated.look("Ada").characters[hero(seated, "Kira")].sheet.hurt


def test_what_only_an_ai_may_do_waits_for_any_person_who_plays(tmp_path: Path) -> None:
    seated = at_the_market(tmp_path, ai=True)
    seated.act("Bo", "stumble", who="Kira")
    by_program(seated, "undo")
    assert [agree_to_it(seated, name) for name in ("Max", "Di", "Cy")] == ["not_allowed", "not_allowed", "done"]


def test_a_grave_command_is_done_on_the_word_of_the_person_who_was_asked(seated: Seated) -> None:
    seated.act("Bo", "stumble", who="Kira")
    outcome = by_program(seated, "undo", agreed=seated.seats["Cy"])
    assert last_words(outcome) == "Cy agreed: undo the last command"
    assert not seated.look("Ada").characters[hero(seated, "Kira")].sheet.hurt


def test_what_a_hero_does_without_spending_is_done_and_marked(seated: Seated) -> None:
    outcome = by_program(seated, "haggle", who="Kira", about="apples")
    assert outcome.events[-2].words == "Kira haggles: True"
    assert last_words(outcome) == "for Kira on the AI's word, not on Bo's"
    assert outcome.events[-1].fields == {"who": hero(seated, "Kira"), "seat": seated.seats["Bo"]}


def test_what_a_hero_only_says_is_done_and_marked(seated: Seated) -> None:
    outcome = by_program(seated, "say", who="Kira", words="Good morning!")
    assert [event.words for event in outcome.events] == [
        "Kira: Good morning!",
        "for Kira on the AI's word, not on Bo's",
    ]


def test_what_a_persons_hero_pays_waits_for_that_person_alone(seated: Seated) -> None:
    outcome = by_program(seated, "haggle", who="Kira", about="apples", coins=2)
    assert asked(outcome) == (seated.seats["Bo"], "Kira wants to haggle apples, coins 2")
    assert [agree_to_it(seated, name) for name in ("Ada", "Cy", "Bo")] == ["not_yours", "no_such_thing", "done"]
    assert seated.words("Bo")[-2:] == ["Kira haggles: True", "Bo agreed: Kira wants to haggle apples, coins 2"]


def test_the_yes_of_another_is_not_that_of_the_person_concerned(seated: Seated) -> None:
    for agreed in (seated.seats["Cy"], ""):
        outcome = by_program(seated, "haggle", who="Kira", about=f"apples{agreed}", coins=2, agreed=agreed)
        assert asked(outcome)[0] == seated.seats["Bo"]
    for agreed in (seated.seats["Cy"], ""):
        outcome = by_program(seated, "haggle", who="Kira", about="pears", agreed=agreed)
        assert last_words(outcome) == "for Kira on the AI's word, not on Bo's"


def test_nobody_else_says_yes_to_giving_a_persons_hero_away(seated: Seated) -> None:
    fields = {"character": "Kira", "seat": "Cy"}
    for agreed in (seated.seats["Cy"], ""):
        assert asked(by_program(seated, "give_character", agreed=agreed, **fields))[0] == seated.seats["Bo"]
        seated.act("Bo", "decline", consent=next(iter(seated.look("Bo").consents)))
    outcome = by_program(seated, "give_character", agreed=seated.seats["Bo"], **fields)
    assert last_words(outcome) == "Bo agreed: give character Kira, player Cy"


def test_what_the_person_concerned_said_yes_to_is_done_as_theirs(seated: Seated) -> None:
    for coins in (0, 2):
        outcome = by_program(seated, "haggle", who="Kira", about="figs", coins=coins, agreed=seated.seats["Bo"])
        words = "Kira wants to haggle figs" + (", coins 2" if coins else "")
        assert last_words(outcome) == f"Bo agreed: {words}"


def test_what_befalls_a_persons_hero_by_their_own_command_waits_for_them(seated: Seated) -> None:
    assert asked(by_program(seated, "stumble", who="Kira")) == (seated.seats["Bo"], "Kira wants to stumble")
    assert not seated.look("Ada").characters[hero(seated, "Kira")].sheet.hurt


def test_an_ai_may_do_to_heroes_what_a_game_master_does(seated: Seated) -> None:
    outcome = by_program(seated, "hurt_them", them=["Kira", "Lund"])
    assert [event.words for event in outcome.events] == ["Kira is hurt", "Lund is hurt"]


@pytest.mark.parametrize("command", ["stumble", "haggle"])
def test_what_an_ais_own_hero_does_needs_nobodys_word(seated: Seated, command: str) -> None:
    fields: dict[str, Any] = {"about": "nuts", "coins": 1} if command == "haggle" else {}
    outcome = by_program(seated, command, by="Max", who="Nim", **fields)
    assert not {"consent_asked", "consent_given", "done_on_ai_word"} & {event.name for event in outcome.events}


def test_a_seat_that_an_ai_has_asks_even_if_no_program_is_named(seated: Seated) -> None:
    seated.act("Ada", "give_character", character="Kira", seat="Max")
    seated.act("Max", "stumble", who="Kira")
    assert seated.look("Ada").characters[hero(seated, "Kira")].sheet.hurt
    seated.act("Max", "leave_seat", seat=seated.seats["Max"])
    assert len(seated.look("Ada").consents) == 1


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("give_character", {"character": "Kira", "seat": "Cy"}),
        ("give_character", {"character": "Kira"}),
        ("name_stand_in", {"seat": "Bo", "stand_in": "Max"}),
        ("rename_seat", {"seat": "Bo", "name": "Bob"}),
    ],
)
def test_what_changes_a_persons_seat_or_takes_their_hero_waits_for_them(
    seated: Seated, command: str, fields: dict[str, Any]
) -> None:
    before = seated.look("Ada")
    assert asked(by_program(seated, command, **fields))[0] == seated.seats["Bo"]
    assert (seated.look("Ada").seats, seated.look("Ada").characters) == (before.seats, before.characters)
    assert agree_to_it(seated, "Bo") == "done"
    assert (seated.look("Ada").seats, seated.look("Ada").characters) != (before.seats, before.characters)


def test_what_concerns_an_ais_seat_or_hero_waits_for_nobody(seated: Seated) -> None:
    outcome = by_program(seated, "rename_seat", seat="Max", name="Maxine")
    assert [event.name for event in outcome.events] == ["seat_renamed"]
    outcome = by_program(seated, "give_character", character="Nim", seat="Cy")
    assert [event.name for event in outcome.events] == ["character_given"]
    assert seated.look("Ada").characters[hero(seated, "Nim")].seat == seated.seats["Cy"]


def test_a_hero_whom_nobody_plays_is_the_programs_to_move(seated: Seated) -> None:
    seated.act("Ada", "give_character", character="Kira")
    outcome = by_program(seated, "stumble", who="Kira")
    assert [event.words for event in outcome.events] == ["Kira is hurt"]


def test_what_concerns_two_people_is_for_each_of_them_to_do(seated: Seated) -> None:
    with pytest.raises(Refusal, match=r"That is for (Bo and Cy|Cy and Bo) to decide: each") as refused:
        by_program(seated, "swap_players", one="Kira", another="Lund")
    assert refused.value.code == "not_yours"
    assert not seated.look("Ada").consents
    seated.act("Ada", "swap_players", one="Kira", another="Lund")
    assert seated.look("Ada").characters[hero(seated, "Kira")].seat == seated.seats["Cy"]


def test_where_no_person_is_left_to_ask_it_is_done_and_marked(tmp_path: Path) -> None:
    dice = ScriptedDice([5])
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (GAME,))
    opened = host.open("market", name="The Market", game_master="Ada", ai=True)
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.sit("Di", "spectator")
    seated.act("Ada", "join", name="Nim")
    seated.act("Ada", "stumble", who="Nim")
    outcome = by_program(seated, "undo")
    assert last_words(outcome) == "on the AI's word: there was no person to ask"
    assert outcome.events[-1].fields == {"who": None, "seat": None}


def test_a_proposal_is_made_once_and_may_be_made_again_with_other_fields(seated: Seated) -> None:
    by_program(seated, "haggle", who="Kira", about="figs", coins=2, pitch="Please!")
    with pytest.raises(Refusal, match=r"waits for a yes already \(Kira wants to haggle figs, coins 2") as refused:
        by_program(seated, "haggle", who="Kira", about="figs", coins=2, pitch="Please!")
    assert refused.value.code == "still_deciding"
    by_program(seated, "haggle", who="Kira", about="figs", coins=2, pitch="Now!")
    by_program(seated, "haggle", who="Kira", about="figs", coins=3, pitch="Please!")
    by_program(seated, "stumble", who="Kira")
    by_program(seated, "stumble", who="Kira", by="Bo")
    assert len(seated.look("Ada").consents) == 5


def test_what_a_program_asks_before_it_acts_is_what_its_command_would_wait_for(seated: Seated) -> None:
    def required(command: str, **fields: Any) -> tuple[str | None, str] | None:
        needed = seated.host.required_consent(seated.table, seated.game_master, (command, fields))
        return (needed.of, needed.words) if needed else None

    assert required("undo") == (None, "undo the last command")
    assert required("stumble", who="Kira") == (seated.seats["Bo"], "Kira wants to stumble")
    assert required("stumble", who="Nim") is None
    assert required("haggle", who="Kira", about="figs") is None
    assert not seated.look("Ada").consents


# ---------------------------------------------------------------- how it reads


@pytest.mark.parametrize(
    ("command", "fields", "words"),
    [
        ("haggle", {"about": "figs"}, "Kira wants to haggle figs"),
        ("haggle", {"about": "figs", "loudly": True, "difficulty": 6}, "Kira wants to haggle figs, against 6, loudly"),
        ("haggle", {"about": "figs", "pitch": "Please!"}, "Kira wants to haggle figs, pitch “Please!”"),
        ("haggle", {"about": "figs", "friends": ["Lund", "Nim"]}, "Kira wants to haggle figs, friends Lund and Nim"),
        (
            "haggle",
            {"about": "figs", "terms": {"when": "now", "why": ""}},
            "Kira wants to haggle figs, terms when now",
        ),
        ("bargain", {"about": "figs", "loudly": True, "difficulty": 5}, "Kira bargains for figs, against 5, loudly"),
        ("bargain", {"about": "figs"}, "Kira bargains for figs"),
        ("sing", {"loudly": True}, "Kira wants to sing, loudly"),
    ],
)
def test_a_command_reads_as_a_person_would_say_it(
    seated: Seated, command: str, fields: dict[str, Any], words: str
) -> None:
    given = (command, {"who": "Kira", **fields})
    assert seated.host.worded(seated.table, seated.game_master, given) == words


def test_a_command_without_an_actor_begins_with_what_is_done(seated: Seated) -> None:
    for command, fields, words in (
        ("hurt_them", {"them": ["Kira", "Lund"]}, "hurt them Kira and Lund"),
        ("hurt_them", {"them": []}, "hurt them none"),
        ("give_character", {"character": "Kira", "seat": "Cy"}, "give character Kira, player Cy"),
        ("give_character", {"character": "Kira"}, "give character Kira"),
    ):
        assert seated.host.worded(seated.table, seated.game_master, (command, fields)) == words


def test_the_difficulty_of_a_hidden_roll_is_in_no_words(seated: Seated) -> None:
    hard: dict[str, Any] = {"who": "Kira", "about": "figs", "difficulty": 7, "coins": 1}
    secret: dict[str, Any] = {**hard, "about": "the plot"}
    worded = seated.host.worded
    assert "7" in worded(seated.table, seated.game_master, ("haggle", hard))
    assert "7" not in worded(seated.table, seated.game_master, ("haggle", hard), sight=Sight.HIDDEN)
    assert worded(seated.table, seated.game_master, ("haggle", secret)) == "Kira wants to haggle the plot, coins 1"
    assert "7" not in asked(by_program(seated, "haggle", **secret))[1]


def test_a_long_word_of_somebodys_is_cut(seated: Seated) -> None:
    given = ("haggle", {"who": "Kira", "about": "figs", "pitch": "x" * 500})
    assert seated.host.worded(seated.table, seated.game_master, given).endswith(f"pitch “{'x' * 120}”")


# ---------------------------------------------------------------- what a player may only propose


def test_what_a_player_says_of_the_difficulty_is_the_game_masters_to_rule_on(seated: Seated) -> None:
    outcome = seated.act("Bo", "haggle", who="Kira", about="figs", difficulty=2)
    assert asked(outcome) == (seated.game_master, "Kira wants to haggle figs, against 2")
    assert agree_to_it(seated, "Bo") == "not_yours"
    assert agree_to_it(seated, "Ada") == "done"
    assert seated.words("Bo")[-2:] == ["Kira haggles: True", "Ada agreed: against 2"]


def test_a_ruling_that_leaves_nothing_of_a_proposal_says_what_was_proposed(seated: Seated) -> None:
    seated.act("Bo", "haggle", who="Kira", about="figs", difficulty=2)
    (consent,) = seated.look("Ada").consents
    seated.act("Ada", "agree", consent=consent, changes={"difficulty": 4})
    assert seated.words("Bo")[-1] == "Ada agreed: Kira wants to haggle figs"


def test_what_the_game_master_says_needs_no_ruling(seated: Seated) -> None:
    outcome = seated.act("Ada", "haggle", who="Kira", about="figs", difficulty=2)
    assert last_words(outcome) == "Kira haggles: True"
    assert last_words(seated.act("Bo", "haggle", who="Kira", about="figs")) == "Kira haggles: True"


def test_at_a_trusting_table_players_need_no_ruling(tmp_path: Path) -> None:
    seated = at_the_market(tmp_path, house={"trusting": True})
    outcome = seated.act("Bo", "haggle", who="Kira", about="figs", difficulty=2)
    assert last_words(outcome) == "Kira haggles: True"
