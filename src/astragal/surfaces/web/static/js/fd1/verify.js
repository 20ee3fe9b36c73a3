// Reads a ledger from its first line, believes nothing, and says what was checked.

import { Fault } from "./faults.js";
import { firstHead, mustBeSealed, nextHead, obey, Standing } from "./rules.js";
import { toHex, utf8 } from "./sha256.js";
import { FIELDS, readLine } from "./shapes.js";

const CONSONANTS = "bdfghjklmnprstvz";
const VOWELS = "aiou";
const AT_ONCE = 200;

/** The first 64 bits of a head as four words that can be compared by voice. */
export function spoken(head) {
  const word = (bits) =>
    [[12, CONSONANTS], [10, VOWELS], [6, CONSONANTS], [4, VOWELS], [0, CONSONANTS]]
      .map(([shift, letters]) => letters[(bits >> shift) & (letters.length - 1)])
      .join("");
  return [0, 4, 8, 12].map((place) => word(Number.parseInt(head.slice(place, place + 4), 16))).join(" ");
}

/** A ledger read so far. */
class Reading {
  constructor(receipts) {
    this.standing = new Standing();
    this.seals = new Map();
    this.receipts = receipts;
    this.head = null;
    this.at = 0;
    this.agreed = 0;
    this.lost = []; // lines after a declared gap whose receipts differ
    this.dice = 0;
    this.paired = 0;
    this.witnessed = 0;
    this.counts = {};
    this.byCommand = new Map();
    this.tips = new Map(); // by source and number of earlier chains: the line that promised the chain
    this.promised = new Map(); // by line of a roll: how many lines before it its dice were promised
    this.late = []; // rolls with nothing but promises between them and the promise of their dice
    this.otherLine = 0; // the last line that is no promise
    this.gaps = []; // lines that declare a gap of all chains
  }

  take(text) {
    this.at = this.standing.lines;
    if (/[^ -~]/.test(text)) throw new Fault("malformed", "This line is not plain ASCII.");
    const fields = readLine(text);
    const kind = fields.get("t");
    const promise = this.promiseOf(kind, fields);
    obey(this.standing, fields);
    if (promise !== undefined) {
      this.promised.set(this.at, this.at - promise);
      if (promise > this.otherLine) this.late.push(this.at);
    }
    if (kind !== "tip" && kind !== "gap") this.otherLine = this.at;
    if (kind === "gap" && !fields.has("src")) this.gaps.push(this.at);
    if (kind === "genesis") this.head = firstHead(fields.get("table"));
    this.head = nextHead(this.head, utf8(text));
    this.checkSeals(kind, fields);
    this.checkReceipt();
    this.note(kind, fields, text);
  }

  /** Returns the line that promised the dice of this one, if it draws any. */
  promiseOf(kind, fields) {
    if (kind === "tip") this.tips.set(`${fields.get("src")} ${fields.get("renew") ?? 0}`, this.at);
    if (kind === "roll" && fields.get("dice").length && fields.get("links").length) {
      const [[src]] = fields.get("links");
      return this.tips.get(`${src} ${this.standing.sources.get(src)?.renewed}`);
    }
    if (kind === "ask" && this.standing.hidden.length) return this.tips.get(`${this.standing.hidden[0].src} 0`);
    return undefined;
  }

  checkSeals(kind, fields) {
    const seal = fields.get("seal") ?? fields.get("digest");
    if ((kind === "roll" || kind === "fact") && seal) this.seals.set(this.at, seal);
    if (kind !== "unseal") return;
    const sealed = this.seals.get(fields.get("line"));
    if (!sealed || typeof fields.get("req") !== "string") {
      throw new Fault("no-seal", `Line ${fields.get("line")} holds no seal that this text could open.`);
    }
    this.seals.delete(fields.get("line"));
    mustBeSealed(sealed, fields);
  }

  checkReceipt() {
    const kept = this.receipts.get(this.at);
    if (kept === undefined) return;
    if (kept === toHex(this.head)) {
      this.agreed += 1;
    } else if (this.standing.gap === null) {
      throw new Fault("receipt-differs", "A receipt that this browser kept of this line differs: what it was is not what it is.");
    } else {
      this.lost.push(this.at);
    }
  }

  note(kind, fields, text) {
    const counted = Object.hasOwn(FIELDS, kind) ? kind : "other";
    this.counts[counted] = (this.counts[counted] ?? 0) + 1;
    if (kind === "roll" || kind === "open") this.dice += fields.get("dice").length;
    if (kind === "roll" && fields.get("links").length > 1) this.paired += 1;
    if (kind === "answer") this.witnessed += 1;
    const command = fields.get("cmd");
    if (typeof command === "string") this.byCommand.set(command, [...(this.byCommand.get(command) ?? []), [this.at, text]]);
  }

  close() {
    if (this.standing.lines === 0) throw new Fault("no-genesis", "This ledger is empty.");
    this.standing.checkFacts();
  }

  unchecked() {
    const newer = [...this.receipts.keys()].filter((line) => line >= this.standing.lines);
    const { lost, standing } = this;
    return [
      newer.length && `sound up to line ${standing.lines - 1}, and this browser has seen later ones (line ${Math.max(...newer)})`,
      lost.length && `what this browser saw of line ${lost.join(", ")} is lost or was rewritten: line ${standing.gap} declares a gap`,
    ].filter(Boolean);
  }

  report(fault = null) {
    return {
      sound: fault === null && !this.unchecked().length,
      unchecked: this.unchecked(),
      fault: fault && { line: this.at, code: fault.code, why: fault.message },
      lines: this.standing.lines,
      head: this.head === null ? "" : toHex(this.head),
      seeded: this.standing.seeded,
      facts: this.standing.facts,
      dice: this.dice,
      promised: this.promised,
      late: this.late,
      gaps: this.gaps,
      paired: this.paired,
      witnessed: this.witnessed,
      counts: this.counts,
      unopened: [...this.standing.asks.keys()],
      receipts: this.agreed,
      byCommand: this.byCommand,
    };
  }
}

/** Checks every line of a ledger's text, and every receipt (a Map of line numbers to heads). */
export async function verify(text, receipts = new Map(), progress = () => {}) {
  const reading = new Reading(receipts);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  try {
    for (const [place, line] of lines.entries()) {
      reading.take(line);
      if (place % AT_ONCE === AT_ONCE - 1) {
        progress(place + 1, lines.length);
        await new Promise((go) => setTimeout(go)); // let the page breathe
      }
    }
    reading.close();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return reading.report(fault);
  }
  progress(lines.length, lines.length);
  return reading.report();
}
