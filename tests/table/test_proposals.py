"""Proposals: what a player may only propose waits for the game master, who says yes, no, or something else."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
from annotated_types import Ge, Le

from astragal.chance import Rolls, d6, rule
from astragal.game import Call, Chapter, Command, Doing, Event, Seen, Value, game
from astragal.game.fields import Against, CharacterId, Doc, MaySet, Name, Names
from astragal.storage import open_store
from astragal.table.chapters.prompts import find_request, met
from astragal.table.refusals import BadFields, Refusal
from tests.table.seated import ScriptedDice, Seated, new_host


class Sheet(Value, seen=Seen.ALL):
    calm: Annotated[int, Ge(0), Le(9)] = 3


@rule
def pick(difficulty: int, bonus: int) -> Rolls[bool]:
    """A d6 and a bonus reach the difficulty."""
    return (yield from d6) + bonus >= difficulty


LOCKS = Chapter(seen=Seen.ALL)


@LOCKS.event("picked", says="{who} tries the lock, {difficulty} with {bonus}: {opened}")
class Picked(Event):
    who: CharacterId
    difficulty: int
    bonus: int
    opened: bool


@LOCKS.command("pick_lock", actor="who")
class PickLock(Command):
    """Pick a lock."""

    who: Annotated[CharacterId, Doc("who picks")]
    difficulty: Annotated[int, Ge(1), Le(9), Against(), Doc("what to reach")] = 4
    bonus: Annotated[int, Ge(0), Le(20), MaySet.PROPOSAL, Doc("what helps")] = 0
    alarm: Annotated[bool, MaySet.GAME_MASTER, Doc("whether failing is heard")] = False
    how: Annotated[Name, Doc("in which way")] = "quietly"
    request: Annotated[str | None, Names("request"), Doc("the request that this meets")] = None

    def granted(self, call: Call) -> tuple[str, ...]:
        """Whoever is calm has a point of bonus anyway."""
        calm: int = call.state.characters[self.who].sheet.calm
        return ("bonus",) if self.bonus == 1 and calm else ()

    def does(self, call: Call) -> Doing[bool]:
        request = find_request(call.state, self.request, self.who) if self.request else None
        against = request.difficulty if request and request.difficulty else self.difficulty
        opened = yield pick(against, self.bonus)
        told = Picked(who=self.who, difficulty=against, bonus=self.bonus, opened=opened)
        return [told, met(request)] if request else [told]


GAME = game("Locks", sheet=Sheet, rules=[pick], chapters=[LOCKS], dice="d6")


def at_the_table(tmp_path: Path, *, ai: bool = False, **house: bool) -> Seated:
    dice = ScriptedDice([5] * 9)
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (GAME,))
    opened = host.open("locks", name="The Vault", game_master="Ada", ai=ai, house=house)
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.sit("Bo")
    seated.act("Bo", "join", name="Kira")
    return seated


@pytest.fixture
def seated(tmp_path: Path) -> Seated:
    return at_the_table(tmp_path)


def kira(seated: Seated) -> str:
    return next(iter(seated.look("Ada").characters))


def proposed(seated: Seated, **fields: Any) -> str:
    """The id of the proposal that a player's command becomes."""
    seated.act("Bo", "pick_lock", who=kira(seated), **fields)
    (consent,) = seated.look("Ada").consents
    return consent


def test_what_a_player_says_of_their_own_is_done_at_once(seated: Seated) -> None:
    seated.act("Bo", "pick_lock", who=kira(seated), how="loudly")
    assert seated.words("Bo")[-1] == "Kira tries the lock, 4 with 0: True"


def test_a_bonus_that_a_player_claims_waits_for_the_game_master(seated: Seated) -> None:
    proposed(seated, bonus=20)
    assert seated.words("Bo")[-1] == "Bo proposes: Kira wants to pick lock, bonus 20. It waits for the yes of Ada"
    assert len(seated.dice.faces) == 9


def test_what_the_roll_is_against_is_the_game_masters_too(seated: Seated) -> None:
    consent = proposed(seated, difficulty=1)
    seated.act("Ada", "agree", consent=consent)
    assert "Kira tries the lock, 1 with 0: True" in seated.words("Bo")
    assert not seated.look("Ada").consents


def test_the_game_master_may_say_yes_to_something_else(seated: Seated) -> None:
    consent = proposed(seated, bonus=20)
    seated.act("Ada", "agree", consent=consent, changes={"bonus": 1})
    assert seated.words("Bo")[-2:] == [
        "Kira tries the lock, 4 with 1: True",
        "Ada agreed: bonus 1",
    ]


def test_only_what_was_proposed_can_be_changed(seated: Seated) -> None:
    consent = proposed(seated, bonus=2)
    assert seated.refused("Ada", "agree", consent=consent, changes={"how": "loudly"}) == "not_allowed"
    with pytest.raises(BadFields, match="bonus"):
        seated.act("Ada", "agree", consent=consent, changes={"bonus": 99})
    assert consent in seated.look("Ada").consents


def test_no_player_rules_on_a_proposal(seated: Seated) -> None:
    consent = proposed(seated, bonus=2)
    assert seated.refused("Bo", "agree", consent=consent) == "not_yours"


def test_a_player_may_take_a_proposal_back(seated: Seated) -> None:
    seated.act("Bo", "decline", consent=proposed(seated, bonus=2))
    assert not seated.look("Ada").consents


def test_what_is_the_game_masters_alone_is_refused(seated: Seated) -> None:
    with pytest.raises(Refusal, match="Only the game master can set that \\(alarm\\)"):
        seated.act("Bo", "pick_lock", who=kira(seated), alarm=True)


def test_what_is_granted_anyway_needs_no_ruling(seated: Seated) -> None:
    seated.act("Bo", "pick_lock", who=kira(seated), bonus=1)
    assert seated.words("Bo")[-1] == "Kira tries the lock, 4 with 1: True"


def test_what_the_request_says_for_the_game_master_may_be_said_again(seated: Seated) -> None:
    """A form that was filled in from the request says it."""
    who = kira(seated)
    seated.act("Ada", "request_roll", who=who, command="pick_lock", fields={"alarm": True}, difficulty=6)
    (request,) = seated.look("Bo").requests
    seated.act("Bo", "pick_lock", who=who, alarm=True, request=request)
    assert "Kira tries the lock, 6 with 0: False" in seated.words("Bo")


def test_the_game_master_proposes_nothing(seated: Seated) -> None:
    seated.act("Ada", "pick_lock", who=kira(seated), bonus=20, alarm=True)
    assert seated.words("Bo")[-1] == "Kira tries the lock, 4 with 20: True"


def test_what_the_request_fills_in_is_the_game_masters_word(seated: Seated) -> None:
    who = kira(seated)
    seated.act("Ada", "request_roll", who=who, command="pick_lock", fields={"bonus": 2}, difficulty=6)
    (request,) = seated.look("Bo").requests
    seated.act("Bo", "pick_lock", who=who, bonus=2, request=request)
    assert "Kira tries the lock, 6 with 2: True" in seated.words("Bo")


def test_a_request_does_not_open_the_door_to_more(seated: Seated) -> None:
    who = kira(seated)
    seated.act("Ada", "request_roll", who=who, command="pick_lock", fields={"bonus": 2}, difficulty=6)
    (request,) = seated.look("Bo").requests
    proposed(seated, bonus=20, request=request)


def test_at_a_trusting_table_proposals_count_at_once(tmp_path: Path) -> None:
    seated = at_the_table(tmp_path, trusting=True)
    seated.act("Bo", "pick_lock", who=kira(seated), bonus=20)
    assert seated.words("Bo")[-1] == "Kira tries the lock, 4 with 20: True"
    assert seated.look("Bo").house.trusting


def test_an_ai_game_master_rules_on_what_players_propose(tmp_path: Path) -> None:
    seated = at_the_table(tmp_path, ai=True)
    seated.act("Ada", "agree", consent=proposed(seated, bonus=2))
    assert "Kira tries the lock, 4 with 2: True" in seated.words("Bo")


def test_a_program_does_not_rule_for_a_person_who_is_the_game_master(seated: Seated) -> None:
    consent = proposed(seated, bonus=2)
    with pytest.raises(Refusal, match="Only a person can agree to that"):
        seated.host.act(seated.table, seated.game_master, ("agree", {"consent": consent}), program=True)


# ---------------------------------------------------------------- rolls that were asked for


def test_what_a_request_says_need_not_be_said_again(seated: Seated) -> None:
    seated.act("Ada", "request_roll", who="Kira", command="pick", fields={"bonus": 2}, difficulty=3)
    told = [one.words for one in seated.act("Bo", "pick_lock", how="loudly").events]
    assert told[-2:] == ["Kira tries the lock, 3 with 2: True", "Kira has rolled as asked"]
    assert not seated.look("Ada").requests


def test_whoever_says_otherwise_does_not_meet_the_request(seated: Seated) -> None:
    seated.act("Ada", "request_roll", who="Kira", command="pick_lock", fields={"how": "loudly"}, difficulty=3)
    assert seated.act("Bo", "pick_lock", how="slowly").events[-1].words == "Kira tries the lock, 4 with 0: True"
    assert len(seated.look("Ada").requests) == 1


def test_of_two_requests_one_is_named(seated: Seated) -> None:
    for what_for, difficulty in (("The gate", 3), ("The chest", 2)):
        seated.act("Ada", "request_roll", who="Kira", command="pick_lock", what_for=what_for, difficulty=difficulty)
    told = [one.words for one in seated.act("Bo", "pick_lock", request="chest").events]
    assert "Kira tries the lock, 2 with 0: True" in told
