"""Duels: simulated fights, with attacks in turn until one side collapses. SS-30, SS-32 to SS-38."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Annotated, Any

from astragal.chance import Offer, Question
from astragal.game import Duel, Left, Takes, Value, replace
from astragal.game.fields import Doc, Ge, Le
from astragal.game.rolls import Footing

from .fights import Exchange, attack
from .harm import FATAL, PIERCING, Blow
from .heroes import STAMINA_BY_TIER
from .luck import Prospect, spend_to_succeed
from .options import BARE_HANDS, Companion, Edge, Options, Soak
from .rolls import Stand, is_physical, is_worn
from .scores import STAMINA, build_points
from .state import Sheet


class Fighter(Value):
    """Numbers of one side in a fight."""

    attack: Annotated[int, Ge(0), Le(20), Doc("the score they attack with")] = 10
    defence: Annotated[int, Ge(0), Le(20), Doc("the score they defend with")] = 10
    stamina: Annotated[int, Ge(1), Le(20), Doc("Stamina when the fight begins")] = 5
    luck: Annotated[int, Ge(0), Le(20), Doc("Luck tokens that they are ready to spend")] = 0
    edge: Edge = 0
    soak: Soak = 0
    pierces: Annotated[bool, Doc("whether the weapon is explosive or plasma (SS-37)")] = False
    fatal: Annotated[bool, Doc("whether the weapon fells whom it strikes (SS+04)")] = False
    physical: Annotated[bool, Doc("whether they fight with force or agility, which little Stamina hampers")] = True


def stand_of(options: Options, fighter: Fighter, stamina: int, luck: int) -> Stand:
    """SS+05: with little Stamina physical tests are at a disadvantage, where the table plays so."""
    footing = Footing.LEVEL
    if fighter.physical and is_worn(options, stamina):
        footing = Footing.DISADVANTAGE
    return Stand(footing, luck)


def turn(options: Options, acting: Fighter, other: Fighter, mine: Left, theirs: Left) -> Question[Exchange]:
    """SS-32: one attack. Both sides see all numbers."""
    acting_stamina, acting_luck = mine
    other_stamina, other_luck = theirs
    is_fatal = acting.fatal and options.plays(Companion.FATAL)
    blow = Blow(
        edge=acting.edge,
        soak=other.soak,
        pierces=acting.pierces and options.piercing,
        bonus_margin=options.bonus_margin,
        fatal=other_stamina if is_fatal else 0,
    )
    attacking = stand_of(options, acting, acting_stamina, acting_luck)
    defending = stand_of(options, other, other_stamina, other_luck)
    return attack(acting.attack, other.defence, attacking, defending, blow)


def takes(exchange: Exchange) -> Takes:
    """SS-21, SS-30: losses of an exchange: tokens of both, and the defender's Stamina."""
    assert exchange.defence is not None  # noqa: S101 - in a duel both sides roll
    attacker_loses = (0, exchange.attack.spent)
    defender_loses = (exchange.damage, exchange.defence.spent)
    return Takes(attacker_loses, defender_loses)


def worth_considering(offer: Offer[Any]) -> Sequence[Any]:
    """SS-21, SS-25: answers that change something. SS-23: if the defence can answer, every token makes that cost more,
    up to the last spend that does more. If the attack can't be answered at all, a result's `answer` is None.
    """
    spends = [notable.answer for notable in offer.notable]
    defence_pays = [notable.result.answer for notable in offer.notable if isinstance(notable.result, Prospect)]
    if None in defence_pays:
        return (offer.default, *spends)
    can_prevent_answer = 0 in defence_pays
    deepest = min(spends) if can_prevent_answer else min(offer.options)
    return [answer for answer in offer.options if deepest <= answer <= 0]


def fighter_of(sheet: Sheet, options: Options) -> Fighter:
    """SS-43: a character as a fighter, with the best score that is not Luck, and the sharpest weapon."""
    scores = {key: sheet.scores[key] for key in options.attributes}
    weapon = sheet.sharpest or BARE_HANDS
    tags = {tag.casefold() for tag in weapon.tags}
    return replace(
        best_of(scores, options),
        stamina=max(1, sheet.stamina),
        luck=sheet.luck,
        edge=weapon.edge,
        soak=sheet.soak,
        pierces=not PIERCING.isdisjoint(tags),
        fatal=FATAL in tags,
    )


def best_of(scores: Mapping[str, int], options: Options) -> Fighter:
    """SS-43: a fighter with the best of these scores: every attribute but Luck can attack in some way, and defend."""
    fighting_scores = {key: score for key, score in scores.items() if key != options.luck}
    best = max(fighting_scores, key=lambda key: fighting_scores[key])
    score = fighting_scores[best]
    return Fighter(attack=score, defence=score, physical=is_physical(options, best))


def built(numbers: Mapping[str, int], options: Options) -> Fighter:
    """SS-10, SS-20: a new hero as a fighter, unarmed and with a full pool."""
    scores = {key: numbers[key] for key in options.attributes}
    fighter = best_of(scores, options)
    return replace(fighter, stamina=numbers[STAMINA], luck=numbers[options.luck])


DUEL = Duel(
    fighter=Fighter,
    fields=("stamina", "luck"),
    names=("Stamina", "Luck"),
    turn=turn,
    takes=takes,
    greedy=spend_to_succeed,
    foes={f"tier {tier}": Fighter(attack=tier, defence=tier, stamina=most) for tier, most in STAMINA_BY_TIER.items()},
    of=fighter_of,
    is_down=attrgetter("is_collapsed"),
    points=lambda options: build_points(options.attributes, options.build_points),
    build=built,
    considers=worth_considering,
    nested=True,
    about="Each side attacks in turn with its best score and defends with it; both see all numbers.",
)
