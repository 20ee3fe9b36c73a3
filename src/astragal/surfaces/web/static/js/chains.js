// A seat's own chains, stored in this browser: paired with its rolls, or as a witness of hidden ones.
//
// Their secret never leaves this browser. A link is stored before it is sent, is sent only for a ledger that this
// browser has checked itself, and is the same for the same command until the ledger shows it.

import { linkOf, newSeed } from "./fd1/chain.js";
import { Fault } from "./fd1/faults.js";
import { linkAfter, LINKS } from "./fd1/rules.js";
import { Followed } from "./ledger.js";
import { chainKey } from "./chain_storage.js";
import { keepReceipt } from "./receipts.js";

export const PAIRED = "paired";
const WITNESS = "witness";

/** States of a chain, as this browser knows it. */
export const NONE = "none";
export const HERE = "here";
export const UNSEEN = "unseen"; // a link went out, and the ledger does not show it
export const ELSEWHERE = "elsewhere";

const randomName = () => newSeed().slice(0, 16);

/** A refusal of the server: a stable code, and a sentence for the player. */
class Refused extends Error {
  constructor(code, sentence) {
    super(sentence);
    this.code = code;
  }
}

let before = Promise.resolve();

/** Runs work one at a time in this window, and in all windows if the browser has locks (not over plain http). */
function alone(name, work) {
  const turn = () => (navigator.locks ? navigator.locks.request(name, work) : work());
  const mine = before.then(turn, turn);
  before = mine.catch(() => {});
  return mine;
}

/** A seat at a table, with the ledger that its chains are checked against. */
export class Seat {
  constructor(table, seat, base) {
    this.table = table;
    this.seat = seat;
    this.address = `${base}/api/tables/${table}`;
    this.ledger = new Followed(table, `${this.address}/ledger`);
    this.paired = new OwnChain(this, PAIRED, `u:${seat}`);
    this.witness = new OwnChain(this, WITNESS, `w:${seat}`);
  }

  get chains() {
    return [this.paired, this.witness];
  }

  /** The server's chain that this seat's open rolls are drawn from. */
  get server() {
    return this.seat === "gm" ? "s:gm-open" : `s:${this.seat}`;
  }

  alone(work) {
    return alone(`astragal-chains/${this.table}/${this.seat}`, work);
  }

  /** Reads the ledger to its end, and renews what has to be. */
  readOn() {
    return this.alone(async () => {
      await this.ledger.read();
      for (const chain of this.chains) await chain.renewIfDue();
    });
  }

  /** Gives a command that rolls nothing. */
  async command(name, fields) {
    const answer = await fetch(`${this.address}/commands/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Refused(said.code, said.sentence);
    if (said.receipt) keepReceipt(this.table, said.receipt.line, said.receipt.head);
  }
}

/** One chain of a seat. */
class OwnChain {
  constructor(seat, kind, src) {
    Object.assign(this, { seat, kind, src, place: chainKey(seat.table, src) });
  }

  // ---------------------------------------------------------------- storage

  get kept() {
    try {
      return JSON.parse(localStorage.getItem(this.place));
    } catch {
      return null;
    }
  }

  get isKept() {
    return this.kept !== null;
  }

  keep(kept) {
    const text = JSON.stringify(kept);
    if (!isWritten(this.place, text)) {
      throw new Fault("not-kept", "This browser doesn't store data for this page, so it can't keep a chain. Check its settings.");
    }
  }

  forget() {
    localStorage.removeItem(this.place);
  }

  // ---------------------------------------------------------------- state

  get shown() {
    return this.seat.ledger.sources.get(this.src);
  }

  /** The chain's state, compared with the ledger as it was last read. */
  get state() {
    const { kept, shown } = this;
    if (!shown || shown.broken) return NONE;
    if (kept === null) return ELSEWHERE;
    const last = linkOf(this.src, kept.seed, kept.spent);
    if (shown.last === last) return HERE;
    return kept.spent && shown.last === linkAfter(this.src, last) ? UNSEEN : ELSEWHERE;
  }

  get isUsedUp() {
    return this.shown?.spent === LINKS;
  }

  // ---------------------------------------------------------------- promising and giving up

  /** Makes a chain, stores it, and publishes its tip. */
  promise() {
    return this.seat.alone(async () => {
      await this.seat.ledger.read();
      await this.promiseNow();
    });
  }

  async promiseNow() {
    const { kept, shown } = this;
    if (shown && !shown.broken && !this.isUsedUp) throw new Fault("promised", "A chain of this seat is promised already.");
    const renewed = shown ? shown.renewed + 1 : 0;
    const isReady = kept !== null && kept.spent === 0 && kept.renewed === renewed; // its promise was lost on the way
    const chain = isReady ? kept : { seed: newSeed(), spent: 0, renewed };
    this.keep(chain);
    await this.seat.command("promise_chain", { kind: this.kind, tip: linkOf(this.src, chain.seed, 0), renew: renewed });
    await this.seat.ledger.read();
  }

  /** Declares in public that the chain is lost or given up. From then on the seat has none. */
  giveUp() {
    return this.seat.alone(async () => {
      await this.seat.command("declare_chain_lost", { kind: this.kind });
      this.forget();
      await this.seat.ledger.read();
    });
  }

  /** Replaces a chain that is used up, or that a gap in the ledger has broken. */
  async renewIfDue() {
    const { shown } = this;
    if (!this.isKept || !shown) return;
    if (shown.declared) this.forget(); // it was given up, here or on another device
    else if (shown.broken || (this.isUsedUp && this.state === HERE)) {
      await this.promiseNow();
    }
  }

  // ---------------------------------------------------------------- links

  /** Returns the link for this reason: the same one again, or the next if the ledger shows the last. */
  take(reason, sent = null) {
    const { kept } = this;
    if (kept === null) throw new Fault(ELSEWHERE, "This browser does not have the chain.");
    if (kept.reason !== reason) {
      const { state } = this;
      if (state !== HERE) throw new Fault(state, "The ledger does not show the chain as this browser left it.");
      if (this.kind === PAIRED) this.seat.ledger.standing.usable(this.seat.server);
      this.keep({ ...kept, spent: kept.spent + 1, reason, sent });
    }
    const { seed, spent } = this.kept;
    return linkOf(this.src, seed, spent);
  }

  /** Sends a request that rolls, with the next link. `request` is as `fetch` takes it, with a form as its body. */
  send(action, request) {
    return this.seat.alone(async () => {
      await this.seat.ledger.read();
      await this.renewIfDue();
      const body = new URLSearchParams(request.body);
      const asked = askedIn(action, body);
      const again = this.kept?.sent;
      if (again && this.state === UNSEEN && askedIn(again.action, new URLSearchParams(again.body)) === asked) {
        return this.post(again, request);
      }
      if (!body.get(".id")) body.set(".id", randomName());
      const sent = { action, body: body.toString() };
      this.take(`the command ${body.get(".id")}`, sent);
      return this.post(sent, request);
    });
  }

  /** Repeats the request that the last link was sent with. */
  sendAgain() {
    return this.seat.alone(async () => {
      const answer = await this.post(this.kept.sent, { method: "POST", headers: { "HX-Request": "true" } });
      await this.seat.ledger.read();
      return answer;
    });
  }

  post({ action, body }, request) {
    const { seed, spent } = this.kept;
    const whole = new URLSearchParams(body);
    whole.set(".link", linkOf(this.src, seed, spent));
    return fetch(action, { ...request, body: whole });
  }

  /** Adds a link to every hidden roll that waits for one, in their order. */
  answerAll() {
    return this.seat.alone(async () => {
      await this.seat.ledger.read();
      await this.renewIfDue();
      for (const [line, ask] of [...this.seat.ledger.standing.asks]) {
        if (!ask.witnesses.includes(this.src) || ask.links !== null || ask.lapsed) continue;
        await this.answer(ask.cmd, this.take(`the ask of line ${line}, ${ask.seal}`));
        await this.seat.ledger.read();
      }
    });
  }

  async answer(act, link) {
    try {
      await this.seat.command("answer", { act, answer: link });
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault; // answered already; other witnesses have not
    }
  }
}

function isWritten(place, text) {
  try {
    localStorage.setItem(place, text);
    return localStorage.getItem(place) === text;
  } catch {
    return false;
  }
}

/** Formats a request without the inputs of the form itself, so that the same command gives the same text. */
function askedIn(action, body) {
  const fields = [...body].filter(([name]) => name !== ".id" && name !== ".link");
  return JSON.stringify([action, ...fields]);
}
