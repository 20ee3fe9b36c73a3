// What a line of the ledger holds: its fields, and the shape of each.

import { Fault } from "./faults.js";
import { readText } from "./spelling.js";

export const FIELDS = {
  genesis: ["v", "table"],
  tip: ["src", "tip"],
  roll: ["cmd", "by", "req", "sides", "links", "dice"],
  unseal: ["line", "salt", "req"],
  ask: ["cmd", "by", "seal", "with"],
  answer: ["ask", "links"],
  void: ["ask"],
  open: ["ask", "salt", "req", "sides", "link", "dice"],
  rewind: ["to", "why", "cost", "n"],
  fact: [],
  entered: ["cmd", "by", "req", "sides", "dice"],
  override: ["cmd", "by", "line", "why"],
  gap: ["why"],
};

const NAME = "[A-Za-z0-9._-]{1,64}";
const SEAT = new RegExp(`^(?!gm-)${NAME}$`);
const SOURCE = new RegExp(`^(?:[suw]:(?!gm-)${NAME}|s:gm-open)$`);
const HIDDEN = new RegExp(`^s:gm-(${NAME})-([1-9][0-9]{0,8})$`);
const MOST_SIDES = 1_000_000;

const isText = (value) => typeof value === "string";
const isNumber = (value) => Number.isInteger(value) && value >= 0;
const isHex = (length) => (value) => isText(value) && value.length === length && /^[0-9a-f]*$/.test(value);
const isDigest = isHex(64);
const isSource = (value) => isText(value) && (SOURCE.test(value) || HIDDEN.test(value));
const isList = (of) => (value) => Array.isArray(value) && value.every(of);
export const areSides = isList((sides) => Number.isInteger(sides) && sides >= 2 && sides <= MOST_SIDES);

const SHAPES = {
  v: isText,
  table: (value) => isText(value) && value.isWellFormed(),
  seeded: (value) => value === true,
  src: isSource,
  tip: isDigest,
  renew: isNumber,
  cmd: isText,
  by: (value) => isText(value) && SEAT.test(value),
  sides: areSides,
  links: isList((pair) => Array.isArray(pair) && pair.length === 2 && isSource(pair[0]) && isDigest(pair[1])),
  dice: isList((face) => Number.isInteger(face) && face >= 1),
  seal: isDigest,
  digest: isDigest,
  line: isNumber,
  salt: isHex(32),
  with: (value) =>
    isList((src) => isSource(src) && src.startsWith("w:"))(value) && new Set(value).size === value.length,
  ask: isNumber,
  link: isDigest,
  why: isText,
  n: isNumber,
};

/** Which hidden roll a source is for: its scene and number; null if it is not for a hidden roll. */
export function placeOf(src) {
  const found = HIDDEN.exec(src);
  return found && { scene: found[1], k: Number(found[2]) };
}

/** The fields of a line, each in its shape. */
export function readLine(text) {
  const fields = readText(text);
  const kind = fields.get("t");
  if (!isText(kind)) throw new Fault("malformed", "This line does not say in t what kind of line it is.");
  if (Object.hasOwn(FIELDS, kind)) check(kind, fields);
  return fields;
}

function check(kind, fields) {
  for (const name of FIELDS[kind]) {
    if (!fields.has(name)) throw new Fault("bad-field", `A line ${kind} needs the field ${name}.`);
  }
  for (const [name, value] of fields) {
    if (Object.hasOwn(SHAPES, name) && !SHAPES[name](value)) {
      throw new Fault("bad-field", `The field ${name} of this ${kind} can not be what it is.`);
    }
  }
  if (kind === "fact" && fields.has("seal") === fields.has("digest")) {
    throw new Fault("bad-field", "A fact holds either a seal or a digest.");
  }
  if (kind === "entered") checkEntered(fields.get("sides"), fields.get("dice"));
}

function checkEntered(sides, dice) {
  if (sides.length !== dice.length || dice.some((face, place) => face > sides[place])) {
    throw new Fault("bad-die", `${dice} can not be entered for dice of ${sides} sides.`);
  }
}
