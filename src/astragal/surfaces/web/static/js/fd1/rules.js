// Which line may follow: one rule for each kind of line. A rule raises a fault, or notes what later lines depend on.

import { Fault } from "./faults.js";
import { fromHex, hmac, join, sha256, toHex, utf8 } from "./sha256.js";
import { areSides, placeOf } from "./shapes.js";
import { readText } from "./spelling.js";

export const LINKS = 4096;
const RENEWED_WITHIN = 8; // a chain's successor is promised while at most so many of its links are left
const WORDS = 2 ** 32;
const tagged = (tag, ...parts) => sha256(join(utf8(`FD1-${tag}\0`), ...parts));

export const firstHead = (table) => tagged("genesis", utf8(table));
export const nextHead = (head, line) => tagged("head", head, line);
export const linkAfter = (src, link) => toHex(tagged("link", utf8(`${src}\0`), fromHex(link)));

const newChain = (tip, renewed) => ({ last: tip, spent: 0, renewed, broken: false, successor: null });

/** A gap: the promise of a successor is void as well, and counts as an earlier chain. */
function breakOff(source) {
  if (source.successor) source.renewed += 1;
  source.broken = true;
  source.successor = null;
}

/** How a ledger stands: all that its next line depends on. */
export class Standing {
  lines = 0;
  seeded = false;
  sources = new Map();
  hidden = [];
  scenes = new Map();
  asks = new Map();
  rewinds = 0;
  gap = null;
  facts = false; // does every command leave a fact?
  owing = null; // the line of dice whose command has not left its fact yet

  oweFact() {
    this.checkFacts();
    this.owing = this.lines;
  }

  checkFacts() {
    if (this.facts && this.owing !== null) throw new Fault("no-fact", `No fact says what came of line ${this.owing}.`);
  }

  drawnFrom(by) {
    const server = by === "gm" ? "s:gm-open" : `s:${by}`;
    const own = this.sources.get(`u:${by}`);
    return own && !own.broken ? [server, `u:${by}`] : [server];
  }

  usable(src) {
    const source = this.sources.get(src);
    if (!source) throw new Fault("no-tip", `No tip of ${src} was published before this.`);
    if (source.broken) throw new Fault("not-renewed", `A gap was declared, and ${src} was not renewed since.`);
    if (source.spent === LINKS) throw new Fault("used-up", `All links of ${src} are spent, and it was not renewed.`);
    return source;
  }

  spend(src, link) {
    const source = this.usable(src);
    checkLink(src, link, source.last);
    source.last = link;
    source.spent += 1;
    if (source.spent === LINKS && source.successor) this.sources.set(src, newChain(source.successor, source.renewed + 1));
  }

  unopened(line) {
    const ask = this.asks.get(line);
    if (!ask) throw new Fault("no-ask", `Line ${line} is not a hidden roll that is still unopened.`);
    return ask;
  }

  lapse(concerns) {
    for (const ask of this.asks.values()) if (concerns(ask) && ask.links === null) ask.lapsed = true;
  }

  /** As plain values, to go on from later without reading everything again. */
  toPlain() {
    return { ...this, sources: [...this.sources], scenes: [...this.scenes], asks: [...this.asks] };
  }

  static fromPlain(plain) {
    const { sources, scenes, asks } = plain;
    return Object.assign(new Standing(), plain, { sources: new Map(sources), scenes: new Map(scenes), asks: new Map(asks) });
  }
}

function checkLink(src, link, last) {
  if (linkAfter(src, link) === last) return;
  const missing = steps(src, link, last);
  if (missing > 1) throw new Fault("link-skipped", `This link of ${src} comes ${missing - 1} too late.`);
  if (steps(src, last, link) !== null) throw new Fault("link-replayed", `This link of ${src} was spent before.`);
  throw new Fault("link-foreign", `This link does not belong to the chain that ${src} promised with its tip.`);
}

function steps(src, early, late) {
  for (let step = 0, link = early; step <= LINKS; step += 1, link = linkAfter(src, link)) if (link === late) return step;
  return null;
}

function* wordsOf(key) {
  const number = new DataView(new ArrayBuffer(4));
  for (let j = 0; ; j += 1) {
    number.setUint32(0, j);
    const block = new DataView(hmac(key, new Uint8Array(number.buffer)).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

/** The faces that links give for dice of these sides. */
function facesOf(links, sides) {
  const words = wordsOf(tagged("key", ...links.map(fromHex)));
  return sides.map((most) => {
    for (;;) {
      const word = words.next().value;
      if (word < WORDS - (WORDS % most)) return 1 + (word % most);
    }
  });
}

function mustFall(fields, links) {
  const faces = facesOf(links, fields.get("sides"));
  if (String(faces) !== String(fields.get("dice"))) {
    throw new Fault("dice-differ", `The links give ${faces.join(", ")}, but the line says ${fields.get("dice").join(", ")}.`);
  }
}

export function mustBeSealed(seal, fields) {
  if (toHex(tagged("seal", fromHex(fields.get("salt")), utf8(fields.get("req")))) !== seal) {
    throw new Fault("seal-differs", "The text shown is not the one that was sealed before the dice.");
  }
}

const named = (sources) => sources.join(" and ") || "nothing";

function promiseHidden(standing, place, fields) {
  const due = (standing.scenes.get(place.scene) ?? 0) + 1;
  if (place.k !== due || fields.has("renew")) {
    throw new Fault("hidden-order", `The next hidden tip of the scene ${place.scene} is number ${due}, and new.`);
  }
  standing.scenes.set(place.scene, due);
  standing.hidden.push({ src: fields.get("src"), tip: fields.get("tip") });
}

function mustCount(renew, due, src) {
  if (renew !== due) throw new Fault("renew-count", `This should be renewal ${due ?? 0} of ${src}.`);
}

function pointingBack(standing, fields) {
  if (fields.get("line") >= standing.lines) {
    throw new Fault("no-line", `Line ${fields.get("line")} does not come before line ${standing.lines}.`);
  }
}

const RULES = {
  genesis(standing, fields) {
    if (standing.lines !== 0) throw new Fault("second-genesis", "A ledger begins once; this is a second genesis.");
    if (fields.get("v") !== "FD1") throw new Fault("no-genesis", "This ledger does not speak FD1.");
    standing.seeded = fields.has("seeded");
    standing.facts = fields.has("facts");
  },

  tip(standing, fields) {
    const [src, tip, renew] = [fields.get("src"), fields.get("tip"), fields.get("renew")];
    const place = placeOf(src);
    if (place) return promiseHidden(standing, place, fields);
    const before = standing.sources.get(src);
    if (!before) {
      mustCount(renew, undefined, src);
      return standing.sources.set(src, newChain(tip, 0));
    }
    if (renew === undefined) throw new Fault("re-seeded", `${src} has a chain already.`);
    if (!before.broken && (LINKS - before.spent > RENEWED_WITHIN || before.successor)) {
      throw new Fault("renewed-early", `The chain of ${src} was renewed with ${before.spent} links spent.`);
    }
    mustCount(renew, before.renewed + 1, src);
    if (before.broken || before.spent === LINKS) return standing.sources.set(src, newChain(tip, renew));
    before.successor = tip;
    return undefined;
  },

  roll(standing, fields) {
    const links = fields.get("links");
    const due = standing.drawnFrom(fields.get("by"));
    const given = links.map(([src]) => src);
    if (String(given) !== String(due)) {
      const code = String(given) === due[0] ? "unpaired" : "wrong-chain";
      throw new Fault(code, `This roll is drawn from ${named(due)}, not from ${named(given)}.`);
    }
    for (const [src, link] of links) standing.spend(src, link);
    mustFall(fields, links.map(([, link]) => link));
    if (fields.get("dice").length) standing.oweFact();
  },

  ask(standing, fields) {
    const witnesses = fields.get("with");
    const by = fields.get("by");
    if (witnesses.includes(`w:${by}`)) throw new Fault("wrong-witness", `${by} can not witness a roll by ${by}.`);
    witnesses.forEach((src) => standing.usable(src));
    const promised = standing.hidden.shift();
    if (!promised) throw new Fault("no-hidden-tip", "No tip of a hidden roll is left.");
    standing.oweFact();
    standing.asks.set(standing.lines, {
      ...promised,
      cmd: fields.get("cmd"),
      seal: fields.get("seal"),
      witnesses,
      links: witnesses.length ? null : [],
      lapsed: false,
    });
  },

  answer(standing, fields) {
    const asked = standing.unopened(fields.get("ask"));
    const links = fields.get("links");
    if (asked.links !== null) throw new Fault("answered", `The hidden roll of line ${fields.get("ask")} is answered.`);
    if (asked.lapsed) throw new Fault("lapsed", "A gap came after this ask: it can only be withdrawn.");
    if (String(links.map(([src]) => src)) !== String(asked.witnesses)) {
      throw new Fault("wrong-witness", `${named(asked.witnesses)} had to answer.`);
    }
    for (const [src, link] of links) standing.spend(src, link);
    standing.oweFact();
    asked.links = links.map(([, link]) => link);
  },

  void(standing, fields) {
    if (standing.unopened(fields.get("ask")).links !== null) {
      throw new Fault("answered", "This hidden roll was decided: it can be opened or kept, not void.");
    }
    standing.asks.delete(fields.get("ask"));
  },

  open(standing, fields) {
    const asked = standing.unopened(fields.get("ask"));
    if (asked.links === null) throw new Fault("unanswered", "The witnesses of this roll did not answer.");
    if (typeof fields.get("req") !== "string") throw new Fault("bad-field", "What a seal held is shown as a text.");
    mustBeSealed(asked.seal, fields);
    const named = checkSides(fields);
    if (standing.facts && asked.witnesses.length && !named) {
      throw new Fault("no-dice-sealed", `The seal of line ${fields.get("ask")} names no dice: they could be chosen afterwards.`);
    }
    if (linkAfter(asked.src, fields.get("link")) !== asked.tip) {
      throw new Fault("link-foreign", `This hidden roll was promised ${asked.src}: this is not its link.`);
    }
    mustFall(fields, [fields.get("link"), ...asked.links]);
    standing.asks.delete(fields.get("ask"));
  },

  fact(standing) {
    standing.owing = null;
  },

  rewind(standing, fields) {
    if (fields.get("n") !== standing.rewinds + 1) {
      throw new Fault("rewind-count", `This is rewind ${standing.rewinds + 1}, but it says ${fields.get("n")}.`);
    }
    standing.rewinds += 1;
  },

  unseal: pointingBack,
  override: pointingBack,

  gap(standing, fields) {
    const src = fields.get("src");
    if (src === undefined) {
      for (const source of standing.sources.values()) breakOff(source);
      standing.hidden = [];
      standing.lapse(() => true);
      standing.gap = standing.lines;
    } else if (/^[uw]:/.test(src)) {
      const source = standing.sources.get(src);
      if (!source) throw new Fault("no-tip", `No tip of ${src} was published before this.`);
      breakOff(source);
      source.declared = true; // by whoever keeps it, and not by an accident of the table
      standing.lapse((ask) => ask.witnesses.includes(src));
    } else {
      throw new Fault("bad-source", `The server can not lose ${src} alone.`);
    }
  },
};

function checkSides(fields) {
  const sealed = readText(fields.get("req"));
  const sides = sealed.get("sides");
  if (sealed.size !== 2 || !sealed.has("req") || !Array.isArray(sides)) {
    throw new Fault("bad-field", "The sealed text of a hidden roll holds req and sides, and nothing else.");
  }
  if (!areSides(sides) || String(fields.get("sides").slice(0, sides.length)) !== String(sides)) {
    throw new Fault("sides-differ", `The dice sealed were ${sides}, those opened are ${fields.get("sides")}.`);
  }
  return sides.length;
}

/** Line 0 is the genesis; then each kind has its rule, and other kinds are not interpreted. */
export function obey(standing, fields) {
  const kind = fields.get("t");
  if (standing.lines === 0 && kind !== "genesis") throw new Fault("no-genesis", "A ledger begins with its genesis.");
  if (Object.hasOwn(RULES, kind)) RULES[kind](standing, fields);
  standing.lines += 1;
}
