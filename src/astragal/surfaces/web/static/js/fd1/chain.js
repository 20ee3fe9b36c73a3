// A chain of one's own: made here, told to nobody but by its tip, and then link by link from its end.

import { LINKS } from "./rules.js";
import { fromHex, sha256, toHex, utf8 } from "./sha256.js";

const STRIDE = 64;
const climbed = new Map(); // every 64th link of a chain, so that each of its links costs a few hashes and not thousands

/** 32 bytes from the operating system. */
export const newSeed = () => toHex(crypto.getRandomValues(new Uint8Array(32)));

/** The link that is spent as the count-th one, count = 1, 2, …; for 0 the tip, which is public. */
export function linkOf(src, seed, count, length = LINKS) {
  const place = length - count;
  const start = Math.floor(place / STRIDE);
  return toHex(climb(src, milestones(src, seed, length)[start], place - start * STRIDE));
}

function milestones(src, seed, length) {
  const name = `${src} ${seed} ${length}`;
  if (!climbed.has(name)) {
    const found = [fromHex(seed)];
    while (found.length * STRIDE <= length) found.push(climb(src, found.at(-1), STRIDE));
    climbed.set(name, found);
  }
  return climbed.get(name);
}

function climb(src, link, steps) {
  const before = utf8(`FD1-link\0${src}\0`);
  const text = new Uint8Array(before.length + link.length);
  text.set(before);
  text.set(link, before.length);
  for (let step = 0; step < steps; step += 1) text.set(sha256(text), before.length);
  return text.slice(before.length);
}
