// Where this browser keeps the chains of its seats.

export const chainKey = (table, src) => `chain/${table}/${src}`;

/** Returns whether a chain is stored. It may be invalid by now: the ledger decides that. */
export function hasChain(table, src) {
  try {
    return localStorage.getItem(chainKey(table, src)) !== null;
  } catch {
    return false;
  }
}
