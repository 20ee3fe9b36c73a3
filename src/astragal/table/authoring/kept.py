"""Kept things: whatever lies on the table for a while and has a name or an id, declared once.

QUESTS = Kept(PURGING, Quest, name="objective", board="Quests", row=("{objective}", "{who}"))

@QUESTS.put("quest_set", says="a quest: {quest.objective}")
class QuestSet(Event):
    quest: Quest  # the event holds the thing: its fold puts it on the table, or in the place of the one before

@QUESTS.taken("quest_done", says="the quest is done: {quest.objective}")
class QuestDone(Event):
    quest: Quest  # its fold takes it away

quest = QUESTS.find(call, self.quest)  # by id or by name, or a refusal that lists what there is
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from astragal.table.authoring.chapter import Chapter, TableCall
from astragal.table.authoring.display import Choices, Piece, Proposal
from astragal.table.authoring.log_lines import Teller, template
from astragal.table.declarations import Nature, Seen, Value, Viewer, copied_into, replace
from astragal.table.fields.lookup import Named, find, labels
from astragal.table.refusals import DependsOnHidden, Refusal
from astragal.table.state.setting import MoveKind
from astragal.table.state.table import State
from astragal.values import field_names

__all__ = ["Kept"]

T = TypeVar("T")
E = TypeVar("E", bound=Value)

InWords: TypeAlias = str | Callable[[T, Teller], str]
"""A thing in words: a template with its fields in braces, or a function. Empty words say nothing."""


class Kept(Generic[T]):
    """Things of one kind that lie on the table. Each part of the declaration is optional but the chapter and the kind.

    `kept_in` is the field of the game's state that holds them, a mapping (of the table's own state, where they are
    `shared`); `called` is what one of them is called, and so is the field of the events that hold one. Of a `Quest`
    they are “quests” and “quest”, unless something else is said. `key` is the
    field that it is kept under, `name` the one that people know it by. What the `book` has is found, too. Only things
    that are `listed` can be found. `board` is the title of their rows, of which the `newest` are shown; `due` is a
    reminder for each, `proposes` what a game master could do about it, `moves` what is made of it when the players
    stall, by the kind of move.
    """

    def __init__(
        self,
        chapter: Chapter,
        kind: type[T],
        kept_in: str = "",
        called: str = "",
        *,
        key: str = "id",
        name: str = "name",
        shared: bool = False,
        book: Mapping[str, T] | None = None,
        listed: Callable[[T], bool] = lambda thing: True,
        board: str = "",
        row: tuple[InWords[T], InWords[T]] = ("", ""),
        newest: int | None = None,
        due: InWords[T] = "",
        proposes: Callable[[T, Teller], Iterable[Proposal]] | None = None,
        moves: Mapping[MoveKind, InWords[T]] | None = None,
    ) -> None:
        self.kind, self.called, self.shared = kind, called or kind.__name__.lower(), shared
        self.kept_in = kept_in or f"{self.called}s"
        self._chapter, self._key, self._name, self._book, self._listed = chapter, key, name, book or {}, listed
        chapter.names(self.called)(self.named)
        first, second, reminds = in_words(row[0]), in_words(row[1]), in_words(due)
        stirs = {kind: in_words(words) for kind, words in (moves or {}).items()}

        def rows(state: State) -> list[Piece]:
            teller, things = Teller(state, state.terms), list(self.each(state))[-newest if newest else 0 :]
            shown = tuple((first(one, teller), second(one, teller)) for one in things)
            return [Choices(board, shown)] if shown else []

        def reminders(state: State, teller: Teller) -> Iterator[str]:
            return (line for one in self.each(state) if (line := reminds(one, teller)))

        def proposals(state: State, teller: Teller) -> Iterator[Proposal]:
            return (one for thing in self.each(state) for one in (proposes(thing, teller) if proposes else ()))

        def moved(state: State, kind: MoveKind, teller: Teller) -> Iterator[str]:
            return (line for one in self.each(state) if kind in stirs and (line := stirs[kind](one, teller)))

        if board:
            chapter.board(rows)
        if due:
            chapter.due(reminders)
        if proposes:
            chapter.proposes(proposals)
        if moves:
            chapter.moves.append(moved)

    # ------------------------------------------------------------ what there is

    def all(self, state: State) -> Mapping[str, T]:
        """Things on the table, by their key."""
        things: Mapping[str, T] = getattr(state if self.shared else state.game, self.kept_in)
        return things

    def each(self, state: State) -> Iterable[T]:
        return self.all(state).values()

    def get(self, state: State, key: str | None) -> T | None:
        return None if key is None else self.all(state).get(key)

    def known(self, state: State) -> dict[str, T]:
        """Things that can be found: those of the book, and those on the table that are listed."""
        return {**self._book, **{key: one for key, one in self.all(state).items() if self._listed(one)}}

    def find(self, call: TableCall[Any], said: str) -> T:
        """The thing of this id, or the only one that is called so. What is not for the asker is as good as none."""
        known = self._known_to(call)
        return known[find(labels(self._each_named(known), call.state), said, self.called)]

    def named(self, state: State) -> Iterator[Named]:
        """All that can be found, as fields name it."""
        return self._each_named(self.known(state))

    def _each_named(self, things: Mapping[str, T]) -> Iterator[Named]:
        return (Named(key, getattr(one, self._name, ""), getattr(one, "who", None)) for key, one in things.items())

    def name_of(self, thing: T) -> str:
        return str(getattr(thing, self._name, ""))

    def _known_to(self, call: TableCall[Any]) -> dict[str, T]:
        return {key: one for key, one in self.known(call.state).items() if is_for(one, call.viewer)}

    def check_free(self, call: TableCall[Any], name: str) -> None:
        """Refuse a second thing of the same name. What is not for the asker takes no name: that would tell of it."""
        if name.strip().casefold() in (self.name_of(one).casefold() for one in self._known_to(call).values()):
            raise Refusal(f"There is “{name}” among the {self.kept_in} already.", code="name_taken")

    def new(self, call: TableCall[Any], asked: Any, **further: Any) -> T:
        """A new thing as a command describes it: a fresh id, the fields of the same names, and these.

        One that is kept under its name has it in small letters, and for itself.
        """
        if self._key == "name":
            self.check_free(call, asked.name)
            fresh = {"name": asked.name.strip().casefold()}
        else:
            fresh = {"id": call.fresh} if "id" in field_names(self.kind) else {}
        return copied_into(self.kind, asked, **fresh | further)

    # ------------------------------------------------------------ put, replaced, taken away

    def put_on(self, state: State, *things: T) -> State:
        """The same table with these things on it, each in the place of the one with its key."""
        return self._kept(state, {**self.all(state), **{getattr(one, self._key): one for one in things}})

    def take_off(self, state: State, *keys: str | None) -> State:
        """The same table without the things of these keys."""
        return self._kept(state, {key: one for key, one in self.all(state).items() if key not in keys})

    def changed(self, state: State, key: str, **parts: Any) -> State:
        """The same table with these parts of a thing changed; as it is where there is no such thing."""
        return self.put_on(state, replace(self.all(state)[key], **parts)) if key in self.all(state) else state

    def _kept(self, state: State, things: Mapping[str, T]) -> State:
        parts: Any = {self.kept_in: things}
        return replace(state, **parts) if self.shared else state.with_game(**parts)

    def put(
        self,
        name: str,
        *,
        says: str = "",
        seen: Seen | None = None,
        owner: str | None = None,
        nature: Nature = Nature.STORY,
    ) -> Callable[[type[E]], type[E]]:
        """Declare an event that puts the thing it holds on the table, or in the place of the one before.

        It is for whomever the thing is for. A `fold` of its own adds to that.
        """
        return self._event(self.put_on, name, says=says, seen=seen, owner=owner, nature=nature)

    def taken(
        self,
        name: str,
        *,
        says: str = "",
        seen: Seen | None = None,
        owner: str | None = None,
        nature: Nature = Nature.STORY,
    ) -> Callable[[type[E]], type[E]]:
        """Declare an event that takes the thing it holds off the table, as it was."""

        def take(state: State, thing: T) -> State:
            return self.take_off(state, getattr(thing, self._key))

        return self._event(take, name, says=says, seen=seen, owner=owner, nature=nature)

    def _event(self, change: Callable[[State, T], State], name: str, **declared: Any) -> Callable[[type[E]], type[E]]:
        def declare(cls: type[E]) -> type[E]:
            made: Any = cls
            further = getattr(cls, "fold", None)

            def fold(event: Any, state: State) -> State:
                changed = change(state, getattr(event, self.called))
                return further(event, changed) if further else changed

            made.fold = fold
            if hasattr(self.kind, "is_for") and not hasattr(cls, "is_for"):
                made.is_for = lambda event, viewer: getattr(event, self.called).is_for(viewer)
            return self._chapter.event(name, **declared)(cls)

        return declare


def in_words(said: InWords[T]) -> Callable[[T, Teller], str]:
    return template(said) if isinstance(said, str) else said


def is_for(thing: Any, viewer: Viewer) -> bool:
    """Whether a thing is for this viewer. What a view holds is: there, whether it is hidden can't be known."""
    try:
        return not hasattr(thing, "is_for") or bool(thing.is_for(viewer))
    except DependsOnHidden:
        return True
