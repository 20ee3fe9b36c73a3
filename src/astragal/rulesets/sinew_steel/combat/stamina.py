"""Stamina: harm, collapse, rest, care, and lethal stakes. SS-30, SS-31, SS-41."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from astragal.game import (
    GAME_MASTER_ONLY,
    Chapter,
    Character,
    Event,
    Gain,
    Gained,
    Lose,
    Lost,
    Meter,
    Refusal,
    Seen,
    Sight,
    Teller,
)
from astragal.game.fields import CharacterId, Doc, Seldom, Whose
from astragal.game.shared import Fate, Rest
from astragal.rulesets.sinew_steel.state import Call, Sheet, State, heroes

HARM = Chapter(seen=Seen.ALL)

# ---------------------------------------------------------------- harm and healing


def rest_heals(_: State, __: Character[Sheet], rest: Rest) -> int:
    """SS-31: a rest gives 1, and care replaces that with 2. No book gives more for a night's rest."""
    return 2 if rest is Rest.CARE else 1


STAMINA_METER = Meter(
    "stamina",
    most=lambda sheet: sheet.stamina_most,
    seen=Seen.ALL,
    gains="recovers",
    rest=rest_heals,
    override="Stamina now",
    limit=20,
)
"""SS-30, SS-31: lost by harm, never below 0, and healed, never past the most."""


@HARM.command("harm", may=GAME_MASTER_ONLY)
class Harm(Lose):
    """Take Stamina for what happens in the story: a fall, fire, hunger."""

    meter = STAMINA_METER


@HARM.event("collapsed", owner="who", says="{who} collapses")
class Collapsed(Event):
    """Somebody went down at 0 Stamina."""

    who: CharacterId


@HARM.after(Lost)
def harm_fells(_: State, told: Lost) -> list[Collapsed]:
    """SS-30: at 0 one collapses. Further harm does not fell the fallen."""
    return [Collapsed(who=told.who)] if told.who and STAMINA_METER.name in told.emptied else []


@HARM.command("heal", may=GAME_MASTER_ONLY)
class Heal(Gain):
    """Give Stamina back for what happens in the story, never past the most."""

    meter = STAMINA_METER


@HARM.event("got_up", owner="who", says="{who} is up again")
class GotUp(Event):
    """Somebody is up again."""

    who: CharacterId


@HARM.after(Gained)
def healing_raises(_: State, told: Gained) -> list[GotUp]:
    """SS-30: the first point brings one up again."""
    return [GotUp(who=told.who)] if told.who and STAMINA_METER.name in told.revived else []


# ---------------------------------------------------------------- lethal stakes

Lethal: TypeAlias = Annotated[
    Fate | None,
    Whose.GAME_MASTER,
    Doc("lethal stakes, called by the custodian: the fate that was agreed on if it goes wrong"),
    Seldom(),
]


def is_warned(who: Character[Sheet], lethal: Fate | None) -> bool:
    """SS-41: whoever is concerned is warned; the custodian, who called, need not be."""
    return lethal is not None and who.seat is not None


def check_called(call: Call, who: Character[Sheet], lethal: Fate | None) -> None:
    """SS-41: lethal stakes are not called in secret: everyone concerned is warned."""
    if is_warned(who, lethal) and call.sight is not Sight.OPEN:
        raise Refusal(f"{who.name}’s player is warned of lethal stakes, so this can't be rolled hidden.", code="lethal")


@HARM.due
def fallen(state: State, teller: Teller) -> Iterator[str]:
    """SS-30: what a collapse means is for the table to say."""
    for one in heroes(state):
        if one.sheet.is_collapsed and one.fate is None:
            yield f"{teller.name(one.id)} is down: say what that means (record_fate), or let somebody help (heal)."
