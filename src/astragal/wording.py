"""Text formatting shared by every part of the program."""


def capitalised(words: str) -> str:
    """Capitalise the first letter and leave the others as they are."""
    return words[:1].upper() + words[1:]


def in_words(name: str) -> str:
    """Turn a name from a definition into words for people: `roll_dice` is “Roll dice”, `make_npc` is “Make NPC”."""
    return capitalised(" ".join("NPC" if word == "npc" else word for word in name.replace("_", " ").strip().split(" ")))


def signed(number: int) -> str:
    """Format a number with its sign, and a minus that looks like one: +2, −1, 0."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")
