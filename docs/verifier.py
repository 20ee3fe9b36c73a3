"""Checks FD1 dice, from what fd1.md says alone: python verifier.py LEDGER [RECEIPTS], or a player's export."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa: B007, E401, E701, I001, INP001, PTH123, SIM115, T201 (to be read in one go)
import collections, hashlib, hmac, json, sys
counts, left, last, following = collections.Counter(), collections.Counter(), {}, {}
# by source: tips, links left, last link shown, and the tip of the chain that follows
hidden, asks, seals, head = [], {}, {}, None  # hidden tips not yet taken, hidden rolls not yet opened, seals by line
owing = None  # the line of dice whose command has not left its fact yet
receipts = {x["line"]: x["head"] for name in sys.argv[2:] for x in map(json.loads, open(name, "rb"))}

def must(holds, why): return holds or sys.exit(f"Line {at} fails: {why}.")
def digest(tag, *parts):
    raw = (part if isinstance(part, bytes) else bytes.fromhex(part) for part in parts)
    return hashlib.sha256(b"FD1-" + tag + b"\0" + b"".join(raw)).hexdigest()
def follow(src):
    if not left[src] and src in following: last[src], left[src] = following.pop(src), 4096
def spend(links, sources):
    must([src for src, _ in links] == sources, f"the links are not those of {sources}")
    for src, link in links:
        must(left[src] and digest(b"link", src.encode(), b"\0", link) == last[src], f"not the next link of {src}")
        last[src], left[src] = link, left[src] - 1
        follow(src)
    return [link for _, link in links]
def check_dice(x, links):
    key = bytes.fromhex(digest(b"key", *links))
    blocks = (hmac.digest(key, j.to_bytes(4, "big"), "sha256") for j in range(2**32))
    words = (int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(0, 32, 4))
    must(x["dice"] == [next(1 + w % m for w in words if w < 2**32 - 2**32 % m) for m in x["sides"]], "the dice differ")

def spelled(value): return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
def owe_fact():
    must(owing is None or not facts, f"no fact says what came of line {owing}")
    return at

lines = open(sys.argv[1], "rb").read().removesuffix(b"\n").split(b"\n")
seen = json.loads(lines[0])
lines = [line.encode() for line in seen["ledger"]] if seen.get("astragal") == "view" else lines
facts = "facts" in json.loads(lines[0])  # does every command leave a fact?
for at, line in enumerate(lines):
    x = json.loads(line)
    t, src, by, ask = x["t"], x.get("src", ""), x.get("by"), asks.get(x.get("ask"))
    must(spelled(x) == line, "it is not in FD1's spelling")
    head = digest(b"head", head or digest(b"genesis", x["table"].encode()), line)
    must(receipts.pop(at, head) == head, "a receipt differs")
    counts[t], seals[at] = counts[t] + 1, x.get("seal", x.get("digest")) if t in ("roll", "fact") else None
    if t == "tip" and (scene := src.rpartition("-")[0]).startswith("s:gm-"):
        hidden, counts[scene] = [*hidden, x], counts[scene] + 1
        must(src == f"{scene}-{counts[scene]}" and "renew" not in x, "the hidden tips are out of order")
    elif t == "tip":
        must(x.get("renew", 0) == counts[src] and left[src] <= 8 and src not in following, f"{src} was re-seeded")
        counts[src], following[src] = counts[src] + 1, x["tip"]
        follow(src)
    elif t == "roll":
        server, own = "s:gm-open" if by == "gm" else f"s:{by}", f"u:{by}"
        check_dice(x, spend(x["links"], [server, own] if own in last else [server]))
        owing = owe_fact() if x["dice"] else owing
    elif t == "ask": owing, asks[at] = owe_fact(), hidden.pop(0) | x | {"links": None if x["with"] else []}
    elif t == "fact": owing = None
    elif t in ("answer", "void"):
        must(ask and ask["links"] is None, "this hidden roll does not wait for an answer")
        asks[x["ask"]] = ask | {"links": spend(x["links"], ask["with"])} if t == "answer" else None
        owing = owe_fact() if t == "answer" else owing
    elif t == "open":
        sealed, ask = json.loads(x["req"])["sides"], asks.pop(x["ask"])
        must(digest(b"seal", x["salt"], x["req"].encode()) == ask["seal"], "this was not sealed")
        must(digest(b"link", ask["src"].encode(), b"\0", x["link"]) == ask["tip"], "this link was not promised")
        must(sealed or not ask["with"] or not facts, "a witnessed roll whose seal names no dice")
        must(x["sides"][: len(sealed)] == sealed and ask["links"] is not None, "other dice sealed, or unanswered")
        check_dice(x, [x["link"], *ask["links"]])
    elif t == "unseal": must(digest(b"seal", x["salt"], x["req"].encode()) == seals[x["line"]], "this was not sealed")
    elif t == "rewind": must(x["n"] == counts[t], "a rewind is missing")
    elif t == "gap":
        must(not src.startswith("s:"), "the server loses all its chains or none")
        hidden, last = hidden if src else [], {s: last[s] for s in last if src not in ("", s)}
        left = collections.Counter({s: left[s] for s in last})
        following = {s: following[s] for s in following if s in last}
owe_fact()
must(not receipts and counts["genesis"] == 1, "receipts tell of lines that are not here, or the ledger begins twice")

def flat(value, path):  # the values inside a value; dice, and lists of plain values, are one
    die = {"sides", "face", "by", "fate", "source"}
    if isinstance(value, dict) and value: inside = value.items()
    elif isinstance(value, list) and value and all(isinstance(x, dict) and set(x) != die for x in value):
        inside = enumerate(value)
    else: return [(path, value)]
    return [found for name, one in inside for found in flat(one, f"{path}.{name}")]
def leaf(value, path, salt, text=""):
    if text and value == "…": value = "\ue000" + text
    elif text: value = "\ue000" + hashlib.sha256(bytes.fromhex(text) + value.encode()).hexdigest()
    return digest(b"leaf", salt, path.encode(), b"\0", spelled(value))
def check_seen(event, proof):
    outside = [("entry", [event["name"], proof["version"], event["at"], event["act"]]), ("by", event["by"])]
    values, leaves = [*outside[: 1 if event["closed"] else 2], *flat(event["fields"], "event")], list(proof["others"])
    for where, value in values:
        must(where in proof["values"] or value in ([], {}), f"{where} is not proved")
        leaves += [leaf(value, *proof["values"][where])] if where in proof["values"] else []
    fact = seen["facts"][str(proof["line"])]
    must(digest(b"seal", fact["salt"], fact["text"].encode()) == seals[proof["line"]], "this was not sealed")
    must(digest(b"entry", *sorted(leaves)) in json.loads(fact["text"]), f"not what line {proof['line']} sealed")
    for one, under in zip(event["opened"], proof["opened"], strict=True): check_seen(one, under)

events = list(zip(seen.get("events", []), seen.get("proofs", []), strict=True))
for at, (event, proof) in enumerate(events):
    must(proof or not facts, "nothing in the ledger stands for this event")
    if proof: check_seen(event, proof)
if events: print(f"{sum(bool(proof) for _, proof in events)} of {len(events)} events that this seat saw are proved.")
print(f"Sound, with head {head}: {dict(counts)}. Hidden rolls not opened: {[n for n in asks if asks[n]]}.")
