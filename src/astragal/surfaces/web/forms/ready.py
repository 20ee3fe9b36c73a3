"""Card of a roll that is ready: the form of its command, with the chance, the chart and one button."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import asdict, replace

from astragal.surfaces.shared.explained import parts_of
from astragal.surfaces.shared.sheets import pieces_of
from astragal.surfaces.web.forms.choices import Option
from astragal.surfaces.web.forms.form import Form, Widget, form_of
from astragal.surfaces.web.forms.odds import Picture, picture
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.rolls import card_of, faces_in
from astragal.surfaces.web.table import pictures, sheet
from astragal.table.authoring.chapter import Action
from astragal.table.authoring.display import Pips, RollCard
from astragal.table.authoring.sentences import Sentences
from astragal.table.declarations import Sight, kind_of_command
from astragal.table.fields.definitions import fields_of
from astragal.table.preview import Preview
from astragal.table.refusals import BadFields, DependsOnHidden, Refusal
from astragal.table.state.things import Request
from astragal.table.visibility.redact import plain
from astragal.wording import in_words

USUAL = "The usual way"
PART = re.compile(r" {([^}]+)}")
MOST_TERMS = 4
"""If there are more parts, they are only in “How this was calculated”."""


class FormLayout(Struct, frozen=True, kw_only=True):
    """The inputs of a form, as a card lays them out; and the fields that it would send as it stands."""

    first: tuple[Widget, ...]
    """Inputs in view: the actor if that is open, the target, what has to be chosen."""
    words: tuple[Widget, ...]
    change: tuple[Widget, ...]
    """All other inputs, behind “change…”."""
    kept: tuple[tuple[str, str], ...]
    """Settled fields, which are sent as they are."""
    given: Mapping[str, Any]


class Ready(FormLayout, frozen=True, kw_only=True):
    """A roll that this seat may make, ready to be rolled."""

    key: str
    asks: str
    """The end of its form's address."""
    form: Form
    shape: RollCard
    title: str
    notes: tuple[str, ...]
    people: tuple[pictures.Face, ...]
    stakes: str
    picture: Picture | None
    why: str
    """Why there are no odds."""
    lacks: str
    """The missing input because of which there are no odds."""
    is_stuck: bool
    """True if it is refused and no input in view would change that: something else has to happen first."""
    said: str
    """The settings in force, as a sentence."""
    spends: str
    """The points that can be spent, in the skin's words."""
    held: str
    terms: tuple[tuple[str, str], ...]
    """The parts of the roll, from the game's breakdown."""
    proposes: str
    """Inputs that the game master has to agree to before the dice fall."""
    risks: str
    """Cost of a failure."""

    @property
    def button(self) -> str:
        """The verb, with a part of the roll if that is known: “Roll 7 dice”."""
        terms = dict(self.terms)
        return PART.sub(lambda found: f" {terms[found[1]]}" if found[1] in terms else "", self.shape.verb)

    @property
    def price(self) -> str:
        """Price that is paid before the roll; empty if there is none."""
        paid = next((bar.words for bar in self.picture.spends if bar.now), "0") if self.picture else "0"
        return f"{paid} {self.spends}" if paid != "0" else ""

    def refused_with(self, refusal: Refusal, in_skin: Callable[[str], str]) -> Self:
        form = self.form.refused_with(refusal, in_skin)
        marked = {one.name: one for one in form.widgets}

        def again(widgets: Iterable[Widget]) -> tuple[Widget, ...]:
            return tuple(replace(one, fault=marked[one.name].fault) if one.name in marked else one for one in widgets)

        return replace(self, form=form, first=again(self.first), words=again(self.words), change=again(self.change))


def is_roll(session: SeatSession, command: str) -> bool:
    action = session.book.actions.get(command)
    return action is not None and action.gather is not None


def with_usual_values(shape: RollCard, given: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the card's usual values, unless a given field says the same in another way; then remove them."""
    usual = dict(shape.usual)
    if any(given.get(name) not in (None, "") for name in shape.unless):
        return {name: value for name, value in given.items() if name not in usual or usual[name] != value}
    return {name: value for name, value in usual.items() if name not in given} | dict(given)


def worded(
    session: SeatSession, action: Action[Any, Any], fields: Mapping[str, Any], sight: Sight
) -> tuple[dict[str, Any], Preview | None, Refusal | None]:
    """Return the fields of a roll, with default words if it is refused without any; and its preview, or the refusal.

    The default words are the card's; of a request, what it is for.
    """
    given = with_usual_values(card_of(action), fields)
    usual = {name: session.in_skin(text) for name, text in card_of(action).words}
    request = session.state.requests.get(str(given.get("request") or ""))
    if request and request.what_for and usual:
        usual[next(iter(usual))] = request.what_for
    filled = usual | {name: value for name, value in given.items() if value != ""}
    refusals: list[Refusal] = []
    for said in (given, filled):
        try:
            return said, session.preview(action.name, said, sight), None
        except DependsOnHidden as hidden:
            return said, None, hidden
        except Refusal as refusal:
            refusals.append(refusal)
    first, last = refusals
    return given if first.sentence == last.sentence else filled, None, last


def ready_of(
    session: SeatSession,
    command: str,
    given: Mapping[str, Any],
    *,
    key: str = "new",
    sight: Sight = Sight.OPEN,
    wanted: str = "",
) -> Ready:
    """Return the card of a roll with these fields filled in. `wanted` is a chance whose price is asked for."""
    action = session.book.action(command)
    shape, actor = card_of(action), kind_of_command(action.command).actor or ""
    request = session.state.requests.get(str(given.get("request") or ""))
    form = form_of(session, command, with_usual_values(shape, given))
    laid = _laid(session, action, form, given, request)
    _, preview, refusal = worded(session, action, laid.given, sight)
    recalls = preview.recalls if preview else {}
    laid = with_earlier_words(laid, recalls, is_asked_for=request is not None)
    spent = laid.given.get(action.spend.field, 0) if action.spend else None
    known = {**(plain(preview.arguments) if preview else {}), **recalls, **(request.fields if request else {})}
    known |= {name: value for name, value in laid.given.items() if value or name not in recalls}
    known |= {"what_for": request.what_for} if request else {}
    said = Sentences(
        shape, {name: one for name, one in known.items() if one not in (None, "")}, session.state, session.teller
    )
    terms = parts_of(session.book, session.teller, preview) if preview else ()
    spends = session.teller.term(shape.spends)
    who = session.state.characters.get(str(laid.given.get(actor) or ""))
    pips = [one for one in (pieces_of(session, who) or () if who else ()) if isinstance(one, Pips)]
    held = (preview.held if preview else "", *(str(one.now) for one in pips if one.label.casefold() == shape.spends))
    is_told = request is not None and request.what_for in " ".join((said.title, *said.notes))
    return Ready(
        **asdict(laid),
        key=key,
        asks=sheet.asking(command, given.items()),
        form=replace(form, sight=sight),
        shape=shape,
        title=said.title,
        notes=said.notes,
        people=faces_in(said, session.state),
        stakes=request.what_for if request and not is_told else "",
        picture=picture(preview, spent, wanted) if preview and preview.cases else None,
        why="" if refusal is None or isinstance(refusal, BadFields) else refusal.sentence,
        lacks=refusal.field if refusal else "",
        is_stuck=not (laid.first or laid.words) and _is_stuck(refusal),
        said=_said(terms, action.command, laid.change),
        terms=terms,
        proposes=" and ".join(_labels(form, preview.proposes)) if preview else "",
        risks=preview.risks if preview else "",
        spends=spends if spends != shape.spends else shape.spends.capitalize(),
        held=next((f"you have {one}" for one in held if one), ""),
    )


def _laid(
    session: SeatSession, action: Action[Any, Any], form: Form, given: Mapping[str, Any], request: Request | None
) -> FormLayout:
    """Lay out a form. Fields settled by a click on a sheet, a request or the lack of a choice are sent, not shown."""
    shape, actor = card_of(action), kind_of_command(action.command).actor or ""
    widgets = {one.name: one for one in form.widgets}
    who = str(given.get(actor) or (widgets[actor].value if actor in widgets else ""))
    if target := widgets.get(shape.target):  # the first foe, unless another is chosen; never the actor
        characters = session.state.characters
        is_hero = who not in characters or characters[who].seat is not None

        def is_friend(option: Option) -> bool:
            """Return whether it is played from the same side of the screen."""
            other = characters.get(option.value)
            return other is not None and (other.seat is not None) is is_hero

        options = tuple(sorted((one for one in target.options if one.value not in ("", who)), key=is_friend))
        chosen, values = str(given.get(target.name) or ""), [one.value for one in options]
        value = chosen if chosen in values else next(iter(values), "")
        widgets[shape.target] = replace(target, kind="choice", label="Whom", options=options, value=value)
    sent = with_usual_values(shape, given) | {  # of the choices that have to be made, the first of each
        name: one.value
        for name, one in widgets.items()
        if one.kind in ("fixed", "choice") and (one.required or name == shape.target) and one.value
    }
    settled = {name: str(one.value) for name, one in widgets.items() if one.kind == "fixed" and one.value}
    settled |= {actor: str(given[actor])} if given.get(actor) else {}
    if request:
        settled |= {"request": request.id, **{name: str(value) for name, value in request.fields.items()}}
    against = {one.name for one in fields_of(action.command) if one.is_against} if request else set()
    rest = {name: one for name, one in widgets.items() if name not in {"request", *settled, *against}}
    first = [rest.pop(name) for name in (actor, shape.target, *shape.choose) if name in rest]
    words = {name: rest.pop(name) for name, _ in shape.words if name in rest}
    if request and request.what_for:  # the request gives the first of them
        words.pop(shape.words[0][0] if shape.words else "", None)
    placeholders = dict(shape.words)
    lines = (replace(one, doc=session.in_skin(placeholders[name]), required=False) for name, one in words.items())
    kept = tuple(
        (name, value) for name, value in settled.items() if name in {one.name for one in fields_of(action.command)}
    )
    return FormLayout(first=tuple(first), words=tuple(lines), change=tuple(rest.values()), kept=kept, given=sent)


def with_earlier_words(laid: FormLayout, recalls: Mapping[str, str], *, is_asked_for: bool) -> FormLayout:
    """Show words that were said before in their input; if a request asks for the roll, drop that input."""
    words = (replace(one, doc=recalls.get(one.name, one.doc)) for one in laid.words)
    return replace(laid, words=tuple(one for one in words if not (is_asked_for and one.name in recalls)))


def _is_stuck(refusal: Refusal | None) -> bool:
    """Return whether the roll is refused for another reason than an input."""
    return refusal is not None and not refusal.field and not isinstance(refusal, (BadFields, DependsOnHidden))


def _labels(form: Form, names: Sequence[str]) -> Iterable[str]:
    return (one.label if one.label.isupper() else one.label.lower() for one in form.widgets if one.name in names)


def _said(terms: Sequence[tuple[str, str]], command: type, change: Iterable[Widget]) -> str:
    """Return the settings in force: the parts of the roll if they are few, else what was chosen."""
    if 0 < len(terms) <= MOST_TERMS:
        return ", ".join(f"{name} {value}" for name, value in terms)
    usual = {one.name: str(plain(one.default)) for one in fields_of(command)}
    chosen: list[str] = []
    for widget in (one for one in change if str(one.value) != usual.get(one.name)):
        if widget.kind == "several":
            chosen += [in_words(one) for one in widget.chosen]
        elif widget.kind == "switch":
            chosen += [widget.label] if widget.value else []
        elif widget.kind in ("choice", "line", "fixed"):
            chosen += [option.words for option in widget.options if option.value and option.value == widget.value]
    return ", ".join(chosen) or USUAL
