// The hero builder: shows each fault beside its input, as soon as the accounts have it.

const form = document.getElementById("hero-form");
const ledger = document.getElementById("ledger");

function inputCalled(name) {
  const found = form.elements[name] ?? form.elements[`${name};`];
  return found instanceof RadioNodeList ? found[0] : found;
}

// Hints are shown until somebody switches them off in this browser.
const HINTS = "astragal-hints";
const recall = () => (document.getElementById("hints") ?? {}).checked = localStorage.getItem(HINTS) !== "off";
ledger.addEventListener("change", ({ target }) => target.id === "hints" && localStorage.setItem(HINTS, target.checked ? "on" : "off"));

function mark() {
  recall();
  for (const one of form.querySelectorAll(".doc .fault")) one.remove();
  for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  for (const reason of ledger.querySelectorAll("[data-input]")) {
    const input = inputCalled(reason.dataset.input);
    const field = input?.closest(".field");
    if (!field) continue;
    input.setAttribute("aria-invalid", "true");
    const doc = field.querySelector(":scope > .doc") ?? field.appendChild(Object.assign(document.createElement("p"), { className: "doc" }));
    doc.id ||= `${input.id || input.name}-doc`;
    input.setAttribute("aria-describedby", doc.id);
    doc.prepend(Object.assign(document.createElement("span"), { className: "fault", textContent: `${reason.textContent} ` }));
  }
  for (const link of form.querySelectorAll(".steps-nav a")) {
    link.classList.toggle("wrong", Boolean(form.querySelector(`${link.getAttribute("href")} [aria-invalid]`)));
  }
}

// On a phone, one step is open at a time, and the line on what is left to spend stays in view below it.
const steps = [...form.querySelectorAll(".step-of")];
const narrow = matchMedia("(max-width: 63.99rem)");

function unfold(step) {
  if (!step) return;
  step.open = true;
  step.scrollIntoView({ block: "start" });
}

function fold() {
  const first = steps.find((one) => one.querySelector("[aria-invalid], .doc .fault")) ?? steps.find((one) => `#${one.id}` === location.hash) ?? steps[0];
  for (const step of steps) {
    if (narrow.matches) step.name = ".step"; // htmx sends it; names with a dot are not fields
    else step.removeAttribute("name");
    step.open = !narrow.matches || step === first;
  }
}

form.addEventListener("click", (event) => {
  const to = event.target.closest(".steps-nav a, .onward")?.getAttribute("href");
  if (!to) return;
  event.preventDefault();
  unfold(form.querySelector(to));
});
form.addEventListener("invalid", (event) => (event.target.closest(".step-of").open = true), true);
narrow.addEventListener("change", fold);
fold();
recall();

new MutationObserver(mark).observe(ledger, { childList: true, subtree: true, characterData: true });
