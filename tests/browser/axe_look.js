// Runs axe with these options, and says what it found and which texts it measured. To measure the contrast of texts
// takes axe longer than all its other rules together. So of texts that are alike, here or on a page before, one is
// measured: they stand in elements of the same kinds, states and colours, beside others of the same.
async ([options, colours, measured]) => {
  const before = new Set(measured.split(" "));
  const now = new Set();
  const looks = new Map();
  const places = new Map();

  function hash(text) {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    return (high >>> 0).toString(36) + (low >>> 0).toString(36);
  }

  // What an element is, and its colours. Words, addresses and identifiers make no difference.
  function look(element) {
    if (!looks.has(element)) {
      const states = Array.from(element.attributes, ({ name, value }) =>
        /^(class|style|type|role|aria-(?!label|describedby|controls|owns).*)$/.test(name) ? `${name}=${value}` : name,
      );
      const { color, backgroundColor, backgroundImage, opacity, position, fontSize, fontWeight, textShadow } =
        getComputedStyle(element);
      const colours = [color, backgroundColor, backgroundImage, opacity, position, fontSize, fontWeight, textShadow];
      looks.set(element, hash([element.localName, ...states, ...colours].join("|")));
    }
    return looks.get(element);
  }

  function place(element) {
    if (!element) return "";
    if (!places.has(element)) places.set(element, hash(`${place(element.parentElement)} ${look(element)}`));
    return places.get(element);
  }

  function text(element) {
    const beside = Array.from(element.parentElement?.children ?? []).filter((one) => one.checkVisibility());
    return [place(element), ...new Set(beside.map(look))].join(" ");
  }

  // Axe would ask for the whole text of each element before it asks whether any is the element's own.
  const isNoText = (element) =>
    !["input", "select", "textarea"].includes(element.localName) &&
    !Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());

  for (const rule of axe._audit.rules.filter(({ id }) => colours.includes(id))) {
    rule.looksAt ??= rule.matches;
    rule.matches = (element, ...more) => {
      if (!element.checkVisibility() || (rule.id === "color-contrast" && isNoText(element))) return false;
      const found = hash(`${rule.id} ${text(element)}`);
      if (before.has(found) || now.has(found) || !rule.looksAt(element, ...more)) return false;
      now.add(found);
      return true;
    };
  }
  const { violations } = await axe.run(document, options);
  return [violations, [...now].join(" ")];
}
