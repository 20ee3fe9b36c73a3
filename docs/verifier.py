"""Check FD1 dice. Written from fd1.md alone; it needs nothing but Python.

    python verifier.py FILE [RECEIPTS …]      FILE is a ledger, or the export of a player's seat

It prints its verdict, and ends with a code:
0  sound: everything was checked, and it holds
1  broken: something does not hold; the first such thing is printed
3  sound as far as it goes: what was checked holds, and what could not be checked is printed
"""

# mypy: ignore-errors
# ruff: noqa: INP001, PTH123, SIM115

import base64
import hashlib
import hmac
import json
import re
import sys
from collections import Counter
from itertools import groupby

LINKS = 4096
RENEWED_WITHIN = 8


class Broken(Exception):
    """Something does not hold."""


def must(holds, why):
    if not holds:
        raise Broken(why)


# ---------------------------------------------------------------- spelling, hashes, dice


def spelled(value):
    """JSON in the one spelling."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def read(text):
    """Read JSON in any spelling. A key that stands twice could be read in two ways."""

    def each_key_once(pairs):
        must(len(dict(pairs)) == len(pairs), "a key stands twice in an object")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=each_key_once)


def sha256(tag, *parts):
    """SHA-256 of a tag and of parts, which are bytes or hexadecimal."""
    raw = [part if isinstance(part, bytes) else bytes.fromhex(part) for part in parts]
    return hashlib.sha256(b"FD1-" + tag + b"\0" + b"".join(raw)).hexdigest()


def after(src, link):
    """The link of a chain that was spent before this one, or the chain's tip."""
    return sha256(b"link", src.encode(), b"\0", link)


def dice_of(links, sides):
    """The faces that links give for dice of these sides."""
    key = bytes.fromhex(sha256(b"key", *links))
    words = words_of(key)
    return [next(1 + word % m for word in words if word < 2**32 - 2**32 % m) for m in sides]


def words_of(key):
    for j in range(2**32):
        block = hmac.digest(key, j.to_bytes(4, "big"), "sha256")
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


# ---------------------------------------------------------------- the ledger


class Ledger:
    """A ledger, read line by line. What a line says is held against the lines before it."""

    def __init__(self, lines):
        self.lines = []
        self.heads = []  # the head after each line
        self.table = ""
        self.facts = False  # does every command leave a fact?
        self.views = False  # does every fact seal what each seat was shown?
        self.counts = Counter()
        self.tips = Counter()  # by source, or by scene for hidden rolls: how many tips it has published
        self.left = Counter()  # by source: how many links are left
        self.last = {}  # by source: the last link shown, or the tip
        self.following = {}  # by source: the tip of the chain that follows its last link
        self.hidden = []  # tips of hidden rolls not yet taken
        self.asks = {}  # by line: hidden rolls not yet opened
        self.seals = {}  # by line: what a roll or a fact sealed
        self.owing = None  # the line of dice whose command has not left its fact yet
        self.gap = None  # the line of the last gap of all chains
        self.promises = {}  # by tip: its line
        self.chains = {}  # by source: the tip of its present chain
        self.promised = {}  # by line of a roll: how many lines before it its dice were promised
        for self.at in range(len(lines)):
            try:
                self.take(lines[self.at])
            except Broken as broken:
                raise Broken(f"Line {self.at} fails: {broken}") from broken
            except (AttributeError, LookupError, TypeError, ValueError) as fault:
                raise Broken(f"Line {self.at} fails: it is not written as FD1 says ({fault!r})") from fault
        must(not self.facts or self.owing is None, f"Line {self.owing} fails: no fact says what came of it")

    def take(self, line):
        """Check the next line."""
        x = read(line)
        must(spelled(x) == line, "it is not in FD1's spelling")
        must(self.at > 0 or x["t"] == "genesis", "a ledger begins with its genesis")
        rule = getattr(self, "rule_" + x["t"], None)
        if rule:
            rule(x)
        before = self.heads[-1] if self.heads else sha256(b"genesis", self.table.encode())
        self.heads.append(sha256(b"head", before, line))
        self.lines.append(x)
        self.seals[self.at] = x.get("seal", x.get("digest")) if x["t"] in ("roll", "fact") else None
        self.counts[x["t"]] += 1

    def spend(self, links, sources):
        """Spend the next link of each of these sources, and of no other."""
        must([src for src, _ in links] == sources, f"the links are not those of {sources}")
        for src, link in links:
            must(self.left[src] and after(src, link) == self.last[src], f"this is not the next link of {src}")
            self.last[src] = link
            self.left[src] -= 1
            self.follow(src)
        return [link for _, link in links]

    def follow(self, src):
        """Begin the chain that was promised next, if no link of the present one is left."""
        if not self.left[src] and src in self.following:
            self.chains[src] = self.last[src] = self.following.pop(src)
            self.left[src] = LINKS

    def owe_fact(self):
        """Dice fell, or were asked for: a fact comes before any other dice."""
        must(not self.facts or self.owing is None, f"no fact says what came of line {self.owing}")
        self.owing = self.at

    def rule_genesis(self, x):
        must(self.at == 0 and x["v"] == "FD1", "a ledger begins with its genesis, once")
        self.table = x["table"]
        self.facts = "facts" in x
        self.views = "views" in x

    def rule_tip(self, x):
        src = x["src"]
        self.promises[x["tip"]] = self.at
        scene = src.rpartition("-")[0]
        if scene.startswith("s:gm-"):
            self.tips[scene] += 1
            must(src == f"{scene}-{self.tips[scene]}" and "renew" not in x, "the hidden tips are out of order")
            self.hidden.append(x)
            return
        may_renew = self.left[src] <= RENEWED_WITHIN and src not in self.following
        must(x.get("renew", 0) == self.tips[src] and may_renew, f"{src} was re-seeded")
        self.tips[src] += 1
        self.following[src] = x["tip"]
        self.follow(src)

    def rule_roll(self, x):
        server = "s:gm-open" if x["by"] == "gm" else f"s:{x['by']}"
        own = f"u:{x['by']}"
        if x["dice"]:
            self.promised[self.at] = self.at - self.promises.get(self.chains.get(server), self.at)
        links = self.spend(x["links"], [server, own] if own in self.last else [server])
        must(x["dice"] == dice_of(links, x["sides"]), "the dice differ from those of the links")
        if x["dice"]:
            self.owe_fact()

    def rule_ask(self, x):
        self.owe_fact()
        must(self.hidden, "no tip of a hidden roll is left")
        promise = self.hidden.pop(0)
        self.promised[self.at] = self.at - self.promises[promise["tip"]]
        self.asks[self.at] = {**promise, **x, "links": None if x["with"] else []}

    def rule_answer(self, x):
        ask = self.asks.get(x["ask"])
        must(ask and ask["links"] is None, "this hidden roll does not wait for an answer")
        self.owe_fact()
        ask["links"] = self.spend(x["links"], ask["with"])

    def rule_void(self, x):
        ask = self.asks.pop(x["ask"], None)
        must(ask and ask["links"] is None, "this hidden roll does not wait for an answer")

    def rule_open(self, x):
        ask = self.asks.pop(x["ask"], None)
        must(ask and ask["links"] is not None, "this hidden roll was not decided, or is open already")
        must(sha256(b"seal", x["salt"], x["req"].encode()) == ask["seal"], "this is not what was sealed")
        sealed = read(x["req"])["sides"]
        must(sealed or not ask["with"] or not self.facts, "the seal of a witnessed roll names no dice")
        must(x["sides"][: len(sealed)] == sealed, "other dice were sealed")
        must(after(ask["src"], x["link"]) == ask["tip"], "this link was not promised")
        must(x["dice"] == dice_of([x["link"], *ask["links"]], x["sides"]), "the dice differ from those of the links")

    def rule_fact(self, _):
        self.owing = None

    def rule_unseal(self, x):
        seal = self.seals[x["line"]]
        must(sha256(b"seal", x["salt"], x["req"].encode()) == seal, "this is not what was sealed")

    def rule_rewind(self, x):
        must(x["n"] == self.counts["rewind"] + 1, "a rewind is missing")

    def rule_gap(self, x):
        src = x.get("src", "")
        must(not src.startswith("s:"), "the server loses all its chains or none")
        if src:
            lost = [src]
        else:
            lost = list(self.last)
            self.hidden = []
            self.gap = self.at
        for source in lost:
            self.last.pop(source, None)
            self.left.pop(source, None)
            self.following.pop(source, None)

    def drawn(self):
        """Yield the dice of each roll, with the line of the fact that says what came of them."""
        fact_of = {}
        asked = {}
        fact = None
        for number in reversed(range(len(self.lines))):
            fact = number if self.lines[number]["t"] == "fact" else fact
            fact_of[number] = fact
        for number, x in enumerate(self.lines):
            if x["t"] in ("roll", "entered") and x["dice"]:
                yield fact_of[number], x["sides"], x["dice"]
            elif x["t"] == "ask":
                asked[number] = fact_of[number]
            elif x["t"] == "answer":
                asked[x["ask"]] = fact_of[number]
            elif x["t"] == "open":
                yield asked[x["ask"]], x["sides"], x["dice"]


def check_receipts(ledger, receipts):
    """Hold receipts against the heads of the ledger; yield what that could not check."""
    last = len(ledger.lines) - 1
    own = [receipt for receipt in receipts if receipt.get("table", ledger.table) == ledger.table]
    if len(own) < len(receipts):
        yield "there are receipts of another table, which were not compared"
    if newer := [receipt for receipt in own if receipt["line"] > last]:
        yield f"sound up to line {last}, and there are receipts of {len(newer)} later ones"
    for receipt in own:
        line = receipt["line"]
        if line <= last and ledger.heads[line] != receipt["head"]:
            is_lost = ledger.gap is not None and ledger.gap <= line
            must(is_lost, f"Line {line} fails: a receipt of it differs")
            yield f"a receipt of line {line} differs: line {ledger.gap} declares that something was lost"


# ---------------------------------------------------------------- a seat's export

DIE = {"sides", "face", "by", "fate", "source"}
WITHHELD = {"withheld": True}
FILE = {"astragal", "format", "table", "seat", "events", "proofs", "facts", "views", "ledger", "receipt"}
EVENT = {"name", "version", "at", "act", "fields", "unproved"}


def parts_within(value):
    """The parts of a value, by name or number; None if it is sealed as a whole, as dice and plain lists are."""
    if isinstance(value, dict) and value:
        return list(value.items())
    if isinstance(value, list) and value and all(isinstance(item, dict) and set(item) != DIE for item in value):
        return list(enumerate(value))
    return None


def spell_path(whole, part):
    """`event.scene.options[0].title`"""
    if isinstance(part, int):
        return f"{whole}[{part}]"
    if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", part):
        return f"{whole}.{part}"
    return f"{whole}[{json.dumps(part)}]"


def spell_path_as_before(whole, part):
    """`event.scene.options.0.title`, in facts without views."""
    return f"{whole}.{part}"


def values_in(shown, path, spelling):
    """Yield the values shown, each with the path of the place where it stands in the file."""
    inside = parts_within(shown)
    if inside is None:
        yield path, shown
        return
    is_list = isinstance(shown, list)
    must(not is_list or shown[-1] != WITHHELD, f"{path} ends with something withheld, which nothing proves")
    for name, part in inside:
        if not (is_list and part == WITHHELD):  # the place of an item that the seat may not see
            yield from values_in(part, spelling(path, name), spelling)


def leaf(value, path, salt, text=""):
    """The leaf of a value; of free text, the digest is sealed, and `text` is its salt, or it itself once forgotten."""
    if text and value == "…" and len(text) == 64:
        value = "\ue000" + text
    elif text:
        value = "\ue000" + hashlib.sha256(bytes.fromhex(text) + value.encode()).hexdigest()
    return sha256(b"leaf", salt, path.encode(), b"\0", spelled(value))


class SeatFile:
    """What a seat was shown, held against the ledger in the same file."""

    def __init__(self, file, ledger):
        self.file = file
        self.ledger = ledger
        self.pairs = list(zip(file["events"], file["proofs"], strict=True))
        self.views = {int(line): view for line, view in file["views"].items()}
        self.opened = {line for view in self.views.values() for line in view["opens"]}
        self.sealed = {}  # by line of a fact: the digests that it seals
        self.counts = Counter()
        must(set(file) - {"pictures"} == FILE, "the file holds something that no program writes")
        must(file["table"] == ledger.table, "the file and its ledger are of two tables")
        own = {"line": len(ledger.lines) - 1, "head": ledger.heads[-1]}
        must(file["receipt"] == own, "the receipt in the file is not that of its last line")
        self.open_facts()
        self.open_views()
        self.check_order([self.digest_of(number) for number in range(len(self.pairs))])
        self.check_seat()
        self.check_dice()
        self.check_pictures()

    def open_facts(self):
        for number, fact in self.file["facts"].items():
            must(set(fact) == {"salt", "text"}, f"the fact of line {number} is not written as any program writes it")
            must(self.ledger.lines[int(number)]["t"] == "fact", f"line {number} of the ledger is no fact")
            seal = sha256(b"seal", fact["salt"], fact["text"].encode())
            must(seal == self.ledger.seals[int(number)], f"this is not what line {number} of the ledger sealed")
            self.sealed[int(number)] = read(fact["text"])

    def open_views(self):
        """A view is among the digests of its fact: what the seat was shown of a command, in order."""
        for line, view in self.views.items():
            path = ("opened." if line in self.opened else "view.") + view["seat"]
            digest = leaf([view["shown"], view["opens"]], path, view["salt"])
            must(digest in self.sealed[line], f"line {line} of the ledger did not seal that this is what was shown")
        for line, x in enumerate(self.ledger.lines):
            if self.ledger.views and x["t"] == "fact":
                must(line in self.views, f"what the seat was shown of line {line} of the ledger is missing")

    def digest_of(self, number):
        """The digest of an event, which must be among those that its fact sealed."""
        event, proof = self.pairs[number]
        here = f"event {number + 1} ({event.get('name')})"
        if proof is None:
            must(not self.ledger.facts, f"{here}: nothing in the ledger stands for it")
            self.counts["unsealed"] += 1
            return None
        line = proof["line"]
        if "withheld" in event:
            must(set(event) == {"withheld"}, f"{here}: an event that is withheld shows nothing")
            digest = event["withheld"]
            self.counts["withheld"] += 1
        else:
            must(set(event) - {"by", "sight", "hides"} == EVENT, f"{here}: it holds what no program writes")
            if line in self.views:
                self.check_complete(event, proof, here)
            digest = self.entry_digest(event, proof, here)
            self.counts["proved"] += 1
        must(digest in self.sealed[line], f"{here}: it is not what line {line} of the ledger sealed")
        return digest

    def entry_digest(self, event, proof, here):
        spelling = spell_path if proof["line"] in self.views else spell_path_as_before
        values = [("entry", [event["name"], event["version"], event["at"], event["act"]])]
        values += [(name, event[name]) for name in ("by", "sight", "hides") if name in event]
        if event["fields"] or "event" in proof["values"]:
            values += values_in(event["fields"], "event", spelling)
        leaves = {}
        for path, value in values:
            must(path in proof["values"], f"{here}: its {path} is not proved")
            leaves[path] = leaf(value, path, *proof["values"][path])
        if "open" in proof["values"]:  # seals the leaves that everybody is shown
            for_all = [leaves[path] for path in leaves if path not in proof.get("beyond", [])]
            leaves["open"] = leaf(sha256(b"open", *sorted(for_all)), "open", *proof["values"]["open"])
        self.counts["in part"] += bool(proof["others"])
        return sha256(b"entry", *sorted([*leaves.values(), *proof["others"]]))

    def check_complete(self, event, proof, here):
        """What is not closed says who gave the command, shows its dice, and all that everybody is shown."""
        is_closed = event.get("sight") != "open" and proof["line"] not in self.opened
        self.counts["incomplete"] += not is_closed and "open" not in proof["values"]
        for name in ["sight"] if is_closed else ["by", "sight", "hides"]:
            must(name in event, f"{here}: its {name} is left out")
        must(not (is_closed and event["fields"]), f"{here}: it was not opened, and shows something")
        must(is_closed or event["name"] != "rolled" or "dice" in event["fields"], f"{here}: its dice are left out")

    def check_order(self, digests):
        """Events come in the order of their facts, and those of each as its view has them."""
        shown = {line: [] for line in self.views}
        placed = [(proof, digest) for (_, proof), digest in zip(self.pairs, digests, strict=True) if proof]
        before = -1
        for line, group in groupby(placed, key=lambda pair: pair[0]["line"]):
            must(line > before, f"the events of line {line} of the ledger stand in the wrong place")
            before = line
            of_line = list(group)
            must(len({digest for _, digest in of_line}) == len(of_line), f"an event of line {line} stands here twice")
            shown[line] = [digest for proof, digest in of_line if not proof.get("later")]
            self.counts["later"] += len(of_line) - len(shown[line])
        for line, view in self.views.items():
            must(shown[line] == view["shown"], f"the events of line {line} are not those that the seat was shown")

    def check_seat(self):
        """Before its seat was taken, a seat is shown what any newcomer would be; from then on, its own view."""
        seat = self.file["seat"]
        taken = [
            proof["line"]
            for event, proof in self.pairs
            if proof and event.get("name") == "seat_taken" and event["fields"].get("seat", {}).get("id") == seat
        ]
        must(len(taken) == 1 or not self.ledger.views, f"nothing shows when seat {seat} was taken")
        for line, view in self.views.items():
            whose = seat if not taken or line >= taken[0] else ""
            must(view["seat"] == whose, f"what is shown of line {line} of the ledger is another seat's view of it")

    def check_dice(self):
        """The dice of an event are those that the ledger drew for it."""
        rolled = {}
        for event, proof in self.pairs:
            if proof and event.get("name") == "rolled" and "dice" in event["fields"]:
                rolled.setdefault(proof["line"], [(die["sides"], die["face"]) for die in event["fields"]["dice"]])
        for line, sides, dice in self.ledger.drawn():
            drawn = list(zip(sides, dice, strict=True))
            must(rolled.get(line, drawn) == drawn, f"the dice of line {line} of the ledger are not those drawn")

    def check_pictures(self):
        fields = [event.get("fields", {}) for event, _ in self.pairs]
        named = [value for shown in fields for _, value in values_in(shown, "event", spell_path)]
        for digest, picture in self.file.get("pictures", {}).items():
            is_so = hashlib.sha256(base64.b64decode(picture)).hexdigest() == digest
            must(is_so and digest in named, "a picture is not one that an event names")

    def unchecked(self):
        if self.counts["unsealed"]:
            yield f"{self.counts['unsealed']} events are older than the facts of this table, and not proved"
        if not self.ledger.views:
            yield "an older program began this table: the order and the number of all its events are not proved"
        if self.counts["incomplete"]:
            yield f"values are left out of {self.counts['incomplete']} events, which everybody was shown"
        if self.counts["withheld"]:
            yield f"{self.counts['withheld']} events are left out, which the seat saw and may not see any more"
        if self.counts["later"]:
            yield f"{self.counts['later']} events are shown that the seat was not shown when they happened"


class FirstSeatFile:
    """A seat's export in format 1: values are proved, but not the number, the order or the sight of events."""

    def __init__(self, file, ledger):
        must(file["table"] == ledger.table, "the file and its ledger are of two tables")
        self.file = file
        self.ledger = ledger
        self.counts = Counter()
        if not ledger.facts and "proofs" not in file and "facts" not in file:  # from before facts were sealed
            self.counts["unsealed"] = len(file["events"])
            return
        gaps = sum(x["t"] == "gap" and "src" not in x for x in ledger.lines)
        for number, (event, proof) in enumerate(zip(file["events"], file["proofs"], strict=True), start=1):
            here = f"event {number} ({event.get('name')})"
            if proof is None and event["name"] == "restored" and not event["opened"]:
                self.counts["restored"] += 1  # no fact seals it, as it comes from outside: a gap stands for it
                must(self.counts["restored"] <= gaps, f"{here}: no line of the ledger declares a gap for it")
                continue
            must(proof or not ledger.facts, f"{here}: nothing in the ledger stands for it")
            self.counts["proved" if proof else "unsealed"] += 1
            if proof:
                self.check(event, proof, here)

    def check(self, event, proof, here):
        values = [("entry", [event["name"], proof["version"], event["at"], event["act"]])]
        values += [] if event["closed"] or not event["by"] else [("by", event["by"])]
        values += values_in(event["fields"], "event", spell_path_as_before)
        leaves = list(proof["others"])
        moved = {}  # by list: the stored place of each item, as a list may be shown without some of them
        for at, value in values:
            must(at in proof["values"] or value in ([], {}), f"{here}: its {at} is not proved")
            if at in proof["values"]:
                path, *salts = proof["values"][at]
                self.check_place(at, path, moved, here)
                leaves.append(leaf(value, path, *salts))
        for places in moved.values():
            stored = [places[place] for place in sorted(places)]
            must(stored == sorted(set(stored)), f"{here}: items of a list were exchanged")
        fact = self.file["facts"][str(proof["line"])]
        seal = sha256(b"seal", fact["salt"], fact["text"].encode())
        must(seal == self.ledger.seals[proof["line"]], f"{here}: this was not sealed")
        must(sha256(b"entry", *sorted(leaves)) in read(fact["text"]), f"{here}: it is not what was sealed")
        for opened, under in zip(event["opened"], proof["opened"], strict=True):
            must(opened["act"] == event["fields"].get("act"), f"{here}: it opens another command than it says")
            self.check(opened, under, here)

    def check_place(self, at, path, moved, here):
        """A value stands where its proof says, but for numbers of items, which may be larger."""
        shown, stored = at.split("."), path.split(".")
        must(len(shown) == len(stored), f"{here}: the proof of {at} is that of {path}")
        for depth, (name, sealed) in enumerate(zip(shown, stored, strict=True)):
            is_item = name.isdigit() and sealed.isdigit() and int(sealed) >= int(name)
            must(is_item or name == sealed, f"{here}: the proof of {at} is that of {path}")
            if is_item:
                places = moved.setdefault(".".join(shown[:depth]), {})
                must(places.setdefault(int(name), int(sealed)) == int(sealed), f"{here}: items of a list were mixed")

    def unchecked(self):
        yield "an older program wrote this file: whose closed rolls were, the order and the number are not proved"


# ---------------------------------------------------------------- the verdict


def receipts_in(text):
    """Read receipts, in any spelling of JSON: one after the other, in a list, or the one in a seat's export."""
    receipts = []
    while text := text.strip():
        value, length = json.JSONDecoder().raw_decode(text)
        text = text[length:]
        for receipt in value if isinstance(value, list) else [value]:
            is_export = "receipt" in receipt
            receipts.append({**receipt["receipt"], "table": receipt["table"]} if is_export else receipt)
    return receipts


def verify(text, receipts=()):
    """Check a file; return its exit code and what to print. Raises `Broken`."""
    first = read(text.split(b"\n")[0] if text.startswith(b'{"') else text)
    if first.get("astragal") == "table":
        raise Broken("this is a whole table: astragal verify reads those")
    is_seat = first.get("astragal") == "view"
    lines = [line.encode() for line in first["ledger"]] if is_seat else text.removesuffix(b"\n").split(b"\n")
    ledger = Ledger(lines)
    said = []
    unchecked = list(check_receipts(ledger, receipts))
    if is_seat:
        must(first["format"] in (1, 2), "the file was written by a newer program")
        try:
            seat = (FirstSeatFile if first["format"] == 1 else SeatFile)(first, ledger)
        except (AttributeError, LookupError, TypeError, ValueError) as fault:
            raise Broken(f"the file is not as any program writes it ({fault!r})") from fault
        unchecked += seat.unchecked()
        counts = seat.counts
        said.append(f"{counts['proved']} of {len(first['events'])} events that this seat saw are proved.")
        said.append(f"Of {counts['in part']} of them, values are withheld from the seat.")
        said.append("Unproved: what stands under “unproved”, which a program wrote beside the values.")
    if ledger.promised:
        said.append(f"Dice were promised {min(ledger.promised.values())} lines before each roll, or more.")
    closed = list(ledger.asks)
    said.append(f"Head {ledger.heads[-1]}: {dict(ledger.counts)}. Hidden rolls not opened: {closed}.")
    if unchecked:
        return 3, [f"Sound as far as it goes: {'; '.join(unchecked)}.", *said]
    return 0, ["Sound.", *said]


def main():
    receipts = [receipt for name in sys.argv[2:] for receipt in receipts_in(open(name, encoding="utf-8").read())]
    try:
        code, said = verify(open(sys.argv[1], "rb").read(), receipts)
    except Broken as broken:
        sys.exit(f"{str(broken)[:1].upper()}{str(broken)[1:]}.")
    sys.stdout.write("\n".join([*said, ""]))
    sys.exit(code)


if __name__ == "__main__":
    main()
