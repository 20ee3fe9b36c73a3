/** What is wrong with a ledger: a stable code, as every verifier of FD1 has it, and a sentence. */
export class Fault extends Error {
  constructor(code, why) {
    super(why);
    this.code = code;
  }
}
