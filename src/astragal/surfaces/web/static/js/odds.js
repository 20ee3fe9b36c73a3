// What is rolled is what was shown: a form that was changed a moment ago is sent once its odds have come.

const PATIENCE = 15_000; // so long at most, for odds that never come: what is in doubt then, the table itself refuses

let changes = 0;
let shown = 0;
let held = null;

function changed(event) {
  if (event.target.closest?.("form.roll")) changes += 1;
}

function release() {
  if (!held) return;
  const { form, submitter, late } = held;
  held = null;
  clearTimeout(late);
  shown = changes;
  if (form.isConnected) form.requestSubmit(submitter);
}

// Counted on the way down, before htmx hears of a change and asks for its odds.
document.addEventListener("input", changed, true);
document.addEventListener("change", changed, true);

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.matches(".odds")) ctx.changes = changes;
});

document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!ctx.sourceElement.matches(".odds")) return;
  shown = Math.max(shown, ctx.changes);
  if (shown === changes) release();
});

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.matches("form.roll") || shown === changes) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    clearTimeout(held?.late);
    held = { form: event.target, submitter: event.submitter, late: setTimeout(release, PATIENCE) };
  },
  true,
);

// Bids stand in the page with their chances: the large number follows the one that is chosen.
document.addEventListener("change", ({ target }) => {
  const form = target.closest?.("form.bids");
  if (!form) return;
  for (const part of ["number", "between"]) {
    form.querySelector(`[data-part=${part}]`).textContent = target.dataset[part === "number" ? "percent" : part];
  }
});
