"""An evening told again: what a seat may see of it, what stands out, and the exact luck of those who rolled."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.surfaces.shared.chronicle import Chronicle
from astragal.surfaces.shared.pictures import reencode_untrusted
from astragal.surfaces.shared.printing import chronicle_pdf, sheet_pdf, typeset
from astragal.surfaces.shared.recap import chronicle_of, luckier_than
from astragal.table.declarations import Sight
from astragal.table.refusals import NoSuchThing
from tests.surfaces.web.played import Played, playing
from tests.surfaces.web.test_pictures import photograph

HOSTILE = '#panic("x") *bold* $x^2$ `raw` \\ #read("/etc/passwd") <label> @cite [//] "quote" {json: 1} 龍'
MADE, MISSED = 3, 19


@pytest.fixture
def evening(tmp_path: Path) -> Chronicle:
    with playing(tmp_path, "sinew_steel") as played:
        _play(played)
        return chronicle_of(played.at("Bo"))


def _play(played: Played) -> None:
    """Kira (Might 12, no Luck to spend) makes one of three tests; one is hidden. Then a second evening begins."""
    played.act("Bo", "make_hero", name="Kira", scores={"MGT": 12})
    played.act("Ada", "begin_evening")
    played.act("Ada", "improvise_scene", title="The rope bridge", hook="Wind howls.")
    played.act("Ada", "narrate", words="The rope hums.")
    played.act("Bo", "say", words="I go first.", who=played.who("Kira"))
    played.act("Bo", "whisper", to=[played.seats["Cy"]], words="I am afraid")
    for face in (MADE, MISSED, MISSED):
        done = played.act("Bo", "test", face, who=played.who("Kira"), attribute="MGT", stakes="to hold on")
        if done.waits_for:
            played.act("Bo", "answer", act=done.act, answer=0)
    played.act("Ada", "test", MADE, who=played.who("Kira"), attribute="MGT", stakes="canary", sight=Sight.HIDDEN)


def test_an_evening_is_told_with_its_scene_its_words_and_its_rolls(evening: Chronicle) -> None:
    kinds = [(one.kind, one.title or one.words[0]) for one in evening.passages]
    assert kinds[:3] == [("scene", "The rope bridge"), ("told", "The rope hums."), ("spoken", "Kira")]
    assert [one.kind for one in evening.passages][3:] == ["roll"] * 3
    assert "made at 60 % (3/5)" in evening.passages[3].note


def test_what_a_foe_rolls_is_told_without_a_colour(tmp_path: Path) -> None:
    with playing(tmp_path, "sinew_steel") as played:
        played.act("Bo", "make_hero", name="Kira", scores={"MGT": 12})
        played.act("Ada", "make_npc", name="Guard", shown=True, stamina=4)
        played.act("Ada", "begin_evening")
        for name in ("Kira", "Guard"):
            done = played.act("Ada", "test", MISSED, who=played.who(name), attribute="MGT", stakes="to hold on")
            if done.waits_for:
                played.act("Bo", "answer", act=done.act, answer=0)
        told = chronicle_of(played.at("Bo"))
    assert [one.tone for one in told.passages if one.kind == "roll"] == ["bad", ""]


def test_the_hero_of_a_game_master_who_plays_alone_has_colours(tmp_path: Path) -> None:
    with playing(tmp_path, "sinew_steel") as played:
        played.act("Ada", "make_hero", name="Kira", scores={"MGT": 12})
        played.act("Ada", "begin_evening")
        done = played.act("Ada", "test", MISSED, who=played.who("Kira"), attribute="MGT", stakes="to hold on")
        if done.waits_for:
            played.act("Ada", "answer", act=done.act, answer=0)
        told = chronicle_of(played.at("Ada"))
    assert [one.tone for one in told.passages if one.kind == "roll"] == ["bad"]


def test_nothing_hidden_and_no_whisper_is_in_it(evening: Chronicle) -> None:
    told = evening.markdown + json.dumps(evening.plain, default=str)
    assert "canary" not in told
    assert "afraid" not in told


def test_luck_is_what_the_dice_made_against_the_exact_chance(evening: Chronicle) -> None:
    (kira,) = evening.luck
    assert (kira.who, kira.rolls, kira.made, kira.expected) == ("Kira", 3, 1, Fraction(9, 5))
    fewer, as_many = Fraction(2, 5) ** 3, 3 * Fraction(3, 5) * Fraction(2, 5) ** 2
    assert kira.luckier == fewer + as_many / 2


def test_the_luck_of_no_rolls_and_of_certain_ones_is_a_half() -> None:
    assert luckier_than([], 0) == luckier_than([Fraction(1)], 1) == Fraction(1, 2)


def test_the_best_and_the_worst_rolls_stand_apart(evening: Chronicle) -> None:
    assert [one.made for one in evening.best] == [True]
    assert [one.made for one in evening.worst] == [False, False]


def test_what_a_roll_asked_for_is_told_and_a_turning_point_is_told_once(tmp_path: Path) -> None:
    with playing(tmp_path, "new_shoes") as played:
        played.act("Bo", "make_hero", name="Ottilie", body=2, mind=5, will=3)
        played.act("Ada", "begin_evening")
        who = played.who("Ottilie")
        played.act("Bo", "describe", who=who, words="I read it upside down.")
        played.act("Ada", "call_approach", who=who, attribute="body", target=12)
        played.act("Bo", "roll_approach", 6, 5, 5, who=who)
        view = played.at("Bo")
        told = chronicle_of(view)
        assert (len(told.turns), told.best, told.worst) == (1, (), ())
        (prompt,) = view.state.prompts
        played.act("Bo", "answer_prompt", prompt=prompt, words="It is a map.")
        last = chronicle_of(played.at("Di")).passages[-1]
        assert (last.kind, last.title, last.words) == ("spoken", "Ottilie", ("It is a map.",))
        played.act("Ada", "edit_answer", prompt=prompt, words="It is half a map.")
        assert chronicle_of(played.at("Di")).passages[-1].words == ("It is half a map.",)


def test_what_heroes_want_and_how_is_told_in_a_few_words(tmp_path: Path) -> None:
    """NJ-01, NJ-02, NJ-22: of a roll without its terms; what came true without dice, and what a player put in, too."""
    with playing(tmp_path, "narraject") as played:
        played.act("Ada", "begin_evening")
        played.act("Bo", "take_sample", sample="Tove Lindqvist")
        tove = played.who("Tove Lindqvist")
        hatch: dict[str, Any] = {"who": tove, "goal": "the hatch open", "approach": "with the boat hook"}
        played.act("Bo", "declare_intent", **hatch)
        played.act("Bo", "attempt", 1, 1, 1, who=tove, stat="might", difficulty=1)
        played.act("Ada", "say_yes", **hatch, missing="consequences")
        played.act("Bo", "inject", fact="the keeper is her uncle")
        told = chronicle_of(played.at("Bo"))
    wants = "Tove Lindqvist wants: the hatch open (with the boat hook)."
    assert [one.words for one in told.passages] == [
        (f"{wants} Failed, 1 short",),
        (f"{wants} It comes true",),
        ("The keeper is her uncle",),
    ]


def test_each_evening_is_told_by_itself(tmp_path: Path) -> None:
    with playing(tmp_path, "sinew_steel") as played:
        _play(played)
        played.act("Ada", "end_evening")
        played.act("Ada", "begin_evening")
        played.act("Ada", "narrate", words="A new day.")
        view = played.at("Bo")
        assert [one.words for one in chronicle_of(view).passages] == [("A new day.",)]
        assert chronicle_of(view, 1).passages[0].title == "The rope bridge"
        assert "A new day." not in chronicle_of(view, 1).markdown
        with pytest.raises(NoSuchThing, match="There was no evening 7; there were 1, 2"):
            chronicle_of(view, 7)


def test_words_of_people_are_text_and_nothing_else_in_every_printed_page(tmp_path: Path) -> None:
    with playing(tmp_path, "sinew_steel") as played:
        played.act("Bo", "make_hero", name=HOSTILE[:60], concept=HOSTILE)
        played.act("Ada", "begin_evening")
        played.act("Ada", "narrate", words=HOSTILE)
        view = played.at("Bo")
        sheet = sheet_pdf(view, next(iter(view.state.characters.values())))
        assert sheet.startswith(b"%PDF")
        assert chronicle_pdf(chronicle_of(view)).startswith(b"%PDF")
        assert "\\*bold\\*" in chronicle_of(view).markdown
    shown = typeset("#assert(data.title == data.line); #data.title", {"title": HOSTILE, "line": HOSTILE, "footer": ""})
    assert shown.startswith(b"%PDF")


@pytest.mark.slow
def test_an_evening_is_told_with_the_pictures_that_a_seat_may_see_and_no_others(tmp_path: Path) -> None:
    with playing(tmp_path, "sinew_steel") as played:
        _play(played)
        letter, map_, hidden = (_brought(played, shade) for shade in (40, 80, 120))
        played.act("Ada", "set_portrait", who=played.who("Kira"), picture=map_)
        played.act("Ada", "write_handout", title="The letter", picture=letter, alt="A torn letter")
        played.act("Ada", "show_handout", handout="The letter", to=[played.seats["Bo"]])
        played.act("Ada", "write_handout", title="canary", picture=hidden)
        state = played.at("Ada").state
        digests = {name: state.pictures[one].digest for name, one in (("letter", letter), ("map", map_))}
        bo, cy = (chronicle_of(played.at(name)) for name in ("Bo", "Cy"))
        assert set(bo.pictures) == {"plates/bridge", digests["letter"], digests["map"]}
        assert set(cy.pictures) == {"plates/bridge", digests["map"]}
        assert [one.portrait for one in bo.people] == [digests["map"]]
        assert "canary" not in bo.illustrated
        assert "*A torn letter*" in bo.markdown
        assert "A torn letter" not in cy.illustrated
        (carried,) = re.findall(r"^\[picture-2\]: data:image/webp;base64,(\S+)$", bo.illustrated, re.MULTILINE)
        assert b64decode(carried) == bo.pictures[digests["letter"]]
        assert "![A torn letter][picture-2]" in bo.illustrated
        drawn, plain = chronicle_pdf(bo), chronicle_pdf(replace(bo, pictures={**bo.pictures, digests["map"]: b"RIFF"}))
        assert b"/Subtype /Image" in drawn or b"/Subtype/Image" in drawn
        assert plain.startswith(b"%PDF")
        assert len(plain) < len(drawn)


def _brought(played: Played, shade: int) -> str:
    data = reencode_untrusted(photograph("PNG", (shade, 90)), 1600)
    kept = played.context.host.album.add(played.table, played.seats["Ada"], data, title=f"Picture {shade}")
    made: str = kept.events[0].fields["picture"]["id"]
    return made


@pytest.mark.parametrize("game", ["narraject", "new_shoes", "sinew_steel", "six_pool"])
def test_every_game_lays_out_a_sheet(tmp_path: Path, game: str) -> None:
    with playing(tmp_path, game) as played:
        ruleset = played.context.book(game).ruleset
        assert ruleset.heroes
        sample = next(iter(ruleset.heroes.samples(played.at("Ada").state.options).values()))
        played.act("Bo", ruleset.heroes.make, **dict(sample))
        view = played.at("Bo")
        assert sheet_pdf(view, next(iter(view.state.characters.values()))).startswith(b"%PDF")
