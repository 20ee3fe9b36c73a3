"""Pictures: added by people, chosen for scenes and portraits, and shown as handouts, to all or to some.

A picture's bytes are stored beside the log, under their digest; the log holds the digest. A seat may see a picture only
if it may see an entry that names it. Added pictures and shown handouts last through rewinds.
"""

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


def find_picture(call: Call, said: str | None, alt: str = "") -> Chosen:
    """Find a picture by name: a shipped one, or an added one that the caller may use. Empty if none is named."""
    if not said:
        return Chosen()
    if said in shipped_references():
        return Chosen(said, alt)
    found = KEPT_PICTURES.find(call, said)
    return Chosen(found.digest, alt or found.alt)


def shipped_references() -> frozenset[str]:
    """References to all shipped pictures."""
    return frozenset(
        [*(f"plates/{name}" for name in pictures.PLATES), *(f"portraits/{name}" for name in pictures.PORTRAITS)]
    )


# ---------------------------------------------------------------- added and removed


@KEPT_PICTURES.put("picture_added", nature=Nature.LASTING, says="a picture: {picture.title}")
class PictureAdded(Event):
    """Somebody added a picture. Only they and the game master see it."""

    picture: Picture


def added(call: Call, *, digest: str, size: int, title: str, alt: str) -> PictureAdded:
    """Return the event of a picture being added, or refuse it. It has no command, since its bytes come with it."""
    if call.viewer.seat not in call.state.seats or call.viewer.role not in GAME_MASTER_OR_OWNER:
        raise NotAllowed("Spectators bring no pictures.")
    whole = list(call.state.pictures.values())
    own = [one for one in whole if one.seat == call.viewer.seat]
    limits = [(whole, pictures.MOST_PICTURES, pictures.MOST_BYTES, "this table")]
    if not call.viewer.is_game_master:
        limits.append((own, pictures.MOST_OF_A_PLAYER, pictures.MOST_BYTES_OF_A_PLAYER, "one player"))
    if size > pictures.LARGEST_PICTURE:
        raise Refusal(f"The picture has {size} bytes, and {pictures.LARGEST_PICTURE} are the most.", code="too_large")
    for there, most, bytes_, of in limits:
        if len(there) >= most:
            raise Refusal(f"There are {most} pictures of {of} already: remove one first.", code="too_many")
        if sum(one.size for one in there) + size > bytes_:
            raise Refusal(f"The pictures of {of} fill {bytes_ // 1024**2} MB: remove one first.", code="too_many")
    made = Picture(
        id=call.fresh, digest=digest, title=title.strip() or "A picture", alt=alt, seat=call.viewer.seat, size=size
    )
    return PictureAdded(picture=made)


@KEPT_PICTURES.taken("picture_removed", nature=Nature.LASTING, says="the picture {picture.title} is gone")
class PictureRemoved(Event):
    """A picture was removed, its bytes too. Faces and scenes that had it are drawn again; handouts lose it.

    A handout that has no words either is removed.
    """

    picture: Picture

    def fold(self, state: State) -> State:
        digest = self.picture.digest
        if any(one.digest == digest for one in state.pictures.values()):  # somebody else added the same
            return state
        faces = {who: one for who, one in state.characters.items() if one.portrait == digest}
        scenes = {which: one for which, one in state.scenes.items() if one.picture == digest}
        handouts = {which: one for which, one in state.handouts.items() if one.picture == digest}
        setting = state.setting
        return replace(
            state,
            characters={**state.characters}
            | {
                who: replace(one, portrait=pictures.portrait_in(setting.portraits, one.name), portrait_alt="")
                for who, one in faces.items()
            },
            scenes={**state.scenes}
            | {which: replace(one, picture=pictures.plate_in(setting, which), alt="") for which, one in scenes.items()},
            handouts={which: one for which, one in state.handouts.items() if which not in handouts}
            | {which: replace(one, picture="", alt="") for which, one in handouts.items() if one.words},
        )


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
        return f"a portrait of {teller.name(self.who)}{f': {shows}' if shows else ''}"

    def fold(self, state: State) -> State:
        found = state.characters.get(self.who)
        if found is None:
            return state
        return state.with_character(replace(found, portrait=self.portrait, portrait_alt=self.alt))


@PICTURES.command("set_portrait", may=GAME_MASTER_OR_OWNER, actor="who")
class SetPortrait(Command):
    """Choose somebody's portrait: one of the shipped ones, or a picture that you brought."""

    who: Annotated[CharacterId, Doc("whose face it is")]
    picture: Annotated[PortraitId | None, Label("portrait"), Doc("the portrait; none goes back to the drawn one")] = (
        None
    )
    alt: Annotated[Alt, Label("what it shows"), Doc("what it shows, for whoever can't see it")] = ""

    def does(self, call: Call) -> list[PortraitChosen]:
        found = call.state.find(self.who)
        if self.picture is None:
            drawn = pictures.portrait_in(call.state.setting.portraits, found.name)
            return [PortraitChosen(who=self.who, portrait=drawn)]
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
        to = ", ".join(teller.name(seat) for seat in self.handout.to)
        shows = pictures.alt_of(self.handout.picture, self.handout.alt)
        told = [f"shown{f' to {to} alone' if to else ''}: {self.handout.title}", f"[{shows}]" if shows else ""]
        return " ".join([*filter(None, told), self.handout.words]).strip()


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
        before = None if self.handout is None else KEPT_HANDOUTS.find(call, self.handout)
        chosen = find_picture(call, self.picture, self.alt)
        made = Handout(
            id=before.id if before else call.fresh,
            title=self.title,
            words=self.words,
            picture=chosen.reference or (before.picture if before else ""),
            alt=chosen.alt or (before.alt if before else ""),
            shown=before.shown if before else False,
            to=before.to if before else (),
        )
        if not (made.words or made.picture):
            raise Refusal("A handout has a picture, or words, or both.", code="empty")
        written = HandoutWritten(handout=made)
        return [written, HandoutShown(handout=replace(made, shown=True))] if self.show else [written]


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
