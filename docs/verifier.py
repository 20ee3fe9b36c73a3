"""Checks a ledger of FD1 dice, from what fair-dice.md says alone: python verifier.py LEDGER [RECEIPTS]."""

# fmt: off
# mypy: ignore-errors
# ruff: noqa: E401, E701, I001, INP001, PTH123, SIM115, T201 (sixty lines, to be read in one go)
import collections, hashlib, hmac, json, sys
counts, left, last = collections.Counter(), collections.Counter(), {}  # by source: tips, links left, last link shown
hidden, asks, seals, head = [], {}, {}, None  # hidden tips not yet taken, hidden rolls not yet opened, seals by line
receipts = {x["line"]: x["head"] for name in sys.argv[2:] for x in map(json.loads, open(name, "rb"))}

def must(holds, why): return holds or sys.exit(f"Line {at} fails: {why}.")
def digest(tag, *parts):
    raw = (part if isinstance(part, bytes) else bytes.fromhex(part) for part in parts)
    return hashlib.sha256(b"FD1-" + tag + b"\0" + b"".join(raw)).hexdigest()
def spend(links, sources):
    must([src for src, _ in links] == sources, f"the links are not those of {sources}")
    for src, link in links:
        must(left[src] and digest(b"link", src.encode(), b"\0", link) == last[src], f"not the next link of {src}")
        last[src], left[src] = link, left[src] - 1
    return [link for _, link in links]
def check_dice(x, links):
    key = bytes.fromhex(digest(b"key", *links))
    blocks = (hmac.digest(key, j.to_bytes(4, "big"), "sha256") for j in range(2**32))
    words = (int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(0, 32, 4))
    must(x["dice"] == [next(1 + w % m for w in words if w < 2**32 - 2**32 % m) for m in x["sides"]], "the dice differ")

for at, line in enumerate(open(sys.argv[1], "rb").read().removesuffix(b"\n").split(b"\n")):
    x = json.loads(line)
    t, src, by, ask = x["t"], x.get("src", ""), x.get("by"), asks.get(x.get("ask"))
    must(json.dumps(x, sort_keys=True, separators=(",", ":")).encode() == line, "it is not in FD1's spelling")
    head = digest(b"head", head or digest(b"genesis", x["table"].encode()), line)
    must(receipts.pop(at, head) == head, "a receipt differs")
    counts[t], seals[at] = counts[t] + 1, x.get("seal", x.get("digest")) if t in ("roll", "fact") else None
    if t == "tip" and (scene := src.rpartition("-")[0]).startswith("s:gm-"):
        hidden, counts[scene] = [*hidden, x], counts[scene] + 1
        must(src == f"{scene}-{counts[scene]}" and "renew" not in x, "the hidden tips are out of order")
    elif t == "tip":
        must(x.get("renew", 0) == counts[src] and not left[src], f"{src} was re-seeded")
        counts[src], left[src], last[src] = counts[src] + 1, 4096, x["tip"]
    elif t == "roll":
        server, own = "s:gm-open" if by == "gm" else f"s:{by}", f"u:{by}"
        check_dice(x, spend(x["links"], [server, own] if own in last else [server]))
    elif t == "ask": asks[at] = hidden.pop(0) | x | {"links": None if x["with"] else []}
    elif t in ("answer", "void"):
        must(ask and ask["links"] is None, "this hidden roll does not wait for an answer")
        asks[x["ask"]] = ask | {"links": spend(x["links"], ask["with"])} if t == "answer" else None
    elif t == "open":
        sealed, ask = json.loads(x["req"])["sides"], asks.pop(x["ask"])
        must(digest(b"seal", x["salt"], x["req"].encode()) == ask["seal"], "this was not sealed")
        must(digest(b"link", ask["src"].encode(), b"\0", x["link"]) == ask["tip"], "this link was not promised")
        must(x["sides"][: len(sealed)] == sealed and ask["links"] is not None, "other dice sealed, or unanswered")
        check_dice(x, [x["link"], *ask["links"]])
    elif t == "unseal": must(digest(b"seal", x["salt"], x["req"].encode()) == seals[x["line"]], "this was not sealed")
    elif t == "rewind": must(x["n"] == counts[t], "a rewind is missing")
    elif t == "gap":
        must(not src.startswith("s:"), "the server loses all its chains or none")
        hidden, last = hidden if src else [], {s: last[s] for s in last if src not in ("", s)}
        left = collections.Counter({s: left[s] for s in last})
must(not receipts and counts["genesis"] == 1, "receipts tell of lines that are not here, or the ledger begins twice")
print(f"Sound, with head {head}: {dict(counts)}. Hidden rolls not opened: {[n for n in asks if asks[n]]}.")
