// Where this browser keeps the chains of its seats.

export const chainKey = (table, src) => `chain/${table}/${src}`;

/** Is there a chain, or one that was? Whether it is still good, the ledger says. */
export function hasChain(table, src) {
  try {
    return localStorage.getItem(chainKey(table, src)) !== null;
  } catch {
    return false;
  }
}
