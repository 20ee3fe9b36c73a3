"""Heroes on paper: a game maps a hero to the numbers that are bought and back; validation and repairs are derived.

class Walkers(BoughtHeroes[MakeWalker, Options]):
    def points(self, hero, options): ...  # the `PointBuy` that this hero has to satisfy
    def numbers(self, hero, options): ...  # the hero's numbers, by their keys
    def rebuilt(self, hero, near, options): ...  # the hero with the nearest legal numbers

WALKERS = Walkers(MakeWalker)
WALKERS.check(hero, options)  # in the command: refuses with every reason, and with the nearest legal heroes
HERO_BOOK = WALKERS.book(make="make_walker", samples=samples_in(__package__))
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from astragal.table.authoring import package_files, point_buy
from astragal.table.authoring.ruleset import HeroBook, Plain, Repair
from astragal.table.fields.validation import read
from astragal.table.refusals import BadFields
from astragal.table.visibility.redact import plain

__all__ = ["BoughtHeroes", "HeroBook", "Plain", "Repair", "heroes_in", "pick", "pick_some", "samples_in"]

NEAR = "near it and legal: "
"""Beginning of the last reason of a refusal, which says what would be legal."""

H = TypeVar("H")
L = TypeVar("L")
T = TypeVar("T")


class BoughtHeroes(Generic[H, L]):
    """Heroes on paper, of type `H`, whose numbers are bought with points.

    `L` is what a hero has to satisfy: the table's options, unless `law` makes something else of them. `kind` is the
    value type to parse a hero into. Without one, a hero stays a plain mapping as it was sent, so that an unfinished
    one has accounts, too.
    """

    def __init__(self, kind: type[H] | None = None) -> None:
        self._kind = kind

    # ------------------------------------------------------------ for a game to define

    def law(self, options: Any) -> L:
        law: L = options
        return law

    def points(self, hero: H, law: L) -> point_buy.PointBuy:
        raise NotImplementedError

    def numbers(self, hero: H, law: L) -> point_buy.Build:
        raise NotImplementedError

    def rebuilt(self, hero: H, near: point_buy.Nearest, law: L) -> tuple[Iterable[str], H]:
        """Return what was changed, in words, and the hero with the numbers of a legal build."""
        raise NotImplementedError

    def flaws(self, _hero: H, _law: L) -> Iterable[point_buy.Fault]:
        """Yield further faults, besides those of the numbers."""
        return ()

    # ------------------------------------------------------------ derived

    def faults(self, hero: H, law: L) -> list[point_buy.Fault]:
        """List every reason why a hero is illegal; empty for a legal one."""
        return [*self.flaws(hero, law), *self.points(hero, law).faults(self.numbers(hero, law))]

    def repairs(self, hero: H, law: L) -> list[tuple[str, H]]:
        """Find the nearest legal heroes, each with what was changed; none if the hero is legal."""
        if not self.faults(hero, law):
            return []
        repairs = []
        for near in self.points(hero, law).nearest(self.numbers(hero, law)):
            changes, legal_hero = self.rebuilt(hero, near, law)
            repairs.append((" and ".join(changes), legal_hero))
        return repairs

    def better(self, hero: H, law: L) -> tuple[str, H] | None:
        """Find a hero who is better than a legal one, with what was raised; None if nothing can be raised."""
        if self.faults(hero, law):
            return None
        near = self.points(hero, law).better(self.numbers(hero, law))
        if near is None:
            return None
        _, better_hero = self.rebuilt(hero, near, law)
        return near.words, better_hero

    def check(self, hero: H, law: L) -> None:
        """Refuse an illegal hero with every reason, and with the nearest legal ones."""
        faults = self.faults(hero, law)
        if not faults:
            return
        problems = [fault.words for fault in faults]
        paths = [_path(hero, fault.field) for fault in faults]
        repairs = ", or ".join(words for words, _ in self.repairs(hero, law))
        if repairs:
            problems.append(f"{NEAR}{repairs}")
            paths.append(())
        raise BadFields(problems, paths)

    def accounts(self, hero: H, law: L) -> Sequence[str]:
        return [", ".join(self.points(hero, law).accounts(self.numbers(hero, law)))]

    def book(self, make: str, **further: Any) -> HeroBook:
        """Make the book for surfaces. A hero that can't be parsed has no accounts and no repairs."""

        def accounts(fields: Plain, options: Any) -> Sequence[str]:
            try:
                hero = self._read(fields)
            except BadFields:
                return []
            return self.accounts(hero, self.law(options))

        def repairs(fields: Plain, options: Any) -> Sequence[Repair]:
            try:
                hero = self._read(fields)
            except BadFields:
                return []
            legal_heroes = self.repairs(hero, self.law(options))
            return [Repair(words, {**fields, **plain(legal_hero)}) for words, legal_hero in legal_heroes]

        def better(fields: Plain, options: Any) -> Repair | None:
            try:
                hero = self._read(fields)
            except BadFields:
                return None
            found_better = self.better(hero, self.law(options))
            if found_better is None:
                return None
            words, better_hero = found_better
            return Repair(words, {**fields, **plain(better_hero)})

        return HeroBook(make=make, accounts=accounts, repairs=repairs, better=better, **further)

    def _read(self, fields: Any) -> H:
        hero: H = fields if self._kind is None else read(self._kind, fields)
        return hero


def _path(hero: Any, key: str) -> tuple[str, ...]:
    """Find the path to a number of a hero: a field, or an entry of one. Empty if the key is no single number."""
    fields: Mapping[str, Any] = plain(hero)
    if key in fields:
        return (key,)
    for name, part in fields.items():
        if isinstance(part, Mapping) and key in part:
            return name, key
    return ()


# ---------------------------------------------------------------- heroes that are ready, and random ones


def heroes_in(package: str) -> Mapping[str, Any]:
    """Read the file `heroes.toml` of a package: `heroes` that are ready, and the parts that random ones are made of."""
    return package_files.toml_in(package, "heroes.toml")


def samples_in(package: str) -> Callable[[Any], Mapping[str, Plain]]:
    """Make a function that returns the ready heroes by name, whatever the options."""
    return lambda _: {hero["name"]: hero for hero in heroes_in(package)["heroes"]}


def pick(draw: point_buy.Draw, among: Sequence[T]) -> T:
    return among[draw(len(among))]


def pick_some(draw: point_buy.Draw, among: Sequence[T], count: int) -> list[T]:
    """Draw this many different ones; each set is as likely as any other."""
    remaining = list(among)
    return [remaining.pop(draw(len(remaining))) for _ in range(count)]
