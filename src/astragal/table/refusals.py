"""Refusals: exceptions that reject a command, with a stable code for programs and a sentence for players.

Refusal                    any other reason, named by the ruleset that gives it
├── BadFields              bad_fields          one or more fields are invalid; lists all of them
├── UnknownCommand         unknown_command     this table has no such command
├── NotAllowed             not_allowed         this seat may not give this command
├── NotYours               not_yours           the command acts for somebody else's character
├── NoSuchThing            no_such_thing       nobody and nothing here has that name
├── StillDeciding          still_deciding      somebody's decision has to come first
├── NothingToAnswer        nothing_to_answer   the decision was answered, withdrawn, or never was
├── NotAnOption            not_an_option       the answer is not among those offered
├── IdReused               id_reused           the command's id was used for another command
├── QuestionChanged        question_changed    what was previewed is no longer what would be rolled
├── OpensRolls             opens_rolls         ending the scene opens closed rolls; say which stay sealed
├── DependsOnHidden        depends_on_hidden   the answer would reveal something that the seat may not know
├── ReadOnly               read_only           the table can be read, but not played on
├── NoSuchTable            no_such_table       there is no table of this id, or the seat is not at it
└── NoRoom                 no_room             the store is full or away; nothing was lost
"""

from collections.abc import Callable, Mapping, Sequence

__all__ = ["BadFields", "NoSuchThing", "NotAllowed", "NotAnOption", "Refusal", "StillDeciding"]


class Refusal(Exception):
    """A command was rejected. Nothing has changed."""

    code = "refused"

    def __init__(self, sentence: str, *, code: str | None = None, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field
        """The field to change, if it is a single one; forms mark it."""
        self.problems: tuple[str, ...] = (sentence,)
        """One sentence for each thing that is wrong."""
        if code is not None:
            self.code = code

    def reworded(self, words: Callable[[str], str]) -> None:
        """Translate the sentences with `words`, which replaces the book's terms with those of a table's skin."""
        self.sentence, self.problems = words(self.sentence), tuple(map(words, self.problems))
        self.args = (self.sentence,)


class BadFields(Refusal):
    code = "bad_fields"

    def __init__(self, problems: Sequence[str], paths: Sequence[tuple[str | int, ...]] = ()) -> None:
        super().__init__("; ".join(problems) + ".")
        self.problems = tuple(problems)
        self.paths = tuple(paths) or ((),) * len(self.problems)
        """For each problem the path to the value at fault: `("rises", "MGT")`; empty if it concerns no single field."""


class UnknownCommand(Refusal):
    code = "unknown_command"


class NotAllowed(Refusal):
    code = "not_allowed"


class NotYours(Refusal):
    code = "not_yours"


class NoSuchThing(Refusal):
    code = "no_such_thing"


class StillDeciding(Refusal):
    code = "still_deciding"


class NothingToAnswer(Refusal):
    code = "nothing_to_answer"


class NotAnOption(Refusal):
    code = "not_an_option"


class IdReused(Refusal):
    code = "id_reused"


class QuestionChanged(Refusal):
    code = "question_changed"


class OpensRolls(Refusal):
    code = "opens_rolls"

    def __init__(self, rolls: Mapping[str, str]) -> None:
        count = "1 closed roll" if len(rolls) == 1 else f"{len(rolls)} closed rolls"
        super().__init__(
            f"Ending the scene opens {count} for everyone: {'; '.join(rolls.values())}. Say in keep which stay "
            "sealed, by name; none opens them all."
        )
        self.rolls = rolls


class DependsOnHidden(Refusal):
    code = "depends_on_hidden"


class ReadOnly(Refusal):
    code = "read_only"


class NoSuchTable(Refusal):
    code = "no_such_table"


class NoRoom(Refusal):
    code = "no_room"
