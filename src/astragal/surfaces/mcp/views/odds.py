"""What would happen, exactly, and which answer is best."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from astragal.chance import ChanceError, Odds, Offer, Together, advise
from astragal.chance.pictures import rows, words
from astragal.surfaces.mcp.elicitation import open_wait
from astragal.surfaces.mcp.session import Desk
from astragal.surfaces.mcp.tools.results import Advised, Case, Chance, OddsFound
from astragal.surfaces.mcp.views.untrusted_text import clean, cleaned
from astragal.table import preview
from astragal.table.commands.execute import waiting_of
from astragal.table.commands.handlers import seat_of
from astragal.table.fields.values import is_value, parts_of
from astragal.table.log.codec import RuleHasChanged
from astragal.table.refusals import DependsOnHidden, NotAllowed, NotAnOption, NotYours, Refusal
from astragal.table.state.table import Decision

MOST_CASES = 24
MOST_OUTCOMES = 16


def odds_of(desk: Desk, command: str, given: Mapping[str, Any]) -> OddsFound:
    """The exact odds of a command, for each spend; by difficulty where that is hidden."""
    found = _previewed(desk, command, given)
    if found is None:
        return OddsFound()
    return OddsFound(
        question=found.question,
        rule=found.rule,
        given=cleaned(dict(found.arguments)),
        cases=[Case(when=_when(case), chances=_chances(case.odds)) for case in found.cases[:MOST_CASES]],
    )


def _previewed(desk: Desk, command: str, given: Mapping[str, Any]) -> preview.Preview | None:
    """From the window: what a person must not know is not reckoned with where they could read it."""
    try:
        return desk.house.host.preview(desk.here.table, desk.window, (command, given))
    except (NotAllowed, NotYours):  # the game master's own roll, which the person's seat could not give
        if not desk.spoiler_safe:
            raise
        return desk.house.host.preview(desk.here.table, desk.here.seat, (command, given))


def _when(case: preview.Case) -> str:
    parts = [f"spend {case.spend}"] if case.spend is not None else []
    parts += [f"{name} {value}" for name, value in (case.hidden or {}).items()]
    parts += [case.policy] if case.policy else []
    return ", ".join(parts) or "as it falls"


def _chances(odds: Odds[Any]) -> list[Chance]:
    likeliest = sorted(rows(odds.map(outcome_words)), key=lambda row: -row.chance)
    return [
        Chance(outcome=clean(row.words, 120), exactly=str(row.chance), percent=round(float(row.chance) * 100, 4))
        for row in likeliest[:MOST_OUTCOMES]
    ]


def outcome_words(outcome: Any) -> str:
    """An outcome in words: part by part where it has parts."""
    if is_value(type(outcome)):
        return ", ".join(_part(name, value) for name, value in parts_of(outcome).items() if value is not None)
    return words(outcome)


def _part(name: str, value: Any) -> str:
    label = name.replace("_", " ")
    if isinstance(value, bool):
        return label if value else f"no {label}"
    return words(value) if isinstance(value, Enum) else f"{label} {outcome_words(value)}"


# ---------------------------------------------------------------- advice


def advice_on(desk: Desk, waiting: str, aim: str) -> Advised:
    """The best answer to a decision that is open, for the chance of an outcome."""
    decision = desk.look().decisions.get(waiting)
    if decision is None:
        open_wait(desk, waiting)  # says what is open
        raise Refusal("Nothing is rolled there: that is for words, not for odds.", code="no_odds")
    if decision.hides and not (desk.is_game_master() and not desk.spoiler_safe):
        raise DependsOnHidden("The difficulty is hidden: what is best would tell it.")
    outcome = desk.book.action(decision.command).outcome
    try:
        played = waiting_of(desk.book, decision)
        side = _side(desk, decision)
        every = advise(played, lambda verdict: 0, side=side)
        wanted = _wanted(every.odds.map(outcome), aim)
        found = advise(played, lambda verdict: outcome_words(outcome(verdict)) == wanted, side=side)
        values = {words(answer): float(value) for answer, value in found.next.values.items()}
        return Advised(best=words(found.next.best), aim=wanted, values=values, basis=found.basis)
    except (ChanceError, RuleHasChanged) as fault:
        raise Refusal(f"That can't be reckoned: {fault}", code="no_odds") from fault


def best_spend(desk: Desk, command: str, given: Mapping[str, Any], aim: str) -> Advised:
    """The spend before a roll that makes an outcome likeliest; of equals the cheapest."""
    found = _previewed(desk, command, given)
    if found is None or len(found.cases) < 2:
        raise Refusal("There is nothing to choose before that roll; odds shows its chances.", code="no_choice")
    wanted = _wanted(found.cases[0].odds, aim)
    values = {_when(case): float(case.odds.chance(lambda one: outcome_words(one) == wanted)) for case in found.cases}
    best = max(values, key=lambda when: values[when])
    return Advised(best=best, aim=wanted, values=values, basis="exact odds of each case")


def _wanted(odds: Odds[Any], aim: str) -> str:
    """The outcome that is aimed at; where it is yes or no, yes."""
    known = {outcome_words(one): one for one in odds.weights}
    for name in known:
        if aim and aim.strip().casefold() == name.casefold():
            return name
    if not aim and all(isinstance(one, bool) for one in known.values()):
        return outcome_words(True)
    listed = "; ".join(clean(name, 80) for name in list(known)[:MOST_OUTCOMES])
    raise NotAnOption(f"Say which outcome to aim at, one of: {listed}.")


def _side(desk: Desk, decision: Decision) -> str:
    """The side that the model or its person answers for; a game master may ask for anyone."""
    state = desk.look()
    need = waiting_of(desk.book, decision).need
    offers = need.offers if isinstance(need, Together) else (need,) if isinstance(need, Offer) else ()
    for offer in offers:
        owner = seat_of(state, decision.sides[offer.side])
        if desk.is_game_master() or owner in (desk.here.seat, desk.here.person):
            return offer.side
    raise NotYours("That decision is somebody else's.")
