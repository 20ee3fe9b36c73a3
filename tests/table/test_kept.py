"""Kept things: declared once, and put, found, shown, reminded of and taken away from then on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import pytest

from astragal.game import (
    GAME_MASTER_AND_PLAYERS,
    Call,
    Chapter,
    Command,
    Event,
    Kept,
    Seen,
    Teller,
    Value,
    Viewer,
    game,
    replace,
)
from astragal.game.display import Choices, Proposal
from astragal.game.fields import CharacterId, Doc, Name, Words, field
from astragal.storage import open_store
from astragal.table.refusals import NoSuchThing, Refusal
from astragal.table.reminders import due
from tests.table.seated import ScriptedDice, Seated, new_host


class Promise(Value, seen=Seen.ALL):
    """Something that somebody said they would do."""

    id: str
    name: str
    who: CharacterId
    words: Words
    secret: Annotated[bool, Seen.GAME_MASTER] = False

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.is_game_master or not self.secret


class Sheet(Value, seen=Seen.ALL):
    about: Annotated[Words, Doc("who they are")] = ""


class Promises(Value, seen=Seen.ALL):
    promises: Mapping[str, Promise] = field(default_factory=dict)


PROMISING = Chapter(seen=Seen.ALL)


def keep_it(promise: Promise, teller: Teller) -> Iterator[Proposal]:
    yield Proposal(f"{teller.name(promise.who)}: {promise.words}", "it is kept", "keep", (("promise", promise.id),))


KEPT_PROMISES = Kept(
    PROMISING,
    Promise,
    "promises",
    "promise",
    board="Promised",
    row=("{name}", "{who}: {words}"),
    newest=2,
    due="{who} has promised {words} (keep).",
    proposes=keep_it,
)


@KEPT_PROMISES.put("promised", says="{promise.who} promises {promise.words}")
class Promised(Event):
    """A promise was given."""

    promise: Promise


@PROMISING.command("promise", may=GAME_MASTER_AND_PLAYERS)
class MakePromise(Command):
    """Promise something."""

    name: Annotated[Name, Doc("what it is called")]
    who: Annotated[CharacterId, Doc("who promises")]
    words: Annotated[Words, Doc("what")]
    secret: Annotated[bool, Doc("whether only the game master knows")] = False

    def does(self, call: Call) -> list[Promised]:
        if not self.secret:
            KEPT_PROMISES.check_free(call, self.name)
        return [Promised(promise=KEPT_PROMISES.new(call, self))]


@KEPT_PROMISES.put("promise_changed", says="{promise.who} now promises {promise.words}")
class PromiseChanged(Event):
    """A promise is another than before."""

    promise: Promise


@PROMISING.command("change_promise", may=GAME_MASTER_AND_PLAYERS)
class ChangePromise(Command):
    """Promise something else."""

    promise: Annotated[Name, Doc("the promise")]
    words: Annotated[Words, Doc("what")]

    def does(self, call: Call) -> list[PromiseChanged]:
        return [PromiseChanged(promise=replace(KEPT_PROMISES.find(call, self.promise), words=self.words))]


@KEPT_PROMISES.taken("promise_kept", says="{promise.who} has kept: {promise.words}")
class PromiseKept(Event):
    """A promise was kept."""

    promise: Promise


@PROMISING.command("keep", may=GAME_MASTER_AND_PLAYERS)
class KeepPromise(Command):
    """Keep a promise."""

    promise: Annotated[Name, Doc("the promise")]

    def does(self, call: Call) -> list[PromiseKept]:
        return [PromiseKept(promise=KEPT_PROMISES.find(call, self.promise))]


OATHS = game("Oaths", sheet=Sheet, state=Promises, rules=[], chapters=[PROMISING])


@pytest.fixture
def seated(tmp_path: Path) -> Seated:
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{tmp_path}/tables.db"), dice, (OATHS,))
    opened = host.open("oaths", name="The Hall", game_master="Ada")
    seated = Seated(host, opened.table, opened.seat, dice, {"Ada": opened.seat})
    seated.sit("Bo")
    seated.act("Bo", "join", name="Kira")
    return seated


def promise(seated: Seated, name: str, words: str, *, secret: bool = False) -> str:
    told = seated.act("Ada", "promise", name=name, who="Kira", words=words, secret=secret).events[-1]
    assert told.name == "promised"
    return str(told.fields["promise"]["id"])


def refused(seated: Seated, seat: str, said: str) -> str:
    with pytest.raises(NoSuchThing) as refusal:
        seated.act(seat, "keep", promise=said)
    return refusal.value.sentence


def test_a_thing_is_put_replaced_and_taken_away_by_the_events_that_hold_it(seated: Seated) -> None:
    key = promise(seated, "The bell", "to ring it")
    assert seated.look("Bo").game.promises[key].words == "to ring it"
    told = seated.act("Bo", "change_promise", promise="THE BELL ", words="to mend it").events[-1]
    assert told.words == "Kira now promises to mend it"
    assert [one.words for one in seated.look("Bo").game.promises.values()] == ["to mend it"]
    assert seated.act("Bo", "keep", promise=key).events[-1].words == "Kira has kept: to mend it"
    assert seated.look("Bo").game.promises == {}


def test_a_refusal_lists_what_there_is(seated: Seated) -> None:
    assert refused(seated, "Bo", "The gate") == "There is no promise 'The gate' here: none."
    promise(seated, "The bell", "to ring it")
    promise(seated, "The door", "to shut it")
    assert refused(seated, "Bo", "The gate") == "There is no promise 'The gate' here: The bell, The door."


def test_of_two_with_one_name_a_number_says_which(seated: Seated) -> None:
    first = promise(seated, "The bell", "to ring it")
    promise(seated, "the bell", "to melt it", secret=True)
    sentence = refused(seated, "Ada", "the bell")
    assert sentence.startswith("There is more than one promise 'the bell' here: ")
    assert sentence.endswith("The bell (1), the bell (2).")
    seated.act("Ada", "keep", promise="the bell 2")
    assert list(seated.look("Ada").game.promises) == [first]


def test_a_name_that_is_taken_is_refused(seated: Seated) -> None:
    promise(seated, "The bell", "to ring it")
    with pytest.raises(Refusal) as refusal:
        seated.act("Bo", "promise", name="the BELL", who="Kira", words="to ring it twice")
    assert refusal.value.code == "name_taken"


def test_what_is_not_for_a_seat_is_neither_told_nor_found_nor_listed(seated: Seated) -> None:
    before = seated.host.follow(seated.table, seated.seats["Bo"])
    key = promise(seated, "The crown", "to steal it", secret=True)
    assert seated.host.follow(seated.table, seated.seats["Bo"]) == before
    assert seated.look("Bo").game.promises == {}
    seated.act("Bo", "promise", name="The crown", who="Kira", words="to guard it")
    seated.act("Bo", "keep", promise="The crown")
    for said in (key, "The crown"):
        assert refused(seated, "Bo", said).endswith("here: none.")
    assert seated.act("Ada", "keep", promise="The crown").events[-1].words == "Kira has kept: to steal it"


def test_board_reminder_and_proposal_come_with_the_declaration(seated: Seated) -> None:
    for name, words in (("One", "to wait"), ("Two", "to watch"), ("Three", "to ward")):
        promise(seated, name, words)
    state = seated.look("Ada")
    assert OATHS.board is not None
    assert OATHS.proposals is not None
    assert OATHS.board(state) == [Choices("Promised", (("Two", "Kira: to watch"), ("Three", "Kira: to ward")))]
    assert next(line for line in due(OATHS, state) if "promised" in line) == "Kira has promised to wait (keep)."
    proposed = list(OATHS.proposals(state, Teller(state, state.terms)))
    assert [(one.about, one.command) for one in proposed][-1] == ("Kira: to ward", "keep")


def test_words_inside_a_kept_thing_can_be_blanked(seated: Seated, tmp_path: Path) -> None:
    made = seated.act("Bo", "promise", name="The bell", who="Kira", words="to ring at 12 Elm Street")
    seated.act("Ada", "keep", promise="The bell")
    seated.host.archive.forget_words(seated.table, seated.seats["Bo"], made.act)
    assert "Elm Street" not in b"".join(seated.host.archive.export(seated.table, seated.seats["Ada"])).decode()
    assert "Elm Street" not in str(seated.words("Ada"))
    assert b"Elm Street" not in b"".join(path.read_bytes() for path in tmp_path.glob("*.db"))
