// The fairness page: start, show and give up a seat's own chains in this browser.

import { ELSEWHERE, HERE, NONE, PAIRED, Seat, UNSEEN } from "./chains.js";
import { LINKS } from "./fd1/rules.js";

const whole = document.getElementById("own");
const { table, seat: named } = whole.dataset;
const seat = new Seat(table, named, document.documentElement.dataset.base);
const number = (count) => count.toLocaleString("en");

const WORDS = {
  [PAIRED]: {
    [NONE]: () => "Your rolls are drawn from the server’s chain alone.",
    [HERE]: (used) => `Paired. This browser keeps the chain, and its next link goes with each of your rolls; ${used}. Play with this browser, and do not clear its data.`,
    [UNSEEN]: () => "Paired, but the last link that this browser sent is not in the ledger. At the table you can send that roll again; if it can’t be any more, start a new chain.",
    [ELSEWHERE]: () => "Paired with a chain that this browser does not have: another device or program keeps it, or this browser’s data were cleared. Roll where it is kept. If it is gone, start a new one here; the ledger says so, for all to see.",
  },
  witness: {
    [NONE]: () => "You don’t witness hidden rolls.",
    [HERE]: (used) => `This browser keeps the chain, and adds a link to each hidden roll by itself while you are at the table; ${used}. Hidden rolls wait for it.`,
    [UNSEEN]: () => "A hidden roll has this browser’s link, and is not decided yet: others are waited for, or it was withdrawn.",
    [ELSEWHERE]: () => "Hidden rolls wait for a chain that this browser does not have: another device or program keeps it, or this browser’s data were cleared. If it is gone, start a new one here; the ledger says so, for all to see.",
  },
};

function show(chain) {
  const box = whole.querySelector(`[data-kind="${chain.kind}"]`);
  if (!box) return;
  const { state } = chain;
  const part = (name) => box.querySelector(`[data-part="${name}"]`);
  part("state").textContent = WORDS[chain.kind][state](`${number(chain.shown?.spent ?? 0)} of its ${number(LINKS)} links are used`);
  part("promise").hidden = state !== NONE || !box.hasAttribute("data-useful");
  part("anew").hidden = state !== ELSEWHERE && state !== UNSEEN;
  part("give-up").hidden = state === NONE;
  box.dataset.state = state;
}

function say(words) {
  whole.querySelector('[data-part="fault"]').textContent = words;
}

async function busily(work) {
  whole.setAttribute("aria-busy", "true");
  say("");
  try {
    await work();
  } catch (fault) {
    say(fault.code ? fault.message : "The table could not be reached. Try again.");
  }
  seat.chains.forEach(show);
  whole.removeAttribute("aria-busy");
}

const chainOf = (element) => seat[element.closest("[data-kind]").dataset.kind];

const ACTIONS = {
  promise: (chain) => chain.promise(),
  anew: async (chain) => {
    await chain.giveUp();
    await chain.promise();
  },
};

whole.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-part]");
  if (button) busily(() => ACTIONS[button.dataset.part](chainOf(button)));
});
whole.addEventListener("submit", (event) => {
  event.preventDefault();
  busily(() => chainOf(event.target).giveUp());
});

busily(() => seat.readOn());
