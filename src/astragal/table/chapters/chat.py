"""Chat and free dice: what people say at the table, and any roll that they write down. None of it changes the state.

What is said or whispered lasts through rewinds. Only the sender of a whisper and the seats that it names can read it:
the game master reads it only if named.
"""

from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.chance import BadNotation, Rolls, rule
from astragal.chance.notation import Expression, parse
from astragal.table.authoring.chapter import Call, Chapter, Command, Doing, Event, Fact
from astragal.table.authoring.display import RollCard, Tone, Went
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import (
    EVERYONE,
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Nature,
    Seen,
    Viewer,
)
from astragal.table.fields.definitions import LONGEST_TEXT, CharacterId, FreeText, Label, SeatId
from astragal.table.refusals import NotYours, Refusal

CHAT = Chapter(seen=Seen.ALL, dead_may=True)

Line = Annotated[str, MinLen(1), MaxLen(1000), FreeText()]
Passage = Annotated[str, MinLen(1), MaxLen(LONGEST_TEXT), FreeText()]


def _check_speaks_for(call: Call, who: str) -> None:
    mine = who in call.state.characters if call.viewer.is_game_master else who in call.viewer.characters
    if not mine:
        raise NotYours("You speak as yourself or as a character of your own.")


@CHAT.event("said", nature=Nature.LASTING)
class Said(Event):
    """Somebody said something."""

    seat: str
    who: str | None
    words: Line

    def says(self, teller: Teller) -> str:
        return f"{teller.name(self.who or self.seat)}: {self.words}"


@CHAT.command("say", title="Say something", may=EVERYONE, actor="who")
class Say(Command):
    """Say something to all, as yourself or as one of your characters."""

    words: Annotated[Line, Label("what to say")]
    who: Annotated[CharacterId | None, Label("as"), Doc("the character that speaks; none means yourself")] = None

    def does(self, call: Call) -> list[Said]:
        if self.who is not None:
            _check_speaks_for(call, self.who)
        return [Said(seat=call.viewer.seat, who=self.who, words=self.words)]


@CHAT.event("whispered", nature=Nature.LASTING)
class Whispered(Event):
    """Somebody whispered."""

    between_seats = True

    seat: str
    to: tuple[str, ...]
    words: Line

    def is_for(self, viewer: Viewer) -> bool:
        return viewer.seat in (self.seat, *self.to)

    def says(self, teller: Teller) -> str:
        to = ", ".join(teller.name(seat) for seat in self.to)
        return f"{teller.name(self.seat)} whispers to {to}: {self.words}"


@CHAT.command("whisper", may=GAME_MASTER_AND_PLAYERS)
class Whisper(Command):
    """Say something to some seats alone. The game master hears it only if named."""

    to: Annotated[tuple[SeatId, ...], Doc("the seats that hear it")]
    words: Annotated[Line, Label("what to say")]

    def does(self, call: Call) -> list[Whispered]:
        to = tuple(dict.fromkeys(find_seat(call.state, seat).id for seat in self.to if seat != call.viewer.seat))
        if not to:
            raise Refusal("Say to whom.", code="nobody", field="to")
        return [Whispered(seat=call.viewer.seat, to=to, words=self.words)]


@CHAT.fact(
    "emote",
    title="Tell what somebody does",
    told="emoted",
    may=GAME_MASTER_OR_OWNER,
    actor="who",
    nature=Nature.TOLD,
    says="{who} {words}",
)
class Emote(Fact):
    """Tell what a character does."""

    who: Annotated[CharacterId, Doc("the character")]
    words: Annotated[Line, Label("what they do")]

    def check(self, call: Call) -> None:
        _check_speaks_for(call, self.who)


@CHAT.fact(
    "narrate", title="Tell the story on", told="narrated", may=GAME_MASTER_ONLY, nature=Nature.TOLD, says="{words}"
)
class Narrate(Fact):
    """Tell the story on."""

    words: Annotated[Passage, Label("what happens")]


# ---------------------------------------------------------------- free dice


FREE_DICE = Chapter(seen=Seen.ALL)

ROLL_DICE = "roll_dice"
"""Name of the command that rolls free dice."""
Notation = Annotated[str, MinLen(1), MaxLen(200)]
WhatFor = Annotated[str, MaxLen(200), FreeText()]


@rule
def free_roll(notation: Notation = "1d20") -> Rolls[int]:
    """Throw the dice of a notation and add them up as it says: 2d6+3, 4d6dl1, 10d6>=5."""
    return (yield from parse(notation))


def dice_written(notation: str) -> Expression:
    """Parse dice notation. A refusal says what is wrong and what was expected."""
    try:
        return parse(notation)
    except BadNotation as bad:
        expected = f"; expected {bad.expected}" if bad.expected else ""
        sentence = f"“{notation[:60]}” can’t be rolled: {bad.fault}{expected}."
        raise Refusal(sentence, code="notation", field="notation") from bad


@FREE_DICE.event("dice_rolled")
class DiceRolled(Event):
    """Somebody rolled dice of their own choice."""

    seat: str
    notation: str
    total: int
    label: WhatFor = ""

    def says(self, teller: Teller) -> str:
        label = f" ({self.label})" if self.label else ""
        return f"{teller.name(self.seat)} rolls {self.notation}{label}: {self.total}"

    def went(self, _: Teller) -> Went:
        return Went(Tone.EVEN, str(self.total))


@FREE_DICE.command(
    ROLL_DICE,
    may=GAME_MASTER_AND_PLAYERS,
    card=RollCard(title="{seat} rolls {notation}", short="Roll {notation}", notes=("{label}",), choose=("notation",)),
)
class RollDice(Command):
    """Roll dice of your own choice, such as 2d6+3 or 4d6dl1. The table decides what they mean."""

    notation: Annotated[Notation, Label("dice"), Doc("the dice, as they are written: 1d20+7, 2d20kl1, 10d6>=5")]
    label: Annotated[WhatFor, Label("what for")] = ""

    def does(self, call: Call) -> Doing[int]:
        notation = str(dice_written(self.notation))
        total = yield free_roll(notation)
        return [DiceRolled(seat=call.viewer.seat, notation=notation, total=total, label=self.label)]
