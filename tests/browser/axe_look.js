// Faults that axe finds in the page as it stands, by these rules or by all; null where there is no axe yet.
//
// Axe reads the whole document at once, and then goes through what it has read for each rule. Most of a table is folded
// away, and takes longer than what is drawn: it is only read for the few rules that look at it. Those of colours don't.
async ([rules, colours]) => {
  if (!window.axe) return null;
  const { childNodes } = Object.getOwnPropertyDescriptors(Node.prototype);
  const isDrawn = (node) =>
    !(node instanceof HTMLElement) ||
    node.checkVisibility() ||
    node.closest("head, select, svg") ||
    getComputedStyle(node).display === "contents";
  const drawn = {
    ...childNodes,
    get() {
      return isDrawn(this) ? childNodes.get.call(this) : [];
    },
  };

  async function look(read, options) {
    Object.defineProperty(Node.prototype, "childNodes", read);
    const looking = axe.run(document, { resultTypes: ["violations"], preload: false, ...options });
    Object.defineProperty(Node.prototype, "childNodes", childNodes);
    const { violations, incomplete } = await looking;
    return [...violations, ...incomplete.filter(({ error }) => error)];
  }

  // What is still fading in has not its colours yet.
  const fading = document
    .getAnimations()
    .filter((one) => one.playState === "running" && one.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(fading.map((one) => one.finished));
  if (rules.length) return look(drawn, { runOnly: rules });
  const ofAll = axe._audit.rules.filter((rule) => rule.enabled && !rule.excludeHidden && !colours.includes(rule.id));
  const without = Object.fromEntries(ofAll.map(({ id }) => [id, { enabled: false }]));
  return [...(await look(drawn, { rules: without })), ...(await look(childNodes, { runOnly: ofAll.map(({ id }) => id) }))];
}
