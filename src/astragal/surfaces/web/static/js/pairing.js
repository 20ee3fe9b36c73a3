// The table's page for a seat with a chain of its own: sends the next link with each roll, and for each hidden roll
// that waits for a witness. The modules for this are loaded on demand.

import { hasChain } from "./chain_storage.js";

const LINK_NEEDED = "link_needed";
const NO_ANSWER = "No answer came. When you are back online, roll again: the same link is sent.";
const room = document.getElementById("room");
const note = document.getElementById("chain");
const witnessing = document.getElementById("panel-chains");
const base = document.documentElement.dataset.base;
const { table, seat: named } = room.dataset;
const fairness = `${base}/t/${table}/fairness#own`;

let opened = null;

/** Loads the chains of this seat, and the names of their states. */
function chains() {
  opened ??= import("./chains.js").then((module) => ({ ...module, seat: new module.Seat(table, named, base) }));
  return opened;
}

// ---------------------------------------------------------------- problems

function say(words, ...ways) {
  note.replaceChildren();
  if (!words) return;
  const told = Object.assign(document.createElement("p"), { className: "fault", textContent: words });
  note.append(told);
  if (!ways.length) return;
  const buttons = Object.assign(document.createElement("p"), { className: "buttons" });
  buttons.append(...ways);
  note.append(buttons);
}

function button(words, work) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: words });
  made.addEventListener("click", async () => {
    made.disabled = true;
    try {
      await work();
    } catch (fault) {
      await explain(fault);
    }
  });
  return made;
}

const toFairness = () => Object.assign(document.createElement("a"), { className: "small", href: fairness, textContent: "Fair dice" });

async function explain(fault) {
  const { ELSEWHERE, UNSEEN, seat } = await chains();
  room.dataset.paired = seat.paired.isKept ? "here" : "elsewhere";
  if (fault.code === ELSEWHERE) {
    say("Your rolls are paired with a chain that this browser doesn’t have. Roll where it is kept or, if it is gone, start a new one.", toFairness());
  } else if (fault.code === UNSEEN) {
    say(
      "A roll of yours was sent with a link of your chain, and is not in the ledger yet. Nothing else can be rolled before it is.",
      button("Send that roll again", sendAgain),
      button("Give the chain up and start a new one", startAnew),
    );
  } else if (fault.code) {
    say(`No link of your chain was sent: ${fault.message}`, toFairness());
  } else {
    say(NO_ANSWER);
  }
}

async function sendAgain() {
  const { seat, UNSEEN } = await chains();
  const answer = await seat.paired.sendAgain();
  if (seat.paired.state === UNSEEN) {
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const why = part.querySelector(".fault")?.textContent ?? "it was not taken";
    say(`That roll can’t be any more: ${why} Its link was sent, so the chain has to be given up.`, button("Give it up and start a new one", startAnew));
  } else say("");
}

async function startAnew() {
  const { seat } = await chains();
  await seat.paired.giveUp();
  await seat.paired.promise();
  say("");
}

// ---------------------------------------------------------------- rolls

/** Sends a request first without a link, so that a refusal wastes none. The answer that it needs one is no error. */
async function send(action, request) {
  const keeps = room.dataset.paired === "here" ? { "X-Chain": "here" } : {};
  const answer = await fetch(action, { ...request, headers: { ...request.headers, ...keeps } });
  if (answer.ok && note.textContent === NO_ANSWER) say("");
  if (answer.headers.get("X-Refusal") !== LINK_NEEDED) return answer;
  const { seat } = await chains();
  try {
    const rolled = await seat.paired.send(action, request);
    say("");
    return rolled;
  } catch (fault) {
    await explain(fault);
    if (!fault.code) throw fault;
    return new Response(answer.body, { status: 422, headers: answer.headers });
  }
}

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.request.method === "POST") ctx.fetch = send;
});

// ---------------------------------------------------------------- hidden rolls

async function witness() {
  if (!witnessing.querySelector("[data-asked]") || room.dataset.witness === "elsewhere") return;
  const { seat, UNSEEN } = await chains();
  try {
    await seat.witness.answerAll();
  } catch (fault) {
    // UNSEEN: a later roll gets its link after others have witnessed the earlier one. Else the panel says what to do.
    if (fault.code && fault.code !== UNSEEN) room.dataset.witness = "elsewhere";
  }
}

new MutationObserver(witness).observe(witnessing, { childList: true, subtree: true, attributes: true });
document.addEventListener("htmx:sse:after:connection", witness); // for rolls that were missed while offline

// ---------------------------------------------------------------- state

async function look() {
  const { seat, HERE, UNSEEN } = await chains();
  try {
    await seat.readOn();
  } catch (fault) {
    return explain(fault);
  }
  room.dataset.paired = [HERE, UNSEEN].includes(seat.paired.state) ? "here" : "elsewhere";
  if (seat.paired.state === UNSEEN) explain({ code: UNSEEN });
}

room.dataset.paired = hasChain(table, `u:${named}`) ? "here" : "elsewhere";
room.dataset.witness = hasChain(table, `w:${named}`) ? "here" : "elsewhere";
if (room.dataset.paired === "here") look();
witness();
