// The fairness page: fetches the public ledger and verifies it in the browser, without the server's help.

import { checkSeat } from "./fd1/seat.js";
import { spoken, verify } from "./fd1/verify.js";
import { keepReceipt, receiptsFile, receiptsOf } from "./receipts.js";

const page = document.getElementById("fairness");
const { table, ledger, seen } = page.dataset;
const part = (name) => page.querySelector(`[data-part="${name}"]`);
const many = (number, one, several = `${one}s`) => `${number} ${number === 1 ? one : several}`;

let last = null;

async function check() {
  const [verdict, bar] = [part("verdict"), part("progress")];
  bar.hidden = false;
  bar.removeAttribute("value");
  verdict.textContent = "Reading the ledger …";
  try {
    const answer = await fetch(ledger, { headers: { Accept: "application/jsonl" } });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const text = await answer.text();
    last = await verify(text, receiptsOf(table), (done, all) => {
      bar.max = all;
      bar.value = done;
      verdict.textContent = `Checking line ${done} of ${all} …`;
    });
    show(last);
    if (!last.fault && seen) await checkStory(text);
  } catch (fault) {
    verdict.textContent = `The ledger could not be read: ${fault.message}. Try again.`;
    verdict.dataset.sound = "unknown";
  }
  bar.hidden = true;
}

/** Checks everything that this seat saw, in a file with a ledger of its own, which begins as the one just read. */
async function checkStory(text) {
  const answer = await fetch(seen);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const file = await answer.text();
  const found = checkSeat(file);
  const own = found.faults.length ? text : `${JSON.parse(file).ledger.join("\n")}\n`;
  if (!own.startsWith(text)) found.faults.push("It has another ledger than the table.");
  else if (own !== text) found.faults.push(...faultsOf(await verify(own)));
  const story = part("story");
  story.dataset.sound = found.faults.length ? "no" : found.unchecked.length ? "unknown" : "yes";
  story.textContent = storyWords(found);
}

const faultsOf = (report) => (report.fault ? [`Line ${report.fault.line} fails: ${report.fault.why}`] : []);

function storyWords({ faults, unchecked, proved }) {
  if (faults.length) return `Not what was sealed: ${faults.join(" ")}`;
  const things = `${many(proved, "thing")} that you saw, what rolls led to included, are as they were sealed`;
  if (unchecked.length) return `The story holds as far as it goes: ${unchecked.join("; ")}. ${things}.`;
  return `The story holds: ${things}, in their order, and none is missing. Only its sentences prove nothing: a program makes them from the values.`;
}

function show(report) {
  const verdict = part("verdict");
  verdict.dataset.sound = report.fault ? "no" : report.sound ? "yes" : "unknown";
  verdict.textContent = verdictWords(report);
  const words = report.fault ? "" : spoken(report.head);
  part("words").textContent = words || "—";
  part("head").textContent = report.head;
  part("found").replaceChildren(...sentences(report).map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  if (!report.fault) keepReceipt(table, report.lines - 1, report.head);
  part("receipts").textContent = many(receiptsOf(table).size, "receipt");
  showOne(report);
}

function verdictWords({ fault, sound, unchecked, lines, seeded }) {
  if (fault) return `Line ${fault.line} fails (${fault.code}): ${fault.why}`;
  if (!sound) return `Sound as far as it goes: ${unchecked.join("; ")}.`;
  return `Sound: all ${many(lines, "line")} hold.${seeded ? " It is a demonstration: its dice could be known beforehand." : ""}`;
}

function listed(lines) {
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
}

function sentences(report) {
  const count = (kind) => report.counts[kind] ?? 0;
  const found = [
    `${many(count("roll"), "open roll")}, ${report.paired || "none"} of them paired with a player’s own chain; ${many(report.dice, "die", "dice")} drawn again here, and the same.`,
    !count("ask") ? "No hidden rolls." : `${many(count("ask"), "hidden roll")}, ${report.witnessed || "none"} of them witnessed: ${count("open")} opened, ${report.unopened.length} still sealed, ${count("void")} withdrawn.`,
    report.receipts
      ? `${many(report.receipts, "receipt")} that this browser kept agreed with the ledger.`
      : "This browser had no receipt yet. It has one now, and will notice if the ledger is rewritten.",
  ];
  if (!report.facts) found.push("It was begun by an older program: what rolls led to is not sealed in it.");
  if (count("rewind")) found.push(`The story went back ${many(count("rewind"), "time")}.`);
  if (count("override")) found.push(`The game master overrode the dice ${many(count("override"), "time")}.`);
  if (count("entered")) found.push(`${many(count("entered"), "roll")} entered by hand: nothing proves these.`);
  if (report.late.length) {
    found.push(`The dice of ${listed(report.late)} were promised in the call that rolled them: whoever runs the server could have tried several promises, knowing what for.`);
  } else if (report.promised.size) {
    found.push(`The dice of each roll were promised ${many(Math.min(...report.promised.values()), "line")} before it, or more.`);
  }
  if (report.gaps.length) {
    found.push(`A gap is declared in ${listed(report.gaps)}: the table was restored or imported there, or lost its dice. What happened after the copy that it goes on from is not in this ledger.`);
  }
  return found;
}

/** Shows the lines of the command that a card's link names. */
function showOne(report) {
  const act = decodeURIComponent(location.hash.slice(1));
  const shown = part("roll");
  const lines = act ? report.byCommand.get(act) : undefined;
  shown.hidden = !act;
  if (!act) return;
  part("roll-words").textContent = lines
    ? `In the ledger this roll is line ${lines.map(([line]) => line).join(" and ")}; its links were checked, and its dice drawn again.`
    : "This roll has no line of its own in the ledger: it is an older or a hidden one, or no dice of the table's were rolled.";
  part("roll-lines").textContent = lines ? lines.map(([, text]) => text).join("\n") : "";
}

page.querySelector('[data-do="check"]').addEventListener("click", check);
page.querySelector('[data-do="receipts"]').addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([receiptsFile(table)], { type: "application/jsonl" }));
  link.download = `receipts-${table}.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
window.addEventListener("hashchange", () => last && showOne(last));
part("receipts").textContent = many(receiptsOf(table).size, "receipt");
check();
