"""Wording that every part of the program has in common."""


def capitalised(words: str) -> str:
    """Words with a capital first letter; the others stay as they are."""
    return words[:1].upper() + words[1:]


def in_words(name: str) -> str:
    """A name from a definition, as people read it: `roll_dice` is “Roll dice”, `make_npc` is “Make NPC”."""
    return capitalised(" ".join("NPC" if word == "npc" else word for word in name.replace("_", " ").strip().split(" ")))


def signed(number: int) -> str:
    """A number with its sign, and a minus that looks like one: +2, −1, 0."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")
