"""New Shoes as a whole: its options, its state, the price of a rewind, overrides, and its chapters."""

from __future__ import annotations

from astragal.game import (
    Chapter,
    Character,
    Event,
    Measure,
    Nature,
    Overridable,
    Price,
    Ruleset,
    Seen,
    board_of,
    due_in,
    proposals_of,
    replace,
)
from astragal.game.fields import CharacterId

from .approaches import APPROACHES
from .calling import CALLING
from .display import TOOLS, breakdown, furniture
from .harm import HARM
from .heroes import HERO_BOOK, HEROES
from .lessons import LESSONS
from .reactions import REACTIONS
from .rolling import ROLLING
from .rules import (
    DICE,
    EASIEST,
    HARDEST,
    approach,
    beats,
    chances_against_another_player,
    chances_to_beat_a_target,
    opposed_approach,
)
from .state import TERMS, WORN_OUT, Attribute, Game, Options, Points, Sheet, State, Status
from .statuses import STATUSES, hold

# ---------------------------------------------------------------- the price of a rewind

REWINDS = Chapter(seen=Seen.ALL)


@REWINDS.event("attribute_paid", nature=Nature.LASTING, owner="who", says="{who} pays {points} {attribute}")
class AttributePaid(Event):
    """The price of a rewind, in points of an attribute."""

    who: CharacterId
    attribute: Attribute
    points: int

    def fold(self, state: State) -> State:
        """A price stays paid through every rewind, and never takes the last point."""
        if self.who not in state.characters:
            return state
        sheet = state.characters[self.who].sheet
        now = sheet.dice(self.attribute)
        return state.with_sheet(self.who, sheet.left_with(self.attribute, min(now, max(1, now - self.points))))


@REWINDS.event("status_paid", nature=Nature.LASTING, owner="who", says="{who} pays: {status.words}")
class StatusPaid(Event):
    """The price of a rewind, as a status that stays."""

    who: CharacterId
    status: Status

    def fold(self, state: State) -> State:
        return hold(state, self.status)


def heroes_of(state: State) -> list[Character[Sheet]]:
    return [one for one in state.characters.values() if one.sheet.is_hero]


def pay_attributes(state: State, amount: int) -> list[AttributePaid]:
    """Every hero pays from the attribute that stands highest, point by point, and keeps the last point of each."""
    told = []
    for who in heroes_of(state):
        left = {attribute: who.sheet.dice(attribute) for attribute in Attribute}
        paid = dict.fromkeys(Attribute, 0)
        for _ in range(amount):
            highest = max(left, key=lambda attribute: left[attribute])
            if left[highest] > 1:
                left[highest] -= 1
                paid[highest] += 1
        told += [AttributePaid(who=who.id, attribute=one, points=points) for one, points in paid.items() if points]
    return told


def pay_with_statuses(state: State, amount: int) -> list[StatusPaid]:
    """Every hero keeps a memory of what now never was: −1 for each unit of the price, down to −5."""
    told = []
    for who in heroes_of(state):
        key = f"rewind-{state.rewinds}-{who.id}"
        status = Status(id=key, name="déjà vu", value=max(-amount, WORN_OUT), who=who.id)
        told.append(StatusPaid(who=who.id, status=status))
    return told


# ---------------------------------------------------------------- overrides


def override(attribute: Attribute) -> Overridable:
    def write(sheet: Sheet, now: int) -> Sheet:
        """Past its full value, the attribute is as full as that."""
        points = sheet.points(attribute) or Points(now=now, full=now)
        changed = {attribute.value: Points(now=now, full=max(now, points.full))}
        return replace(sheet, **changed)

    return Overridable(f"the present value of {attribute.value}", (0, 8), lambda sheet: sheet.dice(attribute), write)


# ---------------------------------------------------------------- the game

CHAPTERS = (HEROES, APPROACHES, CALLING, REACTIONS, ROLLING, STATUSES, HARM, LESSONS, REWINDS)

NEW_SHOES = Ruleset(
    id="new_shoes",
    name="New Shoes",
    version="1",
    books=("New Shoes, after Roll for Shoes",),
    about="Three attributes, dice that explode, and whoever wins the roll tells what happens next.",
    dice="d6",
    rules=(approach, opposed_approach),
    measures=(
        Measure(
            game="new_shoes",
            name="New Shoes",
            words="a target of {target} with {dice}d6",
            ask=approach,
            success=beats,
            ranges={"target": range(EASIEST, HARDEST + 1), "dice": DICE},
            steady=True,
        ),
    ),
    tables={"targets": chances_to_beat_a_target, "opposed": chances_against_another_player},
    sheet=Sheet,
    options=Options,
    game=Game,
    begin=lambda options: Game(),
    chapters=CHAPTERS,
    furniture=furniture,
    board=board_of((STATUSES, APPROACHES)),
    reckoning=breakdown,
    terms=TERMS,
    prices={
        "attribute": Price("each hero pays points of the attribute that stands highest", pay_attributes),
        "status": Price("each hero gets a negative status that stays", pay_with_statuses),
    },
    overrides={
        **{attribute.value: override(attribute) for attribute in Attribute},
        "xp": Overridable("XP held", (0, 99), lambda sheet: sheet.xp, lambda sheet, xp: replace(sheet, xp=xp)),
    },
    heroes=HERO_BOOK,
    due=due_in((APPROACHES, LESSONS, HARM)),
    tools=TOOLS,
    proposals=proposals_of((APPROACHES,)),
)
