"""An evening of each game in the terminal, typed in words that the terminal has shown: no id, no JSON."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from astragal.storage import open_store
from astragal.surfaces.cli.app import run
from astragal.surfaces.cli.context import Context
from astragal.surfaces.cli.play.prompt import TextListener
from astragal.surfaces.cli.play.session import PlaySession
from astragal.surfaces.cli.seats import open_seat
from astragal.wiring import installed_rulesets
from tests.surfaces.cli.evenings import EVENINGS
from tests.table.seated import ScriptedDice, new_host

TABLE = "The Gorge"
PEOPLE = ("Ada", "Bo", "Cy")
OWN_WORDS = re.compile("“([^”]*)”")
ID = re.compile(r"\b[0-9a-f]{16}\b")
WORD = re.compile(r"[^\W\d_][\w'-]*")
FEWEST_LETTERS = 3
"""As much of a word as people type of it."""
LEARNT: dict[tuple[str, ...], set[str]] = {}
"""Words of commands and of their help, by game, seat and commands."""


def words_in(text: str) -> set[str]:
    found = {word.casefold() for word in WORD.findall(text)}
    return found | {part for word in found for part in re.split("[_'-]", word)}


@dataclass
class Evening:
    """People at a table who know the commands, and what the terminal has shown them."""

    context: Context
    capfd: pytest.CaptureFixture[str]
    dice: ScriptedDice
    at_a_prompt: bool
    known: dict[str, set[str]] = field(default_factory=dict)
    """Words of the commands and of their help, as they were before the evening."""
    seen: dict[str, set[str]] = field(default_factory=dict)
    shown: str = ""

    def called(self, *words: str) -> str:
        self.capfd.readouterr()
        code = run(words, self.context, {})
        told = self.capfd.readouterr()
        assert code == 0, (words, told.err)
        return told.out

    def learn(self, game: str, seat: str, commands: set[str]) -> None:
        """Read the list of commands, and the help on those that will be used; for two evenings of a game, once."""
        to_read = (game, seat, *sorted(commands))
        if to_read not in LEARNT:
            listed = self.called("do", TABLE, "--as", seat)
            asked = [name for name in commands if f"  {name}" in listed]
            pages = [self.called("do", TABLE, name, "--help", "--as", seat) for name in asked]
            LEARNT[to_read] = words_in(" ".join((listed, *pages)))
        self.known[seat], self.seen[seat] = LEARNT[to_read], set()

    def look(self, seat: str) -> None:
        self.shown = self.called("table", "show", TABLE, "--as", seat)
        self.seen[seat] = words_in(self._without_table(self.shown))

    def type(self, seat: str, line: str) -> None:
        self._check_known(seat, line)
        said = OWN_WORDS.sub(r'"\1"', line)
        self.shown = self._at_the_prompt(seat, said) if self.at_a_prompt else self._done(seat, shlex.split(said))
        self.seen[seat] |= words_in(self._without_table(self.shown))

    def _done(self, seat: str, words: list[str]) -> str:
        if words[0] == "answer":
            return self.called("answer", TABLE, *words[1:], "--as", seat)
        return self.called("do", TABLE, *words, "--as", seat)

    def _at_the_prompt(self, seat: str, line: str) -> str:
        self.capfd.readouterr()
        with open_seat(self.context, TABLE, seat) as place:
            sitting = PlaySession(place, TextListener(place.view))
            sitting.begin(0)
            sitting.hear(line)
        told = self.capfd.readouterr().out
        assert not sitting.refusals, (line, told)
        return told

    def _check_known(self, seat: str, line: str) -> None:
        """Nothing is typed that was not read, but for a person's own words and numbers."""
        typed = OWN_WORDS.sub("", line)
        assert not ID.search(typed), line
        assert "{" not in typed, line
        read = self.known[seat] | self.seen[seat]
        for word in map(str.casefold, WORD.findall(typed)):
            begun = len(word) >= FEWEST_LETTERS and any(one.startswith(word) for one in read)
            assert word in read or begun, f"{seat} could not know {word!r}: {line}"

    def _without_table(self, text: str) -> str:
        """What was shown, in which nothing but the table itself is known by an id."""
        lines = [line for line in text.splitlines() if not line.startswith("table ")]
        assert not any(map(ID.search, lines)), text
        return "\n".join(lines)


def lines_of(script: str) -> Iterator[tuple[str, str]]:
    for line in script.strip().splitlines():
        head, _, rest = line.partition(" ")
        yield head, rest


@pytest.fixture(params=["do", "prompt"])
def at_a_prompt(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "prompt")


@pytest.fixture
def dice() -> ScriptedDice:
    return ScriptedDice()


@pytest.fixture
def evening(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    dice: ScriptedDice,
    at_a_prompt: bool,
) -> Evening:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    context = Context(
        installed_rulesets,
        lambda _: open_store(f"sqlite:///{tmp_path}/tables.db"),
        lambda store, games: new_host(store, dice, games),
    )
    return Evening(context, capfd, dice, at_a_prompt)


def sit_down(evening: Evening, game: str, script: str = "") -> None:
    players = [word for name in PEOPLE[1:] for word in ("--player", name)]
    evening.called("table", "new", game, TABLE, "--gm", PEOPLE[0], *players)
    commands = {rest.split(" ")[0] for head, rest in lines_of(script) if head.endswith(":")}
    for seat in PEOPLE:
        evening.learn(game, seat, commands)


@pytest.mark.slow
@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_needs_no_word_that_was_not_shown(evening: Evening, game: str) -> None:
    sit_down(evening, game, EVENINGS[game])
    for head, rest in lines_of(EVENINGS[game]):
        match head:
            case "dice":
                evening.dice.faces = [int(face) for face in rest.split()]
            case "look":
                evening.look(rest)
            case "|":
                assert rest in evening.shown, evening.shown
            case seat:
                evening.type(seat.rstrip(":"), rest)
                assert not evening.dice.faces, f"dice are left after {rest}"


def test_a_thing_that_is_not_shown_can_not_be_typed(evening: Evening) -> None:
    """The evenings above would fail if the table stopped naming what they name."""
    sit_down(evening, "sinew_steel", "Ada: tick_clock\nAda: start_clock")
    evening.type("Ada", "start_clock “The alarm”")
    evening.seen["Ada"].clear()
    with pytest.raises(AssertionError, match="Ada could not know 'alarm'"):
        evening.type("Ada", "tick_clock alarm")
    evening.look("Ada")
    evening.type("Ada", "tick_clock alarm")
    evening.look("Cy")
    assert "clock: The alarm, 1 of 6" in evening.shown
