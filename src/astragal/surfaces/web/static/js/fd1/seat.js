// What a seat was shown, held against the ledger: everything that a person reads in the file is proved, follows from
// what is proved, or stands under "unproved".
//
// The path of a value is that of the place where it stands, never one that the file names. See reference/fd1.md.

import { Fault } from "./faults.js";
import { firstHead, nextHead } from "./rules.js";
import { fromHex, join, sha256, toHex, utf8 } from "./sha256.js";
import { comesBefore, readText } from "./spelling.js";

const FORMAT = 2;
const TEXT_MARK = "\ue000"; // stands before a digest where free text was
const BLANKED = "…";
const DIE = "by,face,fate,sides,source";
const FILE = "astragal,events,facts,format,ledger,proofs,receipt,seat,table,views";
const EVENT = "act,at,fields,name,unproved,version";
const ENVELOPE = ["by", "sight", "hides"];

const tagged = (tag, ...parts) => toHex(sha256(join(utf8(`FD1-${tag}\0`), ...parts)));
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const keysOf = (value, optional = []) =>
  Object.keys(value)
    .filter((key) => !optional.includes(key))
    .sort()
    .join();

function must(holds, why) {
  if (!holds) throw new Fault("not-shown", why);
}

/** JSON in its one spelling: keys sorted, no spaces, nothing beyond ASCII. */
function spell(value) {
  if (Array.isArray(value)) return `[${value.map(spell).join(",")}]`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort((one, other) => (comesBefore(one, other) ? -1 : 1));
    return `{${keys.map((key) => `${spell(key)}:${spell(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** `event.scene.options[0].title` */
function spellPath(whole, part) {
  if (typeof part === "number") return `${whole}[${part}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) ? `${whole}.${part}` : `${whole}[${spell(part)}]`;
}

/** `event.scene.options.0.title`, in facts without views. */
const spellPathAsBefore = (whole, part) => `${whole}.${part}`;

/** The parts of a value that are sealed one by one; null if it is sealed as it is, as dice and plain lists are. */
function partsWithin(value) {
  if (Array.isArray(value)) {
    const isSplit = (item) => isObject(item) && keysOf(item) !== DIE;
    return value.length && value.every(isSplit) ? [...value.entries()] : null;
  }
  return isObject(value) && Object.keys(value).length ? Object.entries(value) : null;
}

/** Stands in a list for an item that the seat may not see. */
const isWithheld = (item) => isObject(item) && keysOf(item) === "withheld" && item.withheld === true;

/** The values shown, each with the path of the place where it stands. */
function* valuesIn(shown, path, spelling) {
  const inside = partsWithin(shown);
  if (inside === null) {
    yield [path, shown];
    return;
  }
  const isList = Array.isArray(shown);
  must(!isList || !isWithheld(shown.at(-1)), `its ${path} ends with something withheld, which nothing proves`);
  for (const [name, part] of inside) {
    if (!(isList && isWithheld(part))) yield* valuesIn(part, spelling(path, name), spelling);
  }
}

/** The leaf of a value. Of free text the digest is sealed: `text` is its salt or, once forgotten, the digest itself. */
function leafOf(value, path, salt, text = "") {
  let sealed = value;
  if (text && value === BLANKED && text.length === 64) sealed = TEXT_MARK + text;
  else if (text) sealed = TEXT_MARK + toHex(sha256(join(fromHex(text), utf8(value))));
  return tagged("leaf", fromHex(salt), utf8(`${path}\0`), utf8(spell(sealed)));
}

/** One file of a seat, as its text was parsed. */
class SeatFile {
  constructor(file) {
    this.file = file;
    this.ledger = file.ledger.map((line) => JSON.parse(line));
    this.sealed = new Map(); // by line of a fact: the digests that it seals
    this.views = new Map(Object.entries(file.views).map(([line, view]) => [Number(line), view]));
    this.opened = new Set([...this.views.values()].flatMap((view) => view.opens)); // lines that reveals have opened
    this.counts = { proved: 0, inPart: 0, unsealed: 0, withheld: 0, later: 0, incomplete: 0 };
  }

  check() {
    this.checkOutside();
    this.openFacts();
    this.openViews();
    const digests = this.file.events.map((_, place) => this.digestOf(place));
    this.checkOrder(digests);
    this.checkSeat();
    this.checkDice();
    this.checkPictures();
  }

  promises(mark) {
    return Object.hasOwn(this.ledger[0], mark);
  }

  checkOutside() {
    const { table, events, proofs, receipt, ledger } = this.file;
    must(keysOf(this.file, ["pictures"]) === FILE, "the file holds something that no program writes");
    must(events.length === proofs.length, "events or proofs are missing");
    must(table === this.ledger[0].table, "the file and its ledger are of two tables");
    const head = ledger.reduce((before, line) => nextHead(before, utf8(line)), firstHead(table));
    const isOwn = receipt.line === ledger.length - 1 && receipt.head === toHex(head);
    must(isOwn && keysOf(receipt) === "head,line", "the receipt in the file is not that of its last line");
  }

  openFacts() {
    for (const [line, fact] of Object.entries(this.file.facts)) {
      const { t, seal } = this.ledger[line];
      const isSo = t === "fact" && tagged("seal", fromHex(fact.salt), utf8(fact.text)) === seal;
      must(isSo && keysOf(fact) === "salt,text", `this is not what line ${line} of the ledger sealed`);
      this.sealed.set(Number(line), JSON.parse(fact.text));
    }
  }

  /** A view is among the digests of its fact: what the seat was shown of a command, in order. */
  openViews() {
    for (const [line, { seat, salt, shown, opens }] of this.views) {
      const path = (this.opened.has(line) ? "opened." : "view.") + seat;
      const isSealed = this.sealed.get(line).includes(leafOf([shown, opens], path, salt));
      must(isSealed, `line ${line} of the ledger did not seal that this is what was shown`);
    }
    if (!this.promises("views")) return;
    this.ledger.forEach(({ t }, line) => {
      must(t !== "fact" || this.views.has(line), `what the seat was shown of line ${line} of the ledger is missing`);
    });
  }

  /** The digest of an event, which must be among those that its fact sealed. */
  digestOf(place) {
    const [event, proof] = [this.file.events[place], this.file.proofs[place]];
    const here = `event ${place + 1} (${event.name})`;
    if (proof === null) {
      must(!this.promises("facts"), `${here}: nothing in the ledger stands for it`);
      this.counts.unsealed += 1;
      return null;
    }
    let digest = event.withheld;
    if (digest !== undefined) {
      must(keysOf(event) === "withheld", `${here}: an event that is withheld shows nothing`);
      this.counts.withheld += 1;
    } else {
      must(keysOf(event, ENVELOPE) === EVENT, `${here}: it holds what no program writes`);
      if (this.views.has(proof.line)) this.checkComplete(event, proof, here);
      digest = this.entryDigest(event, proof, here);
      this.counts.proved += 1;
    }
    must((this.sealed.get(proof.line) ?? []).includes(digest), `${here}: it is not what line ${proof.line} of the ledger sealed`);
    return digest;
  }

  entryDigest(event, proof, here) {
    const spelling = this.views.has(proof.line) ? spellPath : spellPathAsBefore;
    const values = [["entry", [event.name, event.version, event.at, event.act]]];
    for (const name of ENVELOPE) if (Object.hasOwn(event, name)) values.push([name, event[name]]);
    const showsFields = Object.keys(event.fields).length || Object.hasOwn(proof.values, "event");
    if (showsFields) values.push(...valuesIn(event.fields, "event", spelling));
    const leaves = new Map();
    for (const [path, value] of values) {
      must(Object.hasOwn(proof.values, path), `${here}: its ${path} is not proved`);
      leaves.set(path, leafOf(value, path, ...proof.values[path]));
    }
    if (Object.hasOwn(proof.values, "open")) {
      const forAll = [...leaves].filter(([path]) => !(proof.beyond ?? []).includes(path)).map(([, leaf]) => leaf);
      const sealed = tagged("open", ...forAll.sort().map(fromHex)); // the leaves that everybody is shown
      leaves.set("open", leafOf(sealed, "open", ...proof.values.open));
    }
    if (proof.others.length) this.counts.inPart += 1;
    return tagged("entry", ...[...leaves.values(), ...proof.others].sort().map(fromHex));
  }

  /** What is not closed says who gave the command, shows its dice, and all that everybody is shown. */
  checkComplete(event, proof, here) {
    const isClosed = event.sight !== "open" && !this.opened.has(proof.line);
    if (!isClosed && !Object.hasOwn(proof.values, "open")) this.counts.incomplete += 1;
    for (const name of isClosed ? ["sight"] : ENVELOPE) must(Object.hasOwn(event, name), `${here}: its ${name} is left out`);
    must(!isClosed || !Object.keys(event.fields).length, `${here}: it was not opened, and shows something`);
    must(isClosed || event.name !== "rolled" || Object.hasOwn(event.fields, "dice"), `${here}: its dice are left out`);
  }

  /** Events come in the order of their facts, and those of each as its view has them. */
  checkOrder(digests) {
    const shown = new Map();
    let last = -1;
    this.file.proofs.forEach((proof, place) => {
      if (proof === null) return;
      must(proof.line >= last, `the events of line ${proof.line} of the ledger stand in the wrong place`);
      last = proof.line;
      if (!shown.has(last)) shown.set(last, []);
      const events = shown.get(last);
      const isTwice = events.some(({ digest }) => digest === digests[place]);
      must(!isTwice, `an event of line ${last} of the ledger stands here twice`);
      events.push({ digest: digests[place], later: proof.later === true });
      if (proof.later) this.counts.later += 1;
    });
    for (const [line, view] of this.views) {
      const events = (shown.get(line) ?? []).filter(({ later }) => !later).map(({ digest }) => digest);
      must(String(events) === String(view.shown), `the events of line ${line} are not those that the seat was shown`);
    }
  }

  /** Before its seat was taken, a seat is shown what any newcomer would be; from then on, its own view. */
  checkSeat() {
    const { seat, events, proofs } = this.file;
    const isTaken = (event) => event.name === "seat_taken" && event.fields.seat?.id === seat;
    const taken = proofs.filter((proof, place) => proof && isTaken(events[place])).map((proof) => proof.line);
    must(taken.length === 1 || !this.promises("views"), `nothing shows when seat ${seat} was taken`);
    for (const [line, view] of this.views) {
      const whose = !taken.length || line >= taken[0] ? seat : "";
      must(view.seat === whose, `what is shown of line ${line} of the ledger is another seat’s view of it`);
    }
  }

  /** The dice of an event are those that the ledger drew for it. */
  checkDice() {
    const rolled = new Map();
    this.file.events.forEach((event, place) => {
      const line = this.file.proofs[place]?.line;
      if (event.name !== "rolled" || !event.fields.dice || line === undefined || rolled.has(line)) return;
      rolled.set(line, String(event.fields.dice.map((die) => [die.sides, die.face])));
    });
    for (const [line, { sides, dice }] of this.drawn()) {
      const drawn = String(sides.map((most, place) => [most, dice[place]]));
      must((rolled.get(line) ?? drawn) === drawn, `the dice of line ${line} of the ledger are not those drawn`);
    }
  }

  /** The dice of each roll, with the line of the fact that says what came of them. */
  *drawn() {
    const factAfter = (number) => this.ledger.findIndex(({ t }, line) => line > number && t === "fact");
    const asked = new Map();
    for (const [number, line] of this.ledger.entries()) {
      if ((line.t === "roll" || line.t === "entered") && line.dice.length) yield [factAfter(number), line];
      else if (line.t === "ask") asked.set(number, factAfter(number));
      else if (line.t === "answer") asked.set(line.ask, factAfter(number));
      else if (line.t === "open") yield [asked.get(line.ask), line];
    }
  }

  checkPictures() {
    const values = this.file.events.flatMap((event) => [...valuesIn(event.fields ?? {}, "event", spellPath)]);
    const named = new Set(values.map(([, value]) => value));
    for (const [digest, encoded] of Object.entries(this.file.pictures ?? {})) {
      const data = Uint8Array.from(atob(encoded), (sign) => sign.charCodeAt(0));
      must(named.has(digest) && toHex(sha256(data)) === digest, "a picture is not one that an event names");
    }
  }

  unchecked() {
    const { unsealed, withheld, later, incomplete } = this.counts;
    return [
      unsealed && `${unsealed} events are older than the facts of this table, and not proved`,
      !this.promises("views") && "an older program began this table: the order and the number of all its events are not proved",
      incomplete && `values are left out of ${incomplete} events, which everybody was shown`,
      withheld && `${withheld} events are left out, which this seat saw and may not see any more`,
      later && `${later} events are shown that this seat was not shown when they happened`,
    ].filter(Boolean);
  }
}

/** Checks the text of a seat's export: what fails, what could not be checked, and how many events are proved. */
export function checkSeat(text) {
  const failed = (why) => ({ faults: [`${why}.`], unchecked: [], proved: 0, inPart: 0 });
  try {
    const file = JSON.parse(text);
    if (file.format !== FORMAT) {
      return { faults: [], unchecked: ["another version of the program wrote this file"], proved: 0, inPart: 0 };
    }
    readText(text.trimEnd()); // one spelling: a key that stands twice could be read in two ways
    const seat = new SeatFile(file);
    seat.check();
    return { faults: [], unchecked: seat.unchecked(), proved: seat.counts.proved, inPart: seat.counts.inPart };
  } catch (fault) {
    if (fault instanceof Fault) return failed(fault.message);
    if (fault instanceof TypeError || fault instanceof SyntaxError || fault instanceof RangeError || fault instanceof DOMException) {
      return failed(`the file is not as any program writes it (${fault.message})`);
    }
    throw fault;
  }
}
