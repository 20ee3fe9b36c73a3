// A link's secret is in its fragment, which browsers don't send. This takes it from the URL and sends it, once.
const form = document.querySelector("form[data-fragment]");
const fragment = location.hash.slice(1);
if (fragment && (form || fragment.startsWith("key="))) {
  history.replaceState(null, "", location.pathname + location.search);
  if (form && fragment.startsWith(form.dataset.fragment)) {
    form.elements.link.value = fragment;
    form.requestSubmit();
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // plain http in a home network has no clipboard
  }
  button.textContent = button.dataset.done;
});
