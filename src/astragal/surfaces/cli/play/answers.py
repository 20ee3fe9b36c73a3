"""Parse typed answers: "3", "spend 3", "yes", "no", words, or the faces of dice; and find what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from astragal.surfaces.cli.errors import BadCall
from astragal.surfaces.cli.fields import NO as NO_AND_NOUGHT
from astragal.surfaces.cli.fields import NUMBER
from astragal.surfaces.cli.fields import YES as YES_AND_ONE
from astragal.surfaces.cli.play.plain_words import completed
from astragal.surfaces.cli.table_view import typed
from astragal.surfaces.shared.pending import Answer, Asking, asked_of, consents_of, prompts_of, requests_of
from astragal.surfaces.shared.words import value_words
from astragal.table.fields.lookup import find, matching, normalised

if TYPE_CHECKING:
    from astragal.surfaces.shared.context import SeatView

YES = YES_AND_ONE - {"1"}
NO = NO_AND_NOUGHT - {"0"}
"""Words for yes and no, without 1 and 0, which are numbers in an answer."""
SPENDING = frozenset({"spend", "pay", "use"})
DECLINING = frozenset({"decline", "pass", "keep"})
UNITS = frozenset({"more", "of", "on", "please", "point", "points", "that", "this", "to", "it", "token", "tokens"})
"""Words that may follow a price besides those of the answer itself."""
LEADING = frozenset({"answer", "i", "i'll", "take"})


def meant(decisions: Sequence[Asking], words: Sequence[str]) -> tuple[str, Any]:
    """Return the id of the command that is answered, and the answer. By default it is the first one that waits."""
    decision, answer_words = _decision_meant(decisions, words)
    if decision.dice:
        return decision.act, faces(decision, answer_words)
    return decision.act, choice_of(decision, answer_words)


def _decision_meant(decisions: Sequence[Asking], words: Sequence[str]) -> tuple[Asking, Sequence[str]]:
    """Find the decision whose label the words begin with, by default the first. Return it with the words that follow.

    The longest label wins, and only if an answer follows it that the decision accepts.
    """
    if len(decisions) == 1:
        return decisions[0], words
    decision_by_act = {decision.act: decision for decision in decisions}
    labels = {act: decision.label for act, decision in decision_by_act.items()}
    for length in range(len(words) - 1, 0, -1):
        label = " ".join(words[:length])
        answer_words = words[length:]
        acts = matching(labels, label)
        if len(acts) == 1 and fits(decision_by_act[acts[0]], answer_words):
            return decision_by_act[acts[0]], answer_words
    return decisions[0], words


def answered(view: SeatView, words: Sequence[str], decision: str | None = None) -> tuple[str, dict[str, Any]]:
    """Build the command that answers what waits for this seat: a decision, a question, a proposal or a roll request."""
    decisions = asked_of(view)
    if decision is not None:
        act = find({asking.act: asking.label for asking in decisions}, decision, "decision")
        decisions = [asking for asking in decisions if asking.act == act]
    if not decisions or not fits(*_decision_meant(decisions, words)):
        reply = _reply(view, " ".join(words))
        if reply is not None:
            return reply
    if decisions:
        act, value = meant(decisions, words)
        return "answer", {"act": act, "answer": value}
    return _requested_roll(view, words)


def _reply(view: SeatView, text: str) -> tuple[str, dict[str, Any]] | None:
    """Return the command that answers a question or a proposal to this seat; None if nothing of that kind waits."""
    if any(prompt.own for prompt in prompts_of(view)):
        return "answer_prompt", {"words": text}
    if any(proposal.own for proposal in consents_of(view)):
        if text.casefold() in YES:
            return "agree", {}
        if text.casefold() in NO:
            return "decline", {}
    return None


def _requested_roll(view: SeatView, words: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """Return the command that makes the one roll that this seat is asked for."""
    requests = [request for request in requests_of(view) if request.own and request.fields is not None]
    if not requests:
        raise BadCall("Nothing waits for an answer from this seat.")
    if len(requests) > 1:
        rolls = ", ".join(f'{request.command} "{request.name}"' for request in requests)
        raise BadCall(f"Several rolls are asked for: {rolls}. Make one of them.")
    command = requests[0].command
    return command, completed(view, view.book.command(command), requests[0].fields or {}, words)


def is_cut_short(asking: Asking, words: Sequence[str]) -> bool:
    """Return whether these words are only the beginning of what stands for an answer: "let" for "let it stand"."""
    answer_words = _without_leading(words)
    return not asking.dice and not _by_price(asking, answer_words) and not _in_full(asking, answer_words)


def fits(asking: Asking, words: Sequence[str]) -> bool:
    """Return whether these words answer the decision."""
    try:
        faces(asking, words) if asking.dice else choice_of(asking, words)
    except BadCall:
        return False
    return True


def is_answer(words: Sequence[str]) -> bool:
    """Return whether this looks like an answer, valid or not."""
    first = words[0].casefold()
    return first in SPENDING | DECLINING | YES | NO or NUMBER.fullmatch(first) is not None


def is_price(words: Sequence[str]) -> bool:
    """Return whether this can be nothing but an answer: a number, or "spend 2"."""
    numbers = words[1:] if words[0].casefold() in SPENDING else words
    return len(numbers) == 1 and NUMBER.fullmatch(numbers[0]) is not None


def faces(asking: Asking, words: Sequence[str]) -> list[int]:
    """Parse the faces of dice thrown by hand."""
    parts = " ".join(words).replace(",", " ").split()
    numbers = [part for part in parts if part not in LEADING]
    if not numbers or not all(NUMBER.fullmatch(number) for number in numbers):
        dice = ", ".join(f"d{sides}" for sides in asking.dice)
        raise BadCall(f"Enter the faces of {dice} as numbers, in that order.")
    return [int(number) for number in numbers]


def choice_of(asking: Asking, words: Sequence[str]) -> Any:
    """Find the answer that the words mean. Raises `BadCall` if there is none, or more than one."""
    answer_words = _without_leading(words)
    answers = _by_price(asking, answer_words) or _by_words(asking, answer_words)
    value_by_words = {value_words(answer.value): answer.value for answer in answers}
    if len(value_by_words) == 1:
        return next(iter(value_by_words.values()))
    text = " ".join(words)
    listed = ", ".join(typed(asking, answer) for answer in answers or asking.answers)
    if answers:
        raise BadCall(f"{text!r} could be any of {listed}. Which one?")
    raise BadCall(f"{text!r} is no answer to {asking.name!r}; answer one of {listed}.")


# ---------------------------------------------------------------- reading an answer


def _without_leading(words: Sequence[str]) -> list[str]:
    """Return the words of an answer, without those that lead in: "I'll take the hit" is "the hit"."""
    text = " ".join(words).casefold().replace("−", "-")
    return [word for word in text.split() if word not in LEADING]


def _by_price(asking: Asking, words: Sequence[str]) -> list[Answer]:
    """Read "spend 3" or "3 luck" as the answer that costs 3; if there is none, as 3 or -3."""
    if len(words) < 2:
        return []
    price, *unit_words = words[1:] if words[0] in SPENDING else words
    if not NUMBER.fullmatch(price):
        return []
    points = int(price)
    if price[0] in "+-":
        return [answer for answer in asking.answers if answer.value == points]
    priced = [answer for answer in asking.answers if answer.price == points] or _of_size(asking, points)
    answers = [answer for answer in priced if _names_only(asking, answer, unit_words)]
    return answers if len(answers) == 1 else _most_helpful(asking, answers)


def _of_size(asking: Asking, points: int) -> list[Answer]:
    """Return the answers that are this number or its negative."""
    numbers = [answer for answer in asking.answers if type(answer.value) is int]
    return [answer for answer in numbers if abs(answer.value) == points]


def _names_only(asking: Asking, answer: Answer, words: Sequence[str]) -> bool:
    """Return whether the words after a price belong to it: the "luck" of "spend 2 luck", not "hours in the library"."""
    text = normalised(f"{asking.name} {answer.words} {answer.means}")
    own_words = set(text.replace(":", " ").replace(",", " ").split())
    return all(word in own_words or word in UNITS for word in words)


def _most_helpful(asking: Asking, answers: Sequence[Answer]) -> list[Answer]:
    """Return the answer in the direction in which points bring success, if there is just one; else all of them.

    Nobody pays to make things worse: where 2 points can raise or lower a die, they go where they help, even if it takes
    more than 2 to succeed.
    """
    chance_if_declined = asking.answers[0].success
    if chance_if_declined is None:
        return list(answers)
    helpful_directions = set()
    for answer in asking.answers:
        if type(answer.value) is int and answer.success is not None and answer.success > chance_if_declined:
            helpful_directions.add(answer.value > 0)
    helpful = [answer for answer in answers if (answer.value > 0) in helpful_directions]
    if len(helpful_directions) == 1 and len(helpful) == 1:
        return helpful
    return list(answers)


def _by_words(asking: Asking, words: Sequence[str]) -> list[Answer]:
    """Find the answers that the words stand for or, if there is none, those that begin with them."""
    if not words:
        return []
    beginning = normalised(" ".join(words)) + " "
    return _in_full(asking, words) or [answer for answer in asking.answers if _begins(answer, beginning)]


def _begins(answer: Answer, beginning: str) -> bool:
    return any(f"{saying} ".startswith(beginning) for saying in _sayings(answer))


def _in_full(asking: Asking, words: Sequence[str]) -> list[Answer]:
    """Find the answers that the words stand for, with no word missing."""
    text = " ".join(words)
    exact = [answer for answer in asking.answers if _is_value(answer.value, text)]
    if exact or not words:
        return exact
    is_yes_or_no = _is_yes_or_no(asking)
    if text in DECLINING or (text in NO and not is_yes_or_no):
        return [answer for answer in asking.answers[:1] if not answer.value]  # none declines a choice between defences
    if text in YES | NO and is_yes_or_no:
        return [answer for answer in asking.answers if answer.value is (text in YES)]
    if text in YES and len(asking.notable) <= 2:
        return list(asking.notable[-1:])
    return [answer for answer in asking.answers if normalised(text) in _sayings(answer)]


def _is_value(value: Any, text: str) -> bool:
    """Return whether the text is this value: a word as it is written, or a number.

    A number's typed sign has to match; a bare 3 is 3 or -3.
    """
    if type(value) is not int:
        return normalised(text) == normalised(value_words(value))
    if not NUMBER.fullmatch(text):
        return False
    number = int(text)
    return value == number if text[0] in "+-" else abs(value) == number


def _sayings(answer: Answer) -> list[str]:
    """List the words that stand for an answer: a value that is a word, and what the game calls it."""
    if isinstance(answer.value, str):
        return [normalised(answer.value), normalised(answer.words)]
    if answer.words == value_words(answer.value):  # a number or a yes, found by its value
        return []
    return [normalised(answer.words)]


def _is_yes_or_no(asking: Asking) -> bool:
    return all(isinstance(answer.value, bool) for answer in asking.answers)
