"""Free dice: any roll that people write down, beside what the game's rules ask for. It changes nothing."""

from typing import Annotated

from annotated_types import MaxLen, MinLen
from typing_extensions import Doc

from astragal.chance import BadNotation, Rolls, rule
from astragal.chance.notation import Expression, parse
from astragal.table.authoring.chapter import Call, Chapter, Command, Doing, Event
from astragal.table.authoring.display import RollCard, Tone, Went
from astragal.table.authoring.log_lines import Teller
from astragal.table.declarations import GAME_MASTER_AND_PLAYERS, Seen
from astragal.table.fields.definitions import FreeText
from astragal.table.refusals import Refusal

FREE_DICE = Chapter(seen=Seen.ALL)

ROLL_DICE = "roll_dice"
"""The command that rolls them."""
Notation = Annotated[str, MinLen(1), MaxLen(200)]
Label = Annotated[str, MaxLen(200), FreeText()]


@rule
def free_roll(notation: Notation = "1d20") -> Rolls[int]:
    """Throw the dice that are written down, and add them up as it says: 2d6+3, 4d6dl1, 10d6>=5."""
    return (yield from parse(notation))


def dice_written(notation: str) -> Expression:
    """The dice that a text spells; refused with what can't stand there, and the nearest that can."""
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
    label: Label = ""

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
    """Roll dice of your own choice, such as 2d6+3 or 4d6dl1. What they mean, the table says."""

    notation: Annotated[Notation, Doc("the dice, as they are written: 1d20+7, 2d20kl1, 10d6>=5")]
    label: Annotated[Label, Doc("what the roll is for")] = ""

    def does(self, call: Call) -> Doing[int]:
        notation = str(dice_written(self.notation))
        total = yield free_roll(notation)
        return [DiceRolled(seat=call.viewer.seat, notation=notation, total=total, label=self.label)]
