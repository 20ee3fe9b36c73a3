// A line of the ledger has one spelling: JSON with its keys sorted, no spaces, nothing beyond ASCII. Another is refused,
// since two spellings of one key would let two readers see two different lines.

import { Fault } from "./faults.js";

const NUMBER = /-?[1-9][0-9]*|0/y;
const FRACTION = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-][0-9]{2,})?/y;
const PLAIN = /[ !#-[\]-~]*/y;
const ESCAPE = /\\(?:["\\bfnrt]|u[0-9a-f]{4})/y;
const NAMED = { '"': '"', "\\": "\\", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const DEEPEST = 200;

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail() {
    throw new Fault("malformed", `This is not a JSON object in FD1's spelling: ${this.text.slice(0, 60)}`);
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  take(sign) {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  value(depth) {
    if (depth > DEEPEST) this.fail();
    const sign = this.text[this.at];
    if (sign === "{") return this.object(depth);
    if (sign === "[") return this.list(depth);
    if (sign === '"') return this.string();
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) if (this.take(word)) return value;
    return this.number();
  }

  number() {
    const start = this.at;
    const whole = this.match(NUMBER);
    if (whole !== null && !/[.e0-9]/.test(this.text[this.at] ?? "")) {
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : { big: whole };
    }
    this.at = start;
    const fraction = this.match(FRACTION);
    if (fraction === null || !/[.e]/.test(fraction)) this.fail();
    return { fraction };
  }

  string() {
    if (!this.take('"')) this.fail();
    let read = "";
    for (;;) {
      read += this.match(PLAIN);
      if (this.take('"')) return read;
      const escape = this.match(ESCAPE);
      if (escape === null) this.fail();
      read += escape[1] === "u" ? this.escaped(escape) : NAMED[escape[1]];
    }
  }

  escaped(escape) {
    const sign = String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    if (/[ -~\b\f\n\r\t]/.test(sign)) this.fail(); // it has a shorter spelling
    return sign;
  }

  list(depth) {
    this.take("[");
    const read = [];
    if (this.take("]")) return read;
    do read.push(this.value(depth + 1));
    while (this.take(","));
    if (!this.take("]")) this.fail();
    return read;
  }

  object(depth) {
    this.take("{");
    const read = new Map();
    if (this.take("}")) return read;
    let last = null;
    do {
      const key = this.string();
      if (last !== null && !comesBefore(last, key)) this.fail();
      if (!this.take(":")) this.fail();
      read.set(key, this.value(depth + 1));
      last = key;
    } while (this.take(","));
    if (!this.take("}")) this.fail();
    return read;
  }
}

/** In the order of code points, which is not that of UTF-16. */
export function comesBefore(one, other) {
  const [first, second] = [Array.from(one), Array.from(other)];
  for (let place = 0; place < Math.min(first.length, second.length); place += 1) {
    const difference = first[place].codePointAt(0) - second[place].codePointAt(0);
    if (difference) return difference < 0;
  }
  return first.length < second.length;
}

/** The fields of a JSON object in its one spelling, as a Map. */
export function readText(text) {
  const reader = new Reader(text);
  if (text[0] !== "{") reader.fail();
  const fields = reader.value(0);
  if (reader.at !== text.length) reader.fail();
  return fields;
}
