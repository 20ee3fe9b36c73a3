"""Chapters that every table has, whatever game is played: their commands, events and reactions."""

from collections.abc import Mapping

from astragal.table.chapters.calendar import CALENDAR
from astragal.table.chapters.cast import ENTERING, FATES
from astragal.table.chapters.chains import CHAINS
from astragal.table.chapters.chat import CHAT, FREE_DICE
from astragal.table.chapters.clocks import CLOCKS
from astragal.table.chapters.conditions import CONDITIONS
from astragal.table.chapters.drafts import DRAFTS
from astragal.table.chapters.notes import NOTES
from astragal.table.chapters.oracle import MOVES, ORACLE
from astragal.table.chapters.pictures import PICTURES
from astragal.table.chapters.prompts import PROMPTS, REQUESTS
from astragal.table.chapters.safety import SAFETY
from astragal.table.chapters.scenes import SCENES
from astragal.table.chapters.seats import SEATS
from astragal.table.commands.builtin import CONSENTS

SHARED = (
    SEATS,
    ENTERING,
    CHAINS,
    CONSENTS,
    SAFETY,
    CHAT,
    FREE_DICE,
    NOTES,
    PICTURES,
    PROMPTS,
    REQUESTS,
    DRAFTS,
    SCENES,
    CALENDAR,
    FATES,
    CONDITIONS,
    CLOCKS,
    MOVES,
    ORACLE,
)
"""Four more chapters are made from each ruleset: requests for a roll (with its named difficulties), overrides (of the
numbers that it lets be overridden), sample heroes, and moves (dealt from what is open in its chapters).
"""


EVERYDAY: Mapping[str, str] = {
    "answer": "decide, choose, react, reply",
    "withdraw": "cancel, take back, call off",
    "reveal": "show, unhide, open, uncover",
    "mark_save_node": "save, checkpoint, bookmark",
    "rewind": "go back, load, retcon, time travel",
    "undo": "oops, mistake, revert, back, take back",
    "agree": "yes, accept, allow, approve",
    "decline": "no, refuse, reject, deny",
    "take_seat": "add player, invite, new player, join",
    "leave_seat": "leave, kick, remove player, quit",
    "hand_over": "new game master, gm, change gm",
    "rename_seat": "rename, nickname, my name",
    "name_stand_in": "absent, away, substitute",
    "give_character": "assign, hand out, whose hero, control",
    "promise_chain": "fair dice, own dice, proof",
    "declare_chain_lost": "lost chain, fair dice",
    "keep_sealed": "keep hidden, keep secret",
    "agree_boundary": "safety, line, veil, limit, consent, x-card",
    "lift_boundary": "safety, remove line, remove veil",
    "stop_scene": "x-card, x, pause, halt, safety, break",
    "go_on": "resume, continue, unpause, ready",
    "say": "talk, speak, chat, tell, message",
    "whisper": "secret message, private, pm, dm, /w",
    "emote": "act, does, gesture, /me",
    "narrate": "tell, describe, story, describe the scene",
    "roll_dice": "dice, throw, /roll, /r, d20, 2d6, free roll",
    "write_note": "note, secret, handout, journal, write down",
    "reveal_note": "show note, share, hand out, publish",
    "remove_note": "delete note, erase",
    "put_prompt": "ask, question, what do you do",
    "answer_prompt": "reply, respond",
    "edit_answer": "correct, rephrase",
    "withdraw_prompt": "cancel question",
    "withdraw_request": "cancel roll, never mind",
    "write_scene": "new scene, prepare, prep, plan",
    "discard_scene": "delete scene, throw away",
    "begin_scene": "start scene, next scene, go to",
    "improvise_scene": "new scene, open a scene, start scene",
    "end_scene": "close scene, cut, finish scene",
    "take_option": "choose way, go, leave, exit",
    "open_option": "show way, reveal way, hidden way",
    "begin_evening": "start, start session, begin session, play",
    "end_evening": "stop playing, end session, finish, good night",
    "begin_encounter": "fight, combat, battle, chase, initiative",
    "end_encounter": "end fight, end combat, peace",
    "rest": "sleep, camp, recover, short rest, long rest",
    "pass_day": "next day, tomorrow, time passes, night",
    "record_fate": "dead, death, kill, retire, gone, died",
    "begin_condition": "status, effect, poisoned, blind, prone, curse",
    "end_condition": "remove status, cure, end effect",
    "start_clock": "countdown, timer, progress, new clock",
    "tick_clock": "advance clock, progress, timer, countdown",
    "untick_clock": "turn back clock, timer back",
    "show_clock": "reveal clock, share clock",
    "remove_clock": "delete clock, stop timer",
    "request_roll": "ask for a roll, call for a check, make them roll, test",
    "override": "set number, change, fix, edit, by hand, cheat, hp",
    "take_sample": "pregen, ready hero, pick hero, character",
    "set_portrait": "picture, face, avatar, image, token",
    "write_handout": "letter, map, picture, prop, prepare, image",
    "show_handout": "reveal, picture, letter, map, hand out, share",
    "remove_handout": "delete handout, picture, letter",
    "remove_picture": "delete picture, image, take away, forget photograph",
    "set_scene_picture": "plate, image, background, scene art",
    "ask_oracle": "yes or no, question, fate, solo, random, chance",
    "draw_twist": "random event, surprise, solo, idea, complication",
    "who_appears": "random npc, stranger, encounter, who is it, name",
    "deal_move": "idea, stuck, random, inspiration, what happens",
}
"""Search keywords of each command: words or phrases, separated by commas."""
