"""What a model's commands do: once for each intent, nothing that is a person's, and no secret told along the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from astragal.storage import open_store
from astragal.surfaces.mcp import elicitation, results
from astragal.surfaces.mcp.execute import NOT_YET, Asked, CommandRunner
from astragal.surfaces.mcp.session import McpSession, SeatBinding
from astragal.surfaces.shared.context import AppContext
from astragal.table.declarations import Sight
from astragal.table.log.repository import Outcome
from astragal.table.refusals import Refusal
from tests.surfaces.cli.daring import DARING
from tests.table.seated import LaidOnce, ScriptedDice, Seated, new_host


def at_the_cliff(folder: Path, **opening: Any) -> Seated:
    """The AI runs the game beside Ann, who plays Kira; Bo plays Lund."""
    dice = ScriptedDice()
    host = new_host(open_store(f"sqlite:///{folder}/tables.db"), dice, (DARING,))
    opened = host.open("dare", name="The Cliff", game_master="AI", ai=True, **opening)
    seated = Seated(host, opened.table, opened.seat, dice, {"AI": opened.seat})
    for name, hero in (("Ann", "Kira"), ("Bo", "Lund")):
        seated.sit(name)
        seated.act(name, "join", name=hero)
    return seated


class Model:
    """A model at the table: its runner, and its commands in short."""

    def __init__(self, seated: Seated, binding: SeatBinding | None = None, *, open_secrets: bool = False) -> None:
        self.seated = seated
        house = AppContext(seated.host, seated.host._repository.store)  # noqa: SLF001 - as the program wires them
        self.session = McpSession(house, open_secrets=open_secrets)
        self.session.sit(binding or SeatBinding(seated.table, seated.game_master, person=seated.seats["Ann"]))
        self.runner = CommandRunner(self.session)

    def asked(self, command: str, /, sight: Sight = Sight.OPEN, intent: str = "", **fields: Any) -> Asked:
        return Asked(command, fields, sight, intent)

    def does(self, command: str, /, *faces: int, sight: Sight = Sight.OPEN, intent: str = "", **fields: Any) -> Outcome:
        self.seated.dice.faces += faces
        return self.runner.perform(self.asked(command, sight, intent, **fields))

    def told(self, outcome: Outcome) -> results.Done:
        return self.runner.done(outcome)

    def refusal(self, command: str, /, **fields: Any) -> Refusal:
        with pytest.raises(Refusal) as refused:
            self.does(command, **fields)
        return refused.value


@pytest.fixture
def seated(laid_once: LaidOnce) -> Seated:
    return laid_once(at_the_cliff)


@pytest.fixture
def model(seated: Seated) -> Model:
    return Model(seated)


# ---------------------------------------------------------------- once for each intent


def test_a_command_that_asks_a_person_is_the_same_until_they_have_decided(model: Model) -> None:
    first = model.does("dare", 2, who="Kira", danger=4)
    assert model.runner.waits_of(first)
    model.seated.act("Bo", "say", words="Well?")
    assert model.does("dare", who="Kira", danger=4).act == first.act
    model.seated.act("Ann", "answer", act=first.act, answer=2)
    model.session.look_again()
    assert model.does("dare", 6, who="Kira", danger=4).act != first.act


def test_what_waits_no_more_is_forgotten_when_its_call_is_over(model: Model) -> None:
    first = model.does("dare", 2, who="Kira", danger=4)
    model.runner.settle(model.asked("dare", who="Kira", danger=4))
    model.seated.act("Bo", "say", words="Well?")
    with pytest.raises(Refusal) as refused:
        model.does("dare", who="Kira", danger=4)
    assert refused.value.code == "still_deciding"
    assert first.act in model.session.look().decisions


def test_settling_what_names_something_that_is_gone_is_no_fault(model: Model) -> None:
    model.runner.settle(model.asked("dare", who="Nobody", danger=4))


def test_another_sight_or_intent_is_another_command(model: Model) -> None:
    acts = [
        model.does("dare", 6, who="Kira", danger=4).act,
        model.does("dare", 6, who="Kira", danger=4, intent="again").act,
        model.does("dare", 6, who="Kira", danger=4, intent="once more").act,
        model.does("dare", 6, who="Kira", danger=4, sight=Sight.HIDDEN).act,
    ]
    assert len(set(acts)) == 4


def repeats(model: Model, outcome: Outcome) -> bool:
    return any("same test" in warning for warning in model.told(outcome).warnings)


def test_a_test_rolled_again_after_nothing_but_talk_is_pointed_out_once(model: Model) -> None:
    first = model.does("dare", 6, who="Kira", danger=4)
    assert not repeats(model, first)
    model.does("say", words="Hm.")
    again = model.does("dare", 6, who="Kira", danger=4)
    assert again.act != first.act
    assert model.runner.done().warnings == []
    told = model.told(again)
    assert told.warnings == [f"The same test was just rolled: act {first.act}. Other words make it no other test."]
    assert model.told(again).warnings == []


def test_the_same_outcome_again_is_no_repeated_test(model: Model) -> None:
    first = model.does("dare", 6, who="Kira", danger=4)
    again = model.does("dare", who="Kira", danger=4)
    assert again.act == first.act
    assert not repeats(model, again)


def test_another_test_or_one_after_something_else_happened_is_no_repeated_test(model: Model) -> None:
    model.does("dare", 6, who="Kira", danger=4)
    assert not repeats(model, model.does("dare", 6, who="Kira", danger=5))
    model.does("start_clock", name="Doom", size=4)
    assert not repeats(model, model.does("dare", 6, who="Kira", danger=5))


# ---------------------------------------------------------------- what is not a model's to do


def test_commands_with_a_tool_of_their_own_are_not_taken(model: Model) -> None:
    for command, advice in (
        ("answer", "Use the tool answer."),
        ("answer_prompt", "Use the tool answer."),
        ("narrate", "Use the tool narrate, which takes citations."),
        ("agree", "A person says yes, in their own window."),
    ):
        refusal = model.refusal(command, consent="nothing of that name")
        assert refusal.code == "not_allowed"
        assert refusal.sentence.endswith(advice)


def test_a_proposal_that_waits_for_a_person_is_no_models_to_agree_to(model: Model) -> None:
    model.does("dare", 6, who="Kira", danger=4)
    model.does("undo")
    (consent,) = model.session.look().consents
    for command in ("agree", "answer"):
        assert model.refusal(command, consent=consent).sentence.startswith(f"act does not take {command}. ")
    assert consent in model.session.look().consents


def test_what_names_nobody_there_is_refused_as_that(model: Model) -> None:
    assert model.refusal("dare", who="Nobody").code == "no_such_thing"


def test_what_is_grave_is_proposed_and_the_model_is_told_to_wait(model: Model) -> None:
    model.does("dare", 6, who="Kira", danger=4)
    proposed = model.does("undo")
    assert model.told(proposed).warnings == [NOT_YET]
    said = model.does("say", words="Hm.")
    assert model.runner.done(said, proposed).warnings == [NOT_YET]
    assert model.session.look().game.dares == 1
    assert model.told(model.does("say", words="Meanwhile.")).warnings == []


def test_a_persons_yes_in_a_form_is_theirs(model: Model) -> None:
    model.does("dare", 6, who="Kira", danger=4)
    outcome = model.runner.perform(Asked("undo", {}, agreed=model.seated.seats["Ann"]))
    assert outcome.events[-1].words == "Ann agreed: undo the last command"
    assert model.told(outcome).warnings == []


def test_a_roll_is_given_only_on_the_question_that_was_shown(model: Model) -> None:
    with pytest.raises(Refusal) as refused:
        model.runner.perform(Asked("dare", {"who": "Kira", "danger": 4}, shown="another question"))
    assert refused.value.code == "question_changed"


# ---------------------------------------------------------------- secrets


HELD_BACK = "The mayor paid the thieves with the temple's own silver."


@pytest.fixture
def keeper(model: Model) -> Model:
    """A model that keeps a secret in a note."""
    model.seated.act("AI", "write_note", title="The mayor", words=HELD_BACK, audience="game master")
    model.session.look_again()
    return model


def test_a_secret_is_told_in_no_words_for_all(keeper: Model) -> None:
    for command, fields in (
        ("say", {"words": HELD_BACK}),
        ("write_note", {"title": "Hint", "words": HELD_BACK}),
        ("write_note", {"title": "Hint", "words": HELD_BACK, "audience": "all"}),
    ):
        assert keeper.refusal(command, **fields).code == "secret", command


def test_a_secret_may_be_written_where_not_all_can_read_it(keeper: Model) -> None:
    for command, fields in (
        ("whisper", {"to": [keeper.seated.seats["Bo"]], "words": HELD_BACK}),
        ("write_note", {"title": "Again", "words": HELD_BACK, "audience": "game master"}),
        ("put_prompt", {"to": "Kira", "words": HELD_BACK, "secret": True}),
    ):
        assert keeper.does(command, **fields).events


def test_a_secret_may_be_in_words_that_are_out_of_sight(keeper: Model) -> None:
    assert keeper.does("say", words=HELD_BACK, sight=Sight.SECRET).act
    assert HELD_BACK not in str(keeper.seated.words("Ann"))


def test_a_prompt_for_all_to_read_tells_no_secret(keeper: Model) -> None:
    assert keeper.refusal("put_prompt", to="Kira", words=HELD_BACK, secret=False).code == "secret"
    assert keeper.refusal("put_prompt", to="Kira", words=HELD_BACK).code == "secret"


def draft(keeper: Model, hook: str) -> str:
    outcome = keeper.seated.act("AI", "write_scene", title="The gate", hook=hook, action="", consequence="")
    keeper.session.look_again()
    return str(outcome.events[0].fields["scene"])


def test_a_scene_that_tells_a_secret_does_not_begin(keeper: Model) -> None:
    assert keeper.refusal("begin_scene", scene=draft(keeper, HELD_BACK)).code == "secret"
    assert keeper.does("begin_scene", scene=draft(keeper, "The gate is shut.")).events


# ---------------------------------------------------------------- answering


def waiting(model: Model) -> results.Waits:
    model.session.look_again()
    return elicitation.open_wait(model.session, "")


def test_a_model_does_not_decide_for_the_person_beside_it(model: Model) -> None:
    act = model.does("dare", 2, who="Kira", danger=4).act
    with pytest.raises(Refusal, match=r"Kira decides that\. This client shows no forms") as refused:
        model.runner.answer_said(act, 2)
    assert refused.value.code == "not_yours"
    question = model.runner.answer_said(act, None)
    assert isinstance(question, elicitation.QuestionForModel)
    assert question.question.startswith("Kira decides: ")


def test_a_model_does_not_decide_for_somebody_at_another_window(model: Model) -> None:
    act = model.does("dare", 2, who="Lund", danger=4).act
    for answer in (2, None):
        with pytest.raises(Refusal, match="Lund decides that, in their own window") as refused:
            model.runner.answer_said(act, answer)
        assert refused.value.code == "not_yours"


def test_a_model_decides_for_its_own(model: Model) -> None:
    model.does("join", name="Guard")
    act = model.does("dare", 2, who="Guard", danger=4).act
    question = model.runner.answer_said(act, None)
    assert isinstance(question, elicitation.QuestionForModel)
    outcome = model.runner.answer_said(act, 2)
    assert isinstance(outcome, Outcome)
    assert outcome.act == act
    assert not model.session.look().decisions


def test_what_the_person_chose_in_a_form_is_logged_as_theirs(model: Model) -> None:
    model.does("dare", 2, who="Kira", danger=4)
    outcome = model.runner.answer(waiting(model), 2, by_person=True)
    assert next(event.by for event in outcome.events if event.name == "decided") == model.seated.seats["Ann"]


def test_a_form_about_somebody_elses_is_answered_from_the_models_own_seat(model: Model) -> None:
    model.does("join", name="Guard")
    model.does("dare", 2, who="Guard", danger=4)
    outcome = model.runner.answer(waiting(model), 2, by_person=True)
    assert next(event.by for event in outcome.events if event.name == "decided") == model.seated.game_master


def test_words_for_a_prompt_may_come_from_the_person_or_be_marked(model: Model) -> None:
    model.does("put_prompt", to="Kira", words="What do you fear?")
    model.runner.answer(waiting(model), "Water", by_person=True)
    model.does("put_prompt", to="Kira", words="What do you hope?")
    outcome = model.runner.answer_said(waiting(model).id, "Nothing")
    assert isinstance(outcome, Outcome)
    told = model.seated.words("Bo")
    assert "Kira: Water" in told
    assert told[-1] == "Kira: Nothing (AI answered for Ann)"


def test_a_co_pilot_proposes_and_decides_nothing_of_the_persons(seated: Seated) -> None:
    ann = seated.seats["Ann"]
    model = Model(seated, SeatBinding(seated.table, ann, person=ann, copilot=True, bound=True))
    act = model.does("dare", 2, who="Kira", danger=4).act
    for answer in (2, None):
        with pytest.raises(Refusal, match="A co-pilot proposes") as refused:
            model.runner.answer_said(act, answer)
        assert refused.value.code == "not_allowed"
    model.runner.answer(waiting(model), 2, by_person=True)
    assert not model.session.look().decisions


def test_dice_thrown_by_hand_are_entered_by_no_tool(tmp_path: Path) -> None:
    seated = at_the_cliff(tmp_path, house={"hand_dice": True})
    model = Model(seated)
    fields = {"who": next(iter(seated.look("Ann").characters)), "danger": 4}
    act = seated.host.act(seated.table, seated.seats["Ann"], ("dare", fields), by_hand=True).act
    with pytest.raises(Refusal, match="Dice thrown by hand are entered by whoever threw them") as refused:
        model.runner.answer_said(act, 6)
    assert refused.value.code == "not_allowed"
    assert act in model.session.look().decisions


def test_what_waits_for_the_person_is_found_by_its_roll_or_its_prompt(model: Model) -> None:
    roll = model.does("dare", 2, who="Kira", danger=4)
    prompt = model.does("put_prompt", to="Kira", words="Why?")
    others = model.does("put_prompt", to="Lund", words="And you?")
    assert [model.runner.waits_of(outcome) is not None for outcome in (roll, prompt, others)] == [True, True, False]
    waits_for_roll, waits_for_prompt = model.runner.waits_of(roll), model.runner.waits_of(prompt)
    assert waits_for_roll is not None
    assert waits_for_roll.id == roll.act
    assert waits_for_prompt is not None
    assert waits_for_prompt.what == "Why?"


# ---------------------------------------------------------------- telling


def test_a_hidden_roll_is_told_by_its_handle_alone(model: Model) -> None:
    outcome = model.does("dare", 6, who="Kira", danger=4, sight=Sight.HIDDEN)
    told = model.told(outcome)
    assert told.handle == f"act:{outcome.act}"
    assert "6" not in " ".join(event.words for event in told.events)
    assert all(event.dice == [] for event in told.events)


def test_a_secret_roll_is_told_by_its_handle_alone(model: Model) -> None:
    outcome = model.does("dare", 6, who="Kira", danger=4, sight=Sight.SECRET)
    assert model.told(outcome).handle == f"act:{outcome.act}"
    assert model.told(outcome).events == []


def test_an_open_roll_needs_no_handle_and_what_was_kept_has_its_own(model: Model) -> None:
    outcome = model.does("dare", 6, who="Kira", danger=4)
    told = model.told(outcome)
    assert (told.act, told.handle) == (outcome.act, "")
    assert [event.kind for event in told.events] == ["rolled", "dared", "done_on_ai_word"]
    assert model.runner.done(outcome, handle="note:1").handle == "note:1"
    assert model.runner.done(outcome, warnings=("Mind the step.",)).warnings == ["Mind the step."]


def test_several_outcomes_are_told_once_each(model: Model) -> None:
    roll = model.does("dare", 2, who="Kira", danger=4)
    decided = model.runner.answer(waiting(model), 2, by_person=True)
    told = model.runner.done(roll, decided)
    assert told.act == roll.act
    acts = [event.kind for event in told.events]
    assert acts == list(dict.fromkeys(acts))
    assert model.runner.done().act == ""
    assert model.runner.done().handle == ""
