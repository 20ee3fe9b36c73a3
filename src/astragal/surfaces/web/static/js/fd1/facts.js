// What a player saw, held against the facts of the ledger: each value that is shown is proved by its salt.

import { fromHex, join, sha256, toHex, utf8 } from "./sha256.js";
import { comesBefore } from "./spelling.js";

const TEXT_MARK = "\ue000"; // stands before a digest where free text was
const BLANKED = "…";
const DIE = "by,face,fate,sides,source";
const tagged = (tag, ...parts) => sha256(join(utf8(`FD1-${tag}\0`), ...parts));

/** JSON in its one spelling: keys sorted, no spaces, nothing beyond ASCII. */
function spell(value) {
  if (Array.isArray(value)) return `[${value.map(spell).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort((one, other) => (comesBefore(one, other) ? -1 : 1));
    return `{${keys.map((key) => `${spell(key)}:${spell(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The parts of a value that are sealed one by one; null if it is sealed as it is. */
function partsWithin(value) {
  if (Array.isArray(value)) {
    const inside = (one) => one !== null && typeof one === "object" && !Array.isArray(one) && Object.keys(one).sort().join() !== DIE;
    return value.length && value.every(inside) ? value.entries() : null;
  }
  return value !== null && typeof value === "object" && Object.keys(value).length ? Object.entries(value) : null;
}

function* flat(value, path) {
  const inside = partsWithin(value);
  if (inside === null) yield [path, value];
  else for (const [name, one] of inside) yield* flat(one, `${path}.${name}`);
}

function* valuesOf(event, version) {
  yield ["entry", [event.name, version, event.at, event.act]];
  if (!event.closed) yield ["by", event.by];
  yield* flat(event.fields, "event");
}

function leafOf(value, path, salt, text = "") {
  let sealed = value;
  if (text) sealed = TEXT_MARK + (value === BLANKED && text.length === 64 ? text : toHex(sha256(join(fromHex(text), utf8(value)))));
  return toHex(tagged("leaf", fromHex(salt), utf8(`${path}\0`), utf8(spell(sealed))));
}

/** Why an event is not proved; null if it is. */
function faultOf(event, proof, sealed) {
  if (!proof) return "nothing in the ledger stands for it";
  const digests = sealed.get(proof.line);
  if (!digests) return `what is shown of line ${proof.line} of the ledger is not what it sealed`;
  const leaves = [...proof.others];
  for (const [at, value] of valuesOf(event, proof.version)) {
    if (Object.hasOwn(proof.values, at)) leaves.push(leafOf(value, ...proof.values[at]));
    else if (!["[]", "{}"].includes(spell(value))) return `its ${at.replace("event.", "")} is not proved`;
  }
  const digest = toHex(tagged("entry", ...leaves.sort().map(fromHex)));
  if (!digests.has(digest)) return `it is not what line ${proof.line} of the ledger sealed`;
  if (event.opened.length !== proof.opened.length) return "what it turned over is not proved";
  return event.opened.map((one, place) => faultOf(one, proof.opened[place], sealed)).find(Boolean) ?? null;
}

/** Checks a player's export against the lines of the ledger: how much is proved, and what is not. */
export function checkSeen(seen, lines) {
  const ledger = lines.map((line) => JSON.parse(line));
  const sealed = new Map();
  for (const [line, { salt, text }] of Object.entries(seen.facts)) {
    const { t, seal } = ledger[line] ?? {};
    const holds = t === "fact" && toHex(tagged("seal", fromHex(salt), utf8(text))) === seal;
    sealed.set(Number(line), holds ? new Set(JSON.parse(text)) : null);
  }
  const mustProve = "facts" in ledger[0];
  const found = { proved: 0, unsealed: 0, faults: [] };
  seen.events.forEach((event, place) => {
    if (!seen.proofs[place] && !mustProve) found.unsealed += 1;
    else {
      const why = faultOf(event, seen.proofs[place], sealed);
      if (why) found.faults.push(`${event.words}: ${why}.`);
      else found.proved += 1;
    }
  });
  return found;
}
