"""Harm: weapons against armour, Stamina, collapse, rest, and lethal stakes. SS-30 to SS-41, SS+04."""

from typing import Annotated, Literal, Self, TypeAlias

from astragal.game import Chapter, Character, Event, Refusal, Seen, Sight, Value, meters
from astragal.game.fields import CharacterId, Doc, Ge, Le, MaySet, Seldom
from astragal.game.shared import Fate, Rest

from .options import Companion, Edge, Item, Options, Soak
from .state import Call, Sheet, State

HARM = Chapter(seen=Seen.ALL)

PIERCING = {"explosive", "plasma"}
"""SS-37: the tags of weapons that armour helps less against."""
FATAL = "fatal"
"""SS+04: the tag of weapons whose hit takes all Stamina."""


class Blow(Value, kw_only=False):
    """A weapon against armour."""

    edge: Edge = 0
    soak: Soak = 0
    pierces: Annotated[bool, Doc("whether the weapon ignores a point of soak (option `piercing`)")] = False
    bonus_margin: Annotated[Literal[10, 11], Doc("the margin from which a hit does 1 more")] = 10
    fatal: Annotated[int, Ge(0), Le(20), Doc("the Stamina that a fatal hit takes in any case (SS+04)")] = 0

    @classmethod
    def of(cls, weapon: Item, target: Sheet, options: Options) -> Self:
        """A weapon against a target. SS-37: it may pierce. SS+04: a fatal one takes all, unless an item saves."""
        tags = {tag.casefold() for tag in weapon.tags}
        is_saved = weapon.counter is not None and target.has(weapon.counter)
        is_fatal = FATAL in tags and options.plays(Companion.FATAL) and not is_saved
        return cls(
            edge=weapon.edge,
            soak=target.soak,
            pierces=options.piercing and not PIERCING.isdisjoint(tags),
            bonus_margin=options.bonus_margin,
            fatal=target.stamina if is_fatal else 0,
        )

    def damage(self, depth: int) -> int:
        """SS-34, SS+04: 1 + edge + bonus − effective soak, at least 0. A fatal hit takes all that is left."""
        damage = 1 + self.edge + self.bonus(depth) - self.soak_left(depth)
        return max(self.fatal, damage)

    def bonus(self, depth: int) -> int:
        """SS-35: 1 on a natural 1 or a great margin, never 2."""
        return 1 if depth >= self.bonus_margin else 0

    def soak_left(self, depth: int) -> int:
        """SS-36, SS-37: effective soak. A piercing weapon ignores 1, and every full 4 of the margin wears off 1."""
        worn_off = depth // 4
        return max(0, self.soak - self.pierces - worn_off)

    @property
    def turns(self) -> tuple[int, ...]:
        """SS-25, SS-38: margins at which a point of soak is lost or the bonus is reached."""
        soak_is_lost_at = (4, 8, 12)
        return (*soak_is_lost_at[: self.soak], self.bonus_margin)


# ---------------------------------------------------------------- harm and healing


def rest_heals(_: State, __: Character[Sheet], rest: Rest) -> int:
    """SS-31: a rest gives 1, and care replaces that with 2. No book gives more for a night's rest."""
    if rest is Rest.CARE:
        return 2
    return 1


@HARM.event("collapsed", says="{who} collapses")
class Collapsed(Event):
    """SS-30: someone went down at 0 Stamina. The table decides what that means."""

    who: CharacterId


@HARM.event("got_up", says="{who} is up again")
class GotUp(Event):
    """SS-30: the first point of Stamina brings a character up again."""

    who: CharacterId


STAMINA_METER = meters.Meter(
    "stamina",
    most=lambda sheet: sheet.stamina_most,
    seen=Seen.ALL,
    gains="recovers",
    rest=rest_heals,
    override="Stamina now",
    limit=20,
    emptied=Collapsed,
    revived=GotUp,
)
"""SS-30, SS-31: lost by harm, never below 0, and healed, never past the most."""


@HARM.command("harm")
class Harm(meters.Lose):
    """Take Stamina for something in the story: a fall, fire, hunger."""

    meter = STAMINA_METER


@HARM.command("heal")
class Heal(meters.Gain):
    """Give Stamina back for something in the story, never past the most."""

    meter = STAMINA_METER


Lethal: TypeAlias = Annotated[
    Fate | None,
    MaySet.GAME_MASTER,
    Doc("lethal stakes, called by the custodian: the fate that was agreed on if it goes wrong"),
    Seldom(),
]


def is_warned(who: Character[Sheet], lethal: Fate | None) -> bool:
    """SS-41: true if the character's player has to be warned. The custodian, who called the stakes, is not."""
    return lethal is not None and who.seat is not None


def check_called(call: Call, who: Character[Sheet], lethal: Fate | None) -> None:
    """SS-41: refuse lethal stakes on a hidden roll if a player has to be warned of them."""
    if is_warned(who, lethal) and call.sight is not Sight.OPEN:
        raise Refusal(f"{who.name}’s player is warned of lethal stakes, so this can't be rolled hidden.", code="lethal")
