"""The oracle: yes, no and but with exact odds, twists, and who appears."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from astragal.chance import odds
from astragal.chance.contract import faults
from astragal.table.chapters.oracle import (
    ABOUT,
    DOES,
    MANNERS,
    MOST_KNOWN,
    RULES,
    UP_TO,
    Likelihood,
    Reply,
    oracle,
    who_appears,
)
from astragal.table.state.setting import Foe, Setting
from tests.table.seated import LaidOnce, Seated, everyone


def with_a_wolf(folder: Path) -> Seated:
    return everyone(folder, setting=Setting(foes=(Foe(id="wolf", name="The Grey Wolf", fields={}),)))


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(with_a_wolf)


def test_the_rules_keep_the_contract() -> None:
    assert [fault for one in RULES for fault in faults(one)] == []
    assert len(set(DOES)) == len(set(ABOUT)) == 20
    assert len(set(MANNERS)) == MOST_KNOWN


@pytest.mark.parametrize("likelihood", Likelihood)
def test_a_yes_is_as_likely_as_it_says_and_every_answer_can_come(likelihood: Likelihood) -> None:
    chances = odds(oracle(likelihood))
    assert chances.chance(lambda reply: reply.is_yes) == Fraction(UP_TO[likelihood], 20)
    assert chances.chance(Reply.YES_BUT) == Fraction(UP_TO[likelihood], 120)
    assert all(chances.chance(reply) for reply in Reply)


@pytest.mark.parametrize("known", range(MOST_KNOWN + 1))
def test_those_who_are_known_are_equally_likely_to_appear(known: int) -> None:
    chances = odds(who_appears(known))
    by_place = chances.map(lambda found: found.place)
    assert len({by_place.chance(place) for place in range(known)}) <= 1
    assert known == MOST_KNOWN or chances.chance(lambda found: found.place is None) > 0


def test_the_oracles_answer_is_for_all_and_what_it_deals_is_the_game_masters(seated: Seated) -> None:
    seated.dice.faces = [10, 1, 3, 4, 1, 5]
    answered = seated.act("Ada", "ask_oracle", question="Is the gate guarded?")
    assert answered.events[-1].words.endswith("the oracle says: yes, but it costs something or comes with a catch")
    twist = seated.act("Ada", "draw_twist")
    assert twist.events[-1].words == f"a twist: {ABOUT[3]} {DOES[2]}"
    appears = seated.act("Ada", "who_appears")
    assert appears.events[-1].words == f"somebody appears: The Grey Wolf, who {MANNERS[4]}"
    told = " ".join(event.words for event in seated.host.follow(seated.table, seated.seats["Bo"]).events)
    assert "Is the gate guarded?" in told
    assert "Grey Wolf" not in told


def test_a_preview_has_its_exact_odds(seated: Seated) -> None:
    asked = ("ask_oracle", {"question": "Is it open?", "likelihood": "likely"})
    found = seated.host.preview(seated.table, seated.seats["Ada"], asked)
    assert found is not None
    assert found.cases[0].success == Fraction(14, 20)
