"""`astragal play`: a live prompt on a terminal, lines in and JSON lines out elsewhere."""

import json
import re
from typing import Any

import pexpect
import pytest

from tests.surfaces.cli.conftest import Run, Terminal

ASK = "Bo>"


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(params=["sqlite", "postgres"])
def wherever(request: pytest.FixtureRequest, environment: dict[str, str]) -> None:
    """Tables in a file, and tables on a server."""
    if request.param == "postgres":
        environment["ASTRAGAL_DB"] = request.getfixturevalue("postgres_place").url


@pytest.fixture
def by_hand(here: Run) -> Run:
    """A table on which dice are thrown by hand, so that a test knows them."""
    here("table", "new", "dare", "The Cliff", "--gm", "Ada", "--player", "Bo", "--house", "hand_dice=yes")
    here("do", "cliff", "join", "name=Kira", "--as", "Bo")
    return here


def test_lines_go_in_and_json_lines_come_out(cliff: Run) -> None:
    said = 'dare danger 1\n\n{"command": "say", "fields": {"words": "Hello"}}\nodds dare 4\nquit\nsay unheard\n'
    done = cliff("play", "cliff", "--as", "Bo", said=said)
    told = lines(done.stdout)
    assert done.returncode == 0
    assert [next(iter(line)) for line in told] == ["event", "event", "done", "event", "done", "preview"]
    assert [line["event"]["words"] for line in told if "event" in line][1:] == ["Kira dares: True", "Bo: Hello"]
    assert told[-1]["preview"]["cases"][0]["odds"][0]["exactly"] == "1/2"


def test_the_price_of_a_chance_is_asked_for_with_the_odds(cliff: Run) -> None:
    """NJ-24, SP-21: in the prompt as in `astragal preview`."""
    done = cliff("play", "cliff", "--as", "Bo", said="odds dare 4 --reach 40%\nodds dare 4 --reach much\n")
    shown, refused = lines(done.stdout)[-2:]
    assert shown["preview"]["reach"]["points"] == 0
    assert refused["refused"]["code"] == "chance"


def test_sheets_are_found_by_a_part_of_a_name_and_nobodys_is_refused(cliff: Run) -> None:
    shown, refused = lines(cliff("play", "cliff", "--as", "Bo", said="sheet ki\nsheet nobody\n").stdout)
    assert shown["shown"][0] == "Kira (Bo)"
    assert refused["refused"] == {
        "code": "no_such_thing",
        "sentence": "There is no character 'nobody' here: Kira, Lund.",
    }


def test_a_refusal_is_a_line_with_a_code_and_ends_nothing(cliff: Run) -> None:
    done = cliff(
        "play", "cliff", "--as", "Bo", said='fly\nhand over\ndare Lund 3\n{"x"\n{"command": 3}\nsay still here\n'
    )
    told = lines(done.stdout)
    assert done.returncode == 1
    codes = [line["refused"]["code"] for line in told if "refused" in line]
    assert codes == ["not_understood", "not_yours", "not_understood", "not_understood"]
    assert told[0]["asked_back"]["fields"] == {"words": "fly"}
    assert told[-2]["event"]["words"] == "Bo: still here"


def test_what_a_program_proposes_is_shown_and_done_on_a_persons_yes(cliff: Run) -> None:
    cliff("do", "cliff", "take_seat", "name=Echo", "ai=yes", "--as", "Ada")
    cliff("do", "cliff", "hand_over", "seat=Echo", "--as", "Ada")
    cliff("do", "cliff", "mark_save_node", "label=Dusk", "--as", "Echo")
    cliff("do", "cliff", "undo", "--as", "Echo")
    proposed = "Echo proposes: undo the last command (agree, or decline)"
    assert proposed in cliff("table", "show", "cliff", "--as", "Bo").stdout
    waits = "Echo proposes: undo the last command (Ada or Bo or Cy says yes or no)"
    assert waits in cliff("table", "show", "cliff", "--as", "Echo").stdout
    told = lines(cliff("play", "cliff", "--as", "Bo", said="agree\n").stdout)
    assert told[0] == {"shown": [proposed]}
    assert [line["event"]["words"] for line in told if "event" in line][-1] == "Bo agreed: undo the last command"
    assert "proposes" not in cliff("table", "show", "cliff", "--as", "Bo").stdout


def test_an_offer_is_a_line_and_is_answered_by_the_next(by_hand: Run) -> None:
    by_hand("do", "cliff", "dare", "who=Kira", "danger=4", "--by-hand", "--as", "Bo")
    done = by_hand("play", "cliff", "--as", "Bo", said="2\nspend 2\n")
    told = lines(done.stdout)
    assert told[0]["offer"]["dice"] == [6]
    offer = next(line["offer"] for line in told[1:] if "offer" in line)
    assert [one["answer"] for one in offer["answers"]] == [0, 2]
    assert "Kira dares: True" in [line["event"]["words"] for line in told if "event" in line]


def test_all_that_has_happened_can_come_first(cliff: Run) -> None:
    told = lines(cliff("play", "cliff", "--as", "Bo", "--all").stdout)
    assert told[0]["event"]["words"] == "“The Cliff” is opened"


@pytest.mark.usefixtures("wherever")
def test_the_prompt_scrolls_while_others_act_and_asks_what_waits(by_hand: Run, terminal: Terminal) -> None:
    """One real terminal, and another person at the same table."""
    bo = terminal("play", "cliff", "--as", "Bo")
    bo.expect("you are Bo")
    bo.expect("Kira joins")
    bo.expect(ASK)
    bo.sendline("say Is anyone there?")
    bo.expect("Bo: Is anyone there")
    by_hand("do", "cliff", "say", "words=I am")
    bo.expect("Ada: I am")
    by_hand("do", "cliff", "dare", "who=Kira", "danger=4", "--by-hand", "--as", "Bo")
    bo.expect("throw d6 for dare")
    bo.sendline("2")
    bo.expect("Kira decides")
    bo.sendline("5")
    bo.expect("is no answer to 'nerve'; answer one of 0, 2")
    bo.sendline("yes")
    bo.expect("Kira dares: True")
    bo.sendline("?")
    bo.expect("You can now")
    bo.sendline("sheet")
    bo.expect("1/6")
    bo.send("quit\r")
    bo.expect(pexpect.EOF)
    bo.wait()
    assert bo.exitstatus == 0


@pytest.mark.usefixtures("cliff")
def test_a_guess_is_asked_before_it_is_done(terminal: Terminal) -> None:
    bo = terminal("play", "cliff", "--as", "Bo")
    bo.expect(ASK)
    bo.sendline("I want to dare danger 1")
    bo.expect("Did you mean dare: who Kira, danger 1\\? y/n")
    bo.sendline("n")
    bo.expect(ASK)
    bo.sendline("The cliff is high")
    bo.expect("Say “The cliff is high”\\? y/n")
    bo.sendline("y")
    bo.expect("Bo: The cliff is high")
    bo.sendline("end evening")
    bo.expect("Only the game master can end evening")
    bo.sendline("i dare danger=1")
    bo.expect("y/n")
    bo.sendline("YES")
    bo.expect("Kira dares: True")
    bo.sendline("quit")
    bo.expect(pexpect.EOF)


def test_tab_completes_and_the_arrow_brings_back_what_was_said(cliff: Run, terminal: Terminal) -> None:
    bo = terminal("play", "cliff", "--as", "Bo")
    bo.expect(ASK)
    bo.send("whis\t")
    bo.expect("per")  # the rest of the word
    bo.send(" Cy psst\r")
    bo.expect("psst.*\n.*psst")  # typed, and told
    bo.send("\x1b[A\r")
    bo.expect("psst.*\n.*psst")
    bo.expect(ASK)
    bo.send("\x03")  # Ctrl-C drops a line, and the prompt is still there
    bo.sendline("say so")
    bo.expect("Bo: so")
    bo.expect(ASK)  # before that the terminal itself would take the key, and swallow it
    bo.send("\x04")  # Ctrl-D leaves
    bo.expect(pexpect.EOF)
    bo.wait()
    assert bo.exitstatus == 0
    assert cliff("table", "log", "cliff", "--as", "Cy").stdout.count("psst") == 2


@pytest.mark.usefixtures("cliff")
def test_after_each_command_the_prompt_comes_last(terminal: Terminal) -> None:
    bo = terminal("play", "cliff", "--as", "Bo")
    bo.expect(ASK)
    for number in range(12):
        bo.sendline(f"say word {number}")
        bo.expect(f"Bo: word {number}\r?\n")
        bo.expect(ASK)
    bo.sendline("quit")
    bo.expect(pexpect.EOF)


def test_a_terminal_that_is_read_slowly_misses_nothing(cliff: Run, terminal: Terminal) -> None:
    bo = terminal("play", "cliff", "--as", "Bo")
    bo.expect(ASK)
    tale = "".join(f"narrate {'so it goes, ' * 200} {number}.\n" for number in range(40))
    assert cliff("play", "cliff", said=tale).returncode == 0  # far more than a terminal takes before it is read
    bo.sendline("say I have read it all")
    bo.expect("Bo: I have read it all")
    told = str(bo.before).replace("say I have read it all\r\n", "")  # as it was typed, wherever that fell
    assert re.findall(r"so it goes,\s+(\d+)\.", told) == [str(number) for number in range(40)]
    bo.sendline("quit")
    bo.expect(pexpect.EOF)


@pytest.mark.usefixtures("cliff")
def test_a_terminal_that_can_do_little_is_enough(terminal: Terminal) -> None:
    bo = terminal("play", "cliff", "--as", "Bo", TERM="dumb")
    bo.expect("Bo> ")
    bo.sendline("dare danger 1")
    bo.expect("Kira dares: True")
    bo.sendline("quit")
    bo.expect(pexpect.EOF)
    assert "\x1b" not in str(bo.before)


def test_the_five_minutes_are_played_with_a_sample_hero(terminal: Terminal) -> None:
    you = terminal("demo", "dare")
    you.expect("You play Kira. Try:")
    you.expect("odds dare danger")
    you.expect("The bridge at dusk")
    you.expect("You>")
    you.sendline("odds dare danger")
    you.expect("33.3%")
    you.sendline("quit")
    you.expect(pexpect.EOF)
    you.wait()
    assert you.exitstatus == 0
