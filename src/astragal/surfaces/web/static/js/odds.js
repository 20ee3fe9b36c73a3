// Hold a form until the odds of its last change are shown, so that what is rolled is what was shown.

const PATIENCE = 15_000; // timeout for odds that never arrive; the table itself then refuses what doesn't match

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

// Counted in the capture phase, before htmx handles a change and requests its odds.
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

// The page has all bids with their chances: the large number shows that of the chosen one.
document.addEventListener("change", ({ target }) => {
  const form = target.closest?.("form.bids");
  if (!form) return;
  for (const part of ["number", "between"]) {
    form.querySelector(`[data-part=${part}]`).textContent = target.dataset[part === "number" ? "percent" : part];
  }
});
