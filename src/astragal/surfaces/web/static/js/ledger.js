// The public ledger of a table, read and checked by this browser itself: it trusts only what the lines prove.

import { Fault } from "./fd1/faults.js";
import { firstHead, nextHead, obey, Standing } from "./fd1/rules.js";
import { fromHex, toHex, utf8 } from "./fd1/sha256.js";
import { readLine } from "./fd1/shapes.js";
import { keepReceipt } from "./receipts.js";

const AT_ONCE = 200;

/** The state of the ledger after everything that was read of it, with each line checked by the rules. */
export class Followed {
  constructor(table, address) {
    this.table = table;
    this.address = address;
    this.place = `ledger/${table}`;
    this.goOn();
  }

  get sources() {
    return this.standing.sources;
  }

  /** Resumes where this browser stopped, if it has read this ledger before. */
  goOn() {
    try {
      const { head, before, ...plain } = JSON.parse(localStorage.getItem(this.place));
      this.head = fromHex(head);
      this.before = fromHex(before);
      this.standing = Standing.fromPlain(plain);
    } catch {
      this.anew();
    }
  }

  anew() {
    this.head = firstHead(this.table);
    this.before = null;
    this.standing = new Standing();
  }

  /** Reads on to the end; from the beginning, if the last line is no longer what it was. */
  async read() {
    const known = Math.max(this.standing.lines - 1, 0);
    let lines = await this.linesAfter(known);
    if (this.before !== null && !(lines.length && this.isLast(lines.shift()))) {
      this.anew();
      lines = await this.linesAfter(0);
    }
    if (lines.length) await this.takeAll(lines);
  }

  async linesAfter(count) {
    const answer = await fetch(`${this.address}?after=${count}`, { headers: { Accept: "application/jsonl" } });
    if (!answer.ok) throw new Fault("unread", `The ledger could not be read: the server answered ${answer.status}.`);
    return (await answer.text()).split("\n").filter(Boolean);
  }

  isLast(line) {
    return toHex(nextHead(this.before, utf8(line))) === toHex(this.head);
  }

  async takeAll(lines) {
    try {
      for (const [place, line] of lines.entries()) {
        this.take(line);
        if (place % AT_ONCE === AT_ONCE - 1) await new Promise((go) => setTimeout(go)); // keep the page responsive
      }
    } catch (fault) {
      this.anew();
      throw fault;
    }
    this.keep();
  }

  take(line) {
    if (/[^ -~]/.test(line)) throw new Fault("malformed", "A line of the ledger is not plain ASCII.");
    const fields = readLine(line);
    if (this.standing.lines === 0 && fields.get("table") !== this.table) {
      throw new Fault("no-genesis", "This is another table's ledger.");
    }
    obey(this.standing, fields);
    this.before = this.head;
    this.head = nextHead(this.head, utf8(line));
  }

  keep() {
    const [head, before] = [toHex(this.head), toHex(this.before)];
    keepReceipt(this.table, this.standing.lines - 1, head);
    try {
      localStorage.setItem(this.place, JSON.stringify({ head, before, ...this.standing.toPlain() }));
    } catch {
      // storage is full: next time it is read from the beginning
    }
  }
}
