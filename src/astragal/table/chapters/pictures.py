"""Pictures: added by people, chosen for scenes and portraits, and shown as handouts, to all or to some.

A picture's bytes are stored beside the log, under their digest; the log holds the digest. A seat may see a picture only
if it may see an entry that names it. Added pictures and shown handouts last through rewinds.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from annotated_types import MaxLen
from typing_extensions import Doc

from astragal.table.authoring.chapter import Call, Chapter, Command, Event
from astragal.table.authoring.kept import Kept
from astragal.table.authoring.log_lines import Teller
from astragal.table.chapters.seats import find_seat
from astragal.table.declarations import (
    GAME_MASTER_AND_PLAYERS,
    GAME_MASTER_ONLY,
    GAME_MASTER_OR_OWNER,
    Nature,
    Seen,
    replace,
)
from astragal.table.fields.definitions import CharacterId, Label, Names, SeatId, Words
from astragal.table.fields.lookup import Named
from astragal.table.refusals import NotAllowed, Refusal
from astragal.table.state import pictures
from astragal.table.state.table import State
from astragal.table.state.things import Alt, Handout, Picture, Title

PICTURES = Chapter(seen=Seen.ALL, dead_may=True)

PictureId = Annotated[str, MaxLen(60), Names("picture")]
PlateId = Annotated[str, MaxLen(60), Names("plate or picture")]
PortraitId = Annotated[str, MaxLen(60), Names("portrait or picture")]
AnyPictureId = Annotated[str, MaxLen(60), Names("picture or plate or portrait")]
HandoutId = Annotated[str, MaxLen(40), Names("handout")]

KEPT_PICTURES = Kept(PICTURES, Picture, "pictures", "picture", name="title", shared=True)
KEPT_HANDOUTS = Kept(PICTURES, Handout, "handouts", "handout", name="title", shared=True)


@PICTURES.names("plate")
def plates_named(_: State) -> list[Named]:
    return [Named(f"plates/{name}", name) for name in pictures.PLATES]


@PICTURES.names("portrait")
def portraits_named(_: State) -> list[Named]:
    return [Named(f"portraits/{name}", name) for name in pictures.PORTRAITS]


class Chosen(NamedTuple):
    """A picture that a command names: its reference and its alt text."""

    reference: str = ""
    alt: str = ""


def find_picture(call: Call, picture: str | None, alt: str = "") -> Chosen:
    """Find a picture by name: a shipped one, or an added one that the caller may use. Empty if none is named."""
    if not picture:
        return Chosen()
    if picture in shipped_references():
        return Chosen(picture, alt)
    added_picture = KEPT_PICTURES.find(call, picture)
    return Chosen(added_picture.digest, alt or added_picture.alt)


def shipped_references() -> frozenset[str]:
    """References to all shipped pictures."""
    plates = {f"plates/{name}" for name in pictures.PLATES}
    portraits = {f"portraits/{name}" for name in pictures.PORTRAITS}
    return frozenset(plates | portraits)


# ---------------------------------------------------------------- added and removed


@KEPT_PICTURES.put("picture_added", nature=Nature.LASTING, says="a picture: {picture.title}")
class PictureAdded(Event):
    """Somebody added a picture. Only they and the game master see it."""

    picture: Picture


def added(call: Call, *, digest: str, size: int, title: str, alt: str) -> PictureAdded:
    """Return the event of a picture being added, or refuse it. It has no command, since its bytes come with it."""
    if call.viewer.seat not in call.state.seats or call.viewer.role not in GAME_MASTER_OR_OWNER:
        raise NotAllowed("Spectators bring no pictures.")
    if size > pictures.LARGEST_PICTURE:
        raise Refusal(f"The picture has {size} bytes, and {pictures.LARGEST_PICTURE} are the most.", code="too_large")
    all_pictures = list(call.state.pictures.values())
    _check_room(all_pictures, size, pictures.MOST_PICTURES, pictures.MOST_BYTES, "this table")
    if not call.viewer.is_game_master:
        of_player = [picture for picture in all_pictures if picture.seat == call.viewer.seat]
        _check_room(of_player, size, pictures.MOST_OF_A_PLAYER, pictures.MOST_BYTES_OF_A_PLAYER, "one player")
    picture = Picture(
        id=call.fresh, digest=digest, title=title.strip() or "A picture", alt=alt, seat=call.viewer.seat, size=size
    )
    return PictureAdded(picture=picture)


def _check_room(present: Sequence[Picture], size: int, most: int, most_bytes: int, owner: str) -> None:
    """Refuse another picture of this size if there are too many already, or they fill too much."""
    if len(present) >= most:
        raise Refusal(f"There are {most} pictures of {owner} already: remove one first.", code="too_many")
    if sum(picture.size for picture in present) + size > most_bytes:
        megabytes = most_bytes // 1024**2
        raise Refusal(f"The pictures of {owner} fill {megabytes} MB: remove one first.", code="too_many")


@KEPT_PICTURES.taken("picture_removed", nature=Nature.LASTING, says="the picture {picture.title} is gone")
class PictureRemoved(Event):
    """A picture was removed, its bytes too. Faces and scenes that had it are drawn again; handouts lose it.

    A handout that has no words either is removed.
    """

    picture: Picture

    def fold(self, state: State) -> State:
        digest = self.picture.digest
        if any(picture.digest == digest for picture in state.pictures.values()):  # somebody else added the same
            return state
        setting = state.setting
        characters = {**state.characters}
        for who, character in state.characters.items():
            if character.portrait == digest:
                portrait = pictures.portrait_in(setting.portraits, character.name)
                characters[who] = replace(character, portrait=portrait, portrait_alt="")
        scenes = {**state.scenes}
        for scene_id, scene in state.scenes.items():
            if scene.picture == digest:
                scenes[scene_id] = replace(scene, picture=pictures.plate_in(setting, scene_id), alt="")
        return replace(state, characters=characters, scenes=scenes, handouts=self._handouts_without_it(state))

    def _handouts_without_it(self, state: State) -> dict[str, Handout]:
        """Return the handouts: first those that had other pictures, then those that had this one and have words."""
        untouched = {}
        without_picture = {}
        for handout_id, handout in state.handouts.items():
            if handout.picture != self.picture.digest:
                untouched[handout_id] = handout
            elif handout.words:
                without_picture[handout_id] = replace(handout, picture="", alt="")
        return {**untouched, **without_picture}


@PICTURES.command("remove_picture", may=GAME_MASTER_AND_PLAYERS, grave=True)
class RemovePicture(Command):
    """Remove a picture that you brought, for good. Faces and scenes that have it are drawn again."""

    picture: Annotated[PictureId, Doc("the picture")]

    def does(self, call: Call) -> list[PictureRemoved]:
        return [PictureRemoved(picture=KEPT_PICTURES.find(call, self.picture))]


# ---------------------------------------------------------------- faces


@PICTURES.event("portrait_chosen", nature=Nature.LASTING)
class PortraitChosen(Event):
    """A character got another portrait."""

    who: CharacterId
    portrait: str
    alt: Alt = ""

    def says(self, teller: Teller) -> str:
        shows = pictures.alt_of(self.portrait, self.alt)
        sentence = f"a portrait of {teller.name(self.who)}"
        return f"{sentence}: {shows}" if shows else sentence

    def fold(self, state: State) -> State:
        character = state.characters.get(self.who)
        if character is None:
            return state
        return state.with_character(replace(character, portrait=self.portrait, portrait_alt=self.alt))


@PICTURES.command("set_portrait", may=GAME_MASTER_OR_OWNER, actor="who")
class SetPortrait(Command):
    """Choose somebody's portrait: one of the shipped ones, or a picture that you brought."""

    who: Annotated[CharacterId, Doc("whose face it is")]
    picture: Annotated[PortraitId | None, Label("portrait"), Doc("the portrait; none goes back to the drawn one")] = (
        None
    )
    alt: Annotated[Alt, Label("what it shows"), Doc("what it shows, for whoever can't see it")] = ""

    def does(self, call: Call) -> list[PortraitChosen]:
        character = call.state.find(self.who)
        if self.picture is None:
            portrait = pictures.portrait_in(call.state.setting.portraits, character.name)
            return [PortraitChosen(who=self.who, portrait=portrait)]
        chosen = find_picture(call, self.picture, self.alt)
        return [PortraitChosen(who=self.who, portrait=chosen.reference, alt=chosen.alt)]


# ---------------------------------------------------------------- handouts


@KEPT_HANDOUTS.put("handout_written", nature=Nature.LASTING, says="a handout: {handout.title}")
class HandoutWritten(Event):
    """A handout was prepared, or rewritten."""

    handout: Handout


@KEPT_HANDOUTS.put("handout_shown", nature=Nature.LASTING)
class HandoutShown(Event):
    """A handout was shown, for good."""

    handout: Handout

    def says(self, teller: Teller) -> str:
        readers = ", ".join(teller.name(seat) for seat in self.handout.to)
        shows = pictures.alt_of(self.handout.picture, self.handout.alt)
        head = f"shown to {readers} alone" if readers else "shown"
        parts = [f"{head}: {self.handout.title}"]
        if shows:
            parts.append(f"[{shows}]")
        parts.append(self.handout.words)
        return " ".join(parts).strip()


@PICTURES.command("write_handout", may=GAME_MASTER_ONLY)
class WriteHandout(Command):
    """Prepare a letter, a map or a face, with a picture or words or both. Only you see it until you show it."""

    title: Annotated[Title, Doc("what it is")]
    words: Annotated[Words, Label("text")] = ""
    picture: Annotated[AnyPictureId | None, Doc("what it shows")] = None
    alt: Annotated[Alt, Label("what the picture shows"), Doc("what the picture shows, for whoever can't see it")] = ""
    show: Annotated[bool, Label("show it at once")] = False
    handout: Annotated[HandoutId | None, Label("rewrites"), Doc("the handout to rewrite; none makes a new one")] = None

    def does(self, call: Call) -> list[HandoutWritten | HandoutShown]:
        previous = None if self.handout is None else KEPT_HANDOUTS.find(call, self.handout)
        chosen = find_picture(call, self.picture, self.alt)
        if previous is None:
            handout = Handout(
                id=call.fresh, title=self.title, words=self.words, picture=chosen.reference, alt=chosen.alt
            )
        else:
            handout = replace(
                previous,
                title=self.title,
                words=self.words,
                picture=chosen.reference or previous.picture,
                alt=chosen.alt or previous.alt,
            )
        if not (handout.words or handout.picture):
            raise Refusal("A handout has a picture, or words, or both.", code="empty")
        handout_written = HandoutWritten(handout=handout)
        if not self.show:
            return [handout_written]
        return [handout_written, HandoutShown(handout=replace(handout, shown=True))]


@PICTURES.command("show_handout", title="Show a handout", may=GAME_MASTER_ONLY)
class ShowHandout(Command):
    """Show a handout: it opens on every screen, or on those of some. What was shown stays shown."""

    handout: Annotated[HandoutId, Doc("the handout")]
    to: Annotated[tuple[SeatId, ...], Doc("the seats that see it; none means everybody")] = ()

    def does(self, call: Call) -> list[HandoutShown]:
        handout = KEPT_HANDOUTS.find(call, self.handout)
        for seat in self.to:
            find_seat(call.state, seat)
        to = self.to
        if handout.shown and to:
            to = tuple(dict.fromkeys((*handout.to, *to))) if handout.to else ()
        return [HandoutShown(handout=replace(handout, shown=True, to=to))]


@KEPT_HANDOUTS.taken("handout_removed", nature=Nature.LASTING, says="the handout {handout.title} is gone")
class HandoutRemoved(Event):
    """A handout was taken away. What was shown of it stays in the log."""

    handout: Handout


@PICTURES.command("remove_handout", title="Remove a handout", may=GAME_MASTER_ONLY, grave=True)
class RemoveHandout(Command):
    """Take a handout away."""

    handout: Annotated[HandoutId, Doc("the handout")]

    def does(self, call: Call) -> list[HandoutRemoved]:
        return [HandoutRemoved(handout=KEPT_HANDOUTS.find(call, self.handout))]
