"""What was decided is told in the names of people and the game's own words, and no sooner than it may be known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from astragal.storage import open_store
from astragal.table.authoring.log_lines import Teller
from astragal.table.authoring.ruleset import Ruleset
from astragal.table.commands.builtin import AnswerSealed, Decided
from astragal.table.declarations import Sight, replace
from astragal.table.registry import Book
from tests.table.dare import DARE
from tests.table.fair_tables import FairTable, Witness
from tests.table.seated import Seated, seat_everyone


def normalised(offer: str, answer: Any, teller: Teller) -> str:
    return f"Pay {answer} {teller.term(offer)}" if answer else ""


SPOKEN = replace(DARE, answer_words=normalised, terms={"nerve": "pluck"})


def told(seated: Seated, decided: Decided | AnswerSealed, ruleset: Ruleset = DARE) -> str:
    state = seated.look("Ada")
    return Book.of(ruleset).event_specs[type(decided)].words(decided, Teller(state, ruleset.terms))


def kira(seated: Seated) -> str:
    return next(one.id for one in seated.look("Ada").characters.values() if one.name == "Kira")


def test_an_answer_is_told_by_name_with_what_was_asked(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    seated.act("Bo", "answer", act=waiting.act, answer=2)
    for seat in ("Ada", "Bo", "Cy", "Di"):
        assert "Kira answers nerve: 2" in seated.words(seat)


def test_a_games_own_words_are_quoted_where_it_has_some(seated: Seated) -> None:
    decided = Decided(act="a", sides={"who": 2}, who={"who": kira(seated)}, offers={"who": "nerve"})
    assert told(seated, decided, SPOKEN) == "Kira answers “Pay 2 pluck”"
    assert told(seated, replace(decided, sides={"who": 0}), SPOKEN) == "Kira answers pluck: 0"
    assert told(seated, replace(decided, sides={"who": False})) == "Kira answers nerve: no"
    assert told(seated, replace(decided, sides={"who": "hold_on"})) == "Kira answers nerve: hold on"


def test_an_old_log_that_named_nobody_is_told_by_its_sides(seated: Seated) -> None:
    assert told(seated, Decided(act="a", sides={"attacker": 0})) == "attacker answers 0"
    assert told(seated, AnswerSealed(act="a", side="attacker", answer=0)) == "attacker has decided"


def test_whoever_decides_for_another_is_told_of(seated: Seated) -> None:
    seated.dice.faces = [2]
    waiting = seated.act("Bo", "dare", who="Kira", danger=4)
    answered = seated.act("Ada", "answer", act=waiting.act, answer=0)
    assert answered.events[0].words == "Kira answers nerve: 0 (decided for Bo)"


def test_dice_thrown_by_hand_are_told_as_such(tmp_path: Path) -> None:
    seated = seat_everyone(open_store(f"sqlite:///{tmp_path}/tables.db"), house={"hand_dice": True})
    waiting = seated.host.act(seated.table, seated.seats["Bo"], ("dare", {"who": "Kira"}), by_hand=True)
    assert waiting.events[-1].words == "Bo throws the dice by hand"
    assert seated.act("Bo", "answer", act=waiting.act, answer=[5]).events[0].words == "Bo throws 5 by hand"


def test_links_of_witnesses_are_no_answers_to_be_read_out(tmp_path: Path) -> None:
    table = FairTable(open_store(f"sqlite:///{tmp_path}/fair.db"), witnessed=True)
    witnesses = [Witness(table, table.bo), Witness(table, table.cy)]
    waiting = table.dare(table.ada, sight=Sight.HIDDEN)
    assert waiting.events[-1].words == "a roll waits for Bo and Cy to witness it"
    for witness in witnesses:
        witness.answer(waiting.act)
    words = [event.words for event in table.host.follow(table.table, table.ada).events]
    assert "Bo has given a link" in words
    assert "all links are in" in words
