"""Expressions for people: spelled out again, explained in plain words, and with the dice that fell."""

from collections.abc import Callable, Iterator, Sequence
from math import isinf

from astragal.chance.dice import Fate, Rolled, chains
from astragal.chance.notation.nodes import (
    FATE,
    Best,
    Counts,
    Explodes,
    Labelled,
    Node,
    Number,
    Pool,
    Product,
    Rerolls,
    Span,
    Sum,
    Target,
)

MOST_SHOWN = 30
"""So many dice of a pool are written out; the record holds them all."""


def spell(node: Node, pool_words: Callable[[Pool], str] = str, *, bracketed: bool = False) -> str:
    """The expression as notation; pools can be said in another way."""
    match node:
        case Number(value):
            return str(value)
        case Pool():
            return pool_words(node)
        case Sum(parts):
            (first_sign, first), *rest = parts
            text = ("-" if first_sign < 0 else "") + spell(
                first, pool_words, bracketed=_needs_brackets(first, first_sign)
            )
            for sign, part in rest:
                text += (" + " if sign > 0 else " - ") + spell(
                    part, pool_words, bracketed=isinstance(part, Sum | Target)
                )
            return f"({text})" if bracketed else text
        case Product(first, others):
            text = spell(first, pool_words, bracketed=True)
            text += "".join(f" {sign} {spell(other, pool_words, bracketed=True)}" for sign, other in others)
            return f"({text})" if bracketed else text
        case Best(inner, which, many):
            return f"{{{', '.join(spell(part, pool_words) for part in inner)}}}k{which.value[0]}{many}"
        case Target(inside, wanted):
            of, (compares, number) = spell(inside, pool_words), wanted.compared
            # Behind dice alone, a comparison would count them; behind another one, it would be a second.
            alone = isinstance(inside, Target) or (isinstance(inside, Pool) and inside.gather is None)
            text = f"({of}) {compares} {number}" if alone else f"{of} {compares} {number}"
            return f"({text})" if bracketed else text
        case Labelled(inside, label):
            return f"{spell(inside, pool_words, bracketed=True)} [{label}]"


def with_dice(root: Node, rolled: Sequence[Rolled]) -> str:
    """The notation with the dice that fell beside each pool."""
    dice = iter(rolled)
    return spell(root, lambda pool: f"{pool} [{_fallen(pool, dice)}]")


def _fallen(pool: Pool, dice: Iterator[Rolled]) -> str:
    thrown = chains(dice, pool.count, lambda die: die.fate in (Fate.EXPLODED, Fate.REROLLED))
    shown = ", ".join(_chain(pool, dice) for dice in thrown[:MOST_SHOWN])
    hidden = pool.count - MOST_SHOWN
    return shown if hidden <= 0 else f"{shown}, … {hidden:,} more"


def _chain(pool: Pool, dice: Sequence[Rolled]) -> str:
    """One die and those that it brought: 6!+3 exploded, 1→4 was rerolled, (2) is dropped."""
    text = ""
    for die in dice:
        if die.fate is Fate.EXPLODED:
            text += f"{die.face}!+"
        elif die.fate is Fate.REROLLED:
            text += f"{die.face}→"
        else:
            text += str(pool.die.shown(die.face))
            return f"({text})" if die.fate is Fate.DROPPED else text
    return text


def meaning(node: Node, *, bracketed: bool = False) -> str:
    """Meaning of a node, in plain words."""
    match node:
        case Number(value):
            return str(value)
        case Pool():
            return _pool_meaning(node)
        case Sum(parts):
            text = _added(parts)
            return f"({text})" if bracketed else text
        case Product(first, others):
            text = meaning(first, bracketed=True)
            for sign, other in others:
                said = meaning(other, bracketed=True)
                text += f" times {said}" if sign == "*" else f" divided by {said} and rounded down"
            return f"({text})" if bracketed else text
        case Best(inner, which, many):
            kept = which.value if many == 1 else f"sum of the {which.value} {many}"
            return f"the {kept} of these: {'; '.join(meaning(part) for part in inner)}"
        case Target(inside, wanted):
            text = f"1 if this comes to {_wanted(wanted)}, else 0: {meaning(inside)}"
            return f"({text})" if bracketed else text
        case Labelled(inside, label):
            return f"{meaning(inside, bracketed=True)} [{label}]"


def _wanted(wanted: Counts) -> str:
    if wanted.at_least == wanted.at_most:
        return f"just {wanted.at_least}"
    return f"{wanted.at_most} or less" if wanted.at_least is None else f"{wanted.at_least} or more"


def _added(parts: tuple[tuple[int, Node], ...]) -> str:
    (first_sign, first), *others = parts
    text = ("minus " if first_sign < 0 else "") + meaning(first, bracketed=_needs_brackets(first, first_sign))
    for sign, part in others:
        text += f", {'plus' if sign > 0 else 'minus'} {meaning(part, bracketed=isinstance(part, Sum | Target))}"
    return text


def _needs_brackets(first: Node, sign: int) -> bool:
    """A minus in front stands before all of a product: what is rounded down is -(7 / 2), not -7."""
    return isinstance(first, Sum | Target) or (sign < 0 and isinstance(first, Product))


def _pool_meaning(pool: Pool) -> str:
    kind = "with the faces -1, 0 and 1" if pool.die == FATE else f"of {pool.die.sides:,} sides"
    dice = f"{pool.count} dice {kind}" if pool.count > 1 else f"one die {kind}"
    if isinstance(pool.gather, Counts):
        wanted = _wanted(pool.gather)
        text = f"how many of {dice} show {wanted}" if pool.count > 1 else f"1 if {dice} shows {wanted}, else 0"
    elif kept := pool.keeps_some:
        many = f" {kept.many}" if kept.many > 1 else ""
        text = f"{'the sum of ' if many else ''}the {kept.which.value}{many} of {dice}"
    else:
        text = f"the sum of {dice}" if pool.count > 1 else dice
    notes = [_again(pool, pool.again)] if pool.again else []
    if pool.bounds:
        ends = ((pool.bounds.low, "less"), (pool.bounds.high, "more"))
        notes.append(" and ".join(f"{which} than {end} counts as {end}" for end, which in ends if end is not None))
    return f"{text} ({'; '.join(notes)})" if notes else text


def _again(pool: Pool, again: Explodes | Rerolls) -> str:
    if isinstance(again, Explodes):
        how = "once more and added" if again.once else "again and added, for as long as it shows"
        together = ", and all of it counts as one die" if pool.gather else ""
        return f"a {pool.die.sides:,} is rolled {how}{together}"
    faces = f"a {again.low:,}" if again.low == again.high else f"{again.low:,} to {again.high:,}"
    until = "once, and the new face stands" if again.once else "until another face shows"
    return f"{faces} is rerolled {until}"


def reach(span: Span) -> str:
    """From where to where the results go, in a sentence."""
    if span.low == span.high:
        return f"Always {span.low:,}."
    if isinf(span.low) and isinf(span.high):
        return "It has no least and no greatest result."
    if isinf(span.high):
        return f"At least {span.low:,}, with no upper end."
    if isinf(span.low):
        return f"At most {span.high:,}, with no lower end."
    return f"From {span.low:,} to {span.high:,}."
