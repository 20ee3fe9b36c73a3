// Receipts: what this browser saw of a table's ledger, stored where the server can't reach it.

const MOST = 500;
const place = (table) => `receipts/${table}`;

/** Returns a Map of line numbers to heads. */
export function receiptsOf(table) {
  try {
    return new Map(JSON.parse(localStorage.getItem(place(table)) ?? "[]"));
  } catch {
    return new Map();
  }
}

/** Stores another one. If there are too many, the oldest and the newest are kept. */
export function keepReceipt(table, line, head) {
  const kept = receiptsOf(table);
  if (kept.has(line)) return;
  kept.set(line, head);
  const all = [...kept].sort(([one], [other]) => one - other);
  if (all.length > MOST) all.splice(Math.floor(MOST / 2), all.length - MOST);
  try {
    localStorage.setItem(place(table), JSON.stringify(all));
  } catch {
    // storage is full or not allowed: play goes on without
  }
}

/** Formats receipts as a file that `astragal verify` reads. */
export function receiptsFile(table) {
  return [...receiptsOf(table)].map(([line, head]) => `{"head":"${head}","line":${line},"table":${JSON.stringify(table)}}\n`).join("");
}
