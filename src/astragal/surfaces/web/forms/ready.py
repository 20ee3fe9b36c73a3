"""Card of a roll that is ready: the form of its command, with the chance, the chart and one button."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import asdict, replace

from astragal.surfaces.shared.explained import parts_of
from astragal.surfaces.shared.sheets import pieces_of
from astragal.surfaces.web.forms.choices import Option
from astragal.surfaces.web.forms.form import Form, Widget, form_of
from astragal.surfaces.web.forms.odds import Picture, picture
from astragal.surfaces.web.session import SeatSession
from astragal.surfaces.web.story.rolls import Fields, card_of, faces_in
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
    given: Fields


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

        def term_in_place(match: re.Match[str]) -> str:
            name = match[1]
            return f" {terms[name]}" if name in terms else ""

        return PART.sub(term_in_place, self.shape.verb)

    @property
    def price(self) -> str:
        """Price that is paid before the roll; empty if there is none."""
        spends = self.picture.spends if self.picture else ()
        points = next((bar.words for bar in spends if bar.now), "0")
        return f"{points} {self.spends}" if points != "0" else ""

    def refused_with(self, refusal: Refusal, in_skin: Callable[[str], str]) -> Self:
        """Return the same card with each problem beside its input."""
        form = self.form.refused_with(refusal, in_skin)
        faults = {widget.name: widget.fault for widget in form.widgets}

        def marked(widgets: Iterable[Widget]) -> tuple[Widget, ...]:
            return tuple(replace(widget, fault=faults.get(widget.name, widget.fault)) for widget in widgets)

        return replace(self, form=form, first=marked(self.first), words=marked(self.words), change=marked(self.change))


def is_roll(session: SeatSession, command: str) -> bool:
    action = session.book.actions.get(command)
    return action is not None and action.gather is not None


def with_usual_values(shape: RollCard, given: Fields) -> dict[str, Any]:
    """Fill in the card's usual values, unless a given field says the same in another way; then remove them."""
    usual = dict(shape.usual)
    if any(given.get(name) not in (None, "") for name in shape.unless):
        return {name: value for name, value in given.items() if name not in usual or usual[name] != value}
    return {name: value for name, value in usual.items() if name not in given} | dict(given)


class Worded(NamedTuple):
    """The fields of a roll, with the words that it needs; and its preview, or why it is refused."""

    fields: dict[str, Any]
    preview: Preview | None
    refusal: Refusal | None


def worded(session: SeatSession, action: Action[Any, Any], fields: Fields, sight: Sight) -> Worded:
    """Preview a roll: as it is filled in, and if that is refused, with default words in place of missing ones.

    The default words are the card's; of a request, what it is for.
    """
    given = with_usual_values(card_of(action), fields)
    default_words = {name: session.in_skin(text) for name, text in card_of(action).words}
    request = _request_of(session, given)
    if request and request.what_for and default_words:
        default_words[next(iter(default_words))] = request.what_for
    with_words = default_words | {name: value for name, value in given.items() if value != ""}
    refusals: list[Refusal] = []
    for attempt in (given, with_words):
        try:
            return Worded(attempt, session.preview(action.name, attempt, sight), None)
        except DependsOnHidden as hidden:
            return Worded(attempt, None, hidden)
        except Refusal as refusal:
            refusals.append(refusal)
    without_words, last = refusals
    words_change_nothing = without_words.sentence == last.sentence
    return Worded(given if words_change_nothing else with_words, None, last)


def _request_of(session: SeatSession, given: Fields) -> Request | None:
    """Return the request that a roll meets."""
    return session.state.requests.get(str(given.get("request") or ""))


def ready_of(
    session: SeatSession,
    command: str,
    given: Fields,
    *,
    key: str = "new",
    sight: Sight = Sight.OPEN,
    wanted: str = "",
) -> Ready:
    """Return the card of a roll with these fields filled in. `wanted` is a chance whose price is asked for."""
    action = session.book.action(command)
    shape = card_of(action)
    request = _request_of(session, given)
    form = form_of(session, command, with_usual_values(shape, given))
    layout = _laid(session, action, form, given, request)
    _, preview, refusal = worded(session, action, layout.given, sight)
    layout = with_earlier_words(layout, preview.recalls if preview else {}, is_asked_for=request is not None)
    sentences = Sentences(shape, _known(layout, preview, request), session.state, session.teller)
    terms = parts_of(session.book, session.teller, preview) if preview else ()
    spends = session.teller.term(shape.spends)
    spent = layout.given.get(action.spend.field, 0) if action.spend else None
    return Ready(
        **asdict(layout),
        key=key,
        asks=sheet.asking(command, given.items()),
        form=replace(form, sight=sight),
        shape=shape,
        title=sentences.title,
        notes=sentences.notes,
        people=faces_in(sentences, session.state),
        stakes=_stakes(request, sentences),
        picture=picture(preview, spent, wanted) if preview and preview.cases else None,
        why="" if refusal is None or isinstance(refusal, BadFields) else refusal.sentence,
        lacks=refusal.field if refusal else "",
        is_stuck=not (layout.first or layout.words) and _is_stuck(refusal),
        said=_said(terms, action.command, layout.change),
        terms=terms,
        proposes=" and ".join(_labels(form, preview.proposes)) if preview else "",
        risks=preview.risks if preview else "",
        spends=spends if spends != shape.spends else shape.spends.capitalize(),
        held=_held(session, action, layout.given, preview),
    )


def _known(layout: FormLayout, preview: Preview | None, request: Request | None) -> dict[str, Any]:
    """Return what the sentences of a card can show. What is filled in counts more than what the request says."""
    recalls = preview.recalls if preview else {}
    known: dict[str, Any] = {}
    if preview:
        known |= plain(preview.arguments)
    known |= recalls
    if request:
        known |= request.fields
    known |= {name: value for name, value in layout.given.items() if value or name not in recalls}
    if request:
        known["what_for"] = request.what_for
    return {name: value for name, value in known.items() if value not in (None, "")}


def _stakes(request: Request | None, sentences: Sentences) -> str:
    """Return what a roll was asked for, unless its title or notes say it."""
    if request is None or request.what_for in " ".join((sentences.title, *sentences.notes)):
        return ""
    return request.what_for


def _held(session: SeatSession, action: Action[Any, Any], given: Fields, preview: Preview | None) -> str:
    """Return how many points the actor has to spend: as the game says it, else by the pips on the actor's sheet."""
    if preview and preview.held:
        return f"you have {preview.held}"
    actor = kind_of_command(action.command).actor or ""
    character = session.state.characters.get(str(given.get(actor) or ""))
    pieces = (pieces_of(session, character) or []) if character else []
    for piece in pieces:
        if isinstance(piece, Pips) and piece.label.casefold() == card_of(action).spends:
            return f"you have {piece.now}"
    return ""


def _laid(
    session: SeatSession, action: Action[Any, Any], form: Form, given: Fields, request: Request | None
) -> FormLayout:
    """Lay out a form. Fields settled by a click on a sheet, a request or the lack of a choice are sent, not shown."""
    shape = card_of(action)
    actor = kind_of_command(action.command).actor or ""
    widgets = {widget.name: widget for widget in form.widgets}
    who = str(given.get(actor) or (widgets[actor].value if actor in widgets else ""))
    if shape.target in widgets:
        widgets[shape.target] = _target(session, widgets[shape.target], who, str(given.get(shape.target) or ""))
    sent = with_usual_values(shape, given)
    for name, widget in widgets.items():  # of the choices that have to be made, the first of each
        has_to_be_made = widget.required or name == shape.target
        if widget.kind in ("fixed", "choice") and has_to_be_made and widget.value:
            sent[name] = widget.value
    settled = {name: str(widget.value) for name, widget in widgets.items() if widget.kind == "fixed" and widget.value}
    if given.get(actor):
        settled[actor] = str(given[actor])
    not_shown = {"request"}
    if request:
        settled["request"] = request.id
        settled |= {name: str(value) for name, value in request.fields.items()}
        not_shown |= {field.name for field in fields_of(action.command) if field.is_against}
    not_shown |= settled.keys()
    remaining = {name: widget for name, widget in widgets.items() if name not in not_shown}
    first = [remaining.pop(name) for name in (actor, shape.target, *shape.choose) if name in remaining]
    words: list[Widget] = []
    for place, (name, placeholder) in enumerate(shape.words):
        widget_of_words = remaining.pop(name, None)
        is_given_by_request = place == 0 and request is not None and request.what_for
        if widget_of_words and not is_given_by_request:
            words.append(replace(widget_of_words, doc=session.in_skin(placeholder), required=False))
    names = {field.name for field in fields_of(action.command)}
    return FormLayout(
        first=tuple(first),
        words=tuple(words),
        change=tuple(remaining.values()),
        kept=tuple((name, value) for name, value in settled.items() if name in names),
        given=sent,
    )


def _target(session: SeatSession, widget: Widget, who: str, chosen: str) -> Widget:
    """Return the choice of a roll's target: the first foe, unless another is chosen; never the actor."""
    characters = session.state.characters
    actor_is_hero = who not in characters or characters[who].seat is not None

    def is_friend(option: Option) -> bool:
        """Return whether it is played from the same side of the screen."""
        character = characters.get(option.value)
        return character is not None and (character.seat is not None) is actor_is_hero

    options = sorted((option for option in widget.options if option.value not in ("", who)), key=is_friend)
    values = [option.value for option in options]
    value = chosen if chosen in values else next(iter(values), "")
    return replace(widget, kind="choice", label="Whom", options=tuple(options), value=value)


def with_earlier_words(layout: FormLayout, recalls: Mapping[str, str], *, is_asked_for: bool) -> FormLayout:
    """Show words that were said before in their input; if a request asks for the roll, drop that input."""
    words = []
    for widget in layout.words:
        if widget.name not in recalls:
            words.append(widget)
        elif not is_asked_for:
            words.append(replace(widget, doc=recalls[widget.name]))
    return replace(layout, words=tuple(words))


def _is_stuck(refusal: Refusal | None) -> bool:
    """Return whether the roll is refused for another reason than an input."""
    return refusal is not None and not refusal.field and not isinstance(refusal, (BadFields, DependsOnHidden))


def _labels(form: Form, names: Sequence[str]) -> Iterator[str]:
    """Yield the labels of these inputs, as words in a sentence. Initials stay as they are."""
    for widget in form.widgets:
        if widget.name in names:
            yield widget.label if widget.label.isupper() else widget.label.lower()


def _said(terms: Sequence[tuple[str, str]], command: type, change: Iterable[Widget]) -> str:
    """Return the settings in force: the parts of the roll if they are few, else what was chosen."""
    if 0 < len(terms) <= MOST_TERMS:
        return ", ".join(f"{name} {value}" for name, value in terms)
    usual = {field.name: str(plain(field.default)) for field in fields_of(command)}
    choices: list[str] = []
    for widget in change:
        if str(widget.value) != usual.get(widget.name):
            choices += _chosen_in(widget)
    return ", ".join(choices) or USUAL


def _chosen_in(widget: Widget) -> list[str]:
    """Return what is chosen in an input, in words. Numbers and texts are not repeated."""
    if widget.kind == "several":
        return [in_words(value) for value in widget.chosen]
    if widget.kind == "switch":
        return [widget.label] if widget.value else []
    if widget.kind in ("choice", "line", "fixed"):
        return [option.words for option in widget.options if option.value and option.value == widget.value]
    return []
