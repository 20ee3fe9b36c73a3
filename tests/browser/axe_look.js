// Faults that axe finds in the page as it stands or in a part of it, with these options; null where there is no axe yet.
//
// Most of a table is folded away, and takes axe as long as what is drawn. All that could be wrong with it are areas of
// a picture: no other rule finds a fault in what nobody sees. So axe reads the document without it: first all nodes, at
// once and by their children, and later where they are, by a walk.
async ([part, options]) => {
  if (!window.axe) return null;
  axe.configure({ noHtml: true }); // nobody reads it, and to write it takes a fifth of the time
  const looked = part ? [...document.querySelectorAll(part)].filter((one) => one.checkVisibility()) : document;
  if (looked.length === 0) throw new Error(`nothing in view is ${part}`);
  const { childNodes } = Object.getOwnPropertyDescriptors(Node.prototype);
  const isRead = (node) =>
    !(node instanceof HTMLElement) ||
    node.checkVisibility() ||
    node.closest("head, select, svg") ||
    node.querySelector("area") ||
    getComputedStyle(node).display === "contents";
  const ofRead = {
    ...childNodes,
    get() {
      return isRead(this) ? childNodes.get.call(this) : [];
    },
  };
  const filter = (node) => (isRead(node) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);

  // What is still fading in has not its colours yet.
  const fading = document
    .getAnimations()
    .filter((one) => one.playState === "running" && one.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(fading.map((one) => one.finished));

  document.createTreeWalker = (root, what) => Document.prototype.createTreeWalker.call(document, root, what, filter);
  Object.defineProperty(Node.prototype, "childNodes", ofRead);
  const looking = axe.run(looked, { resultTypes: ["violations"], preload: false, ...options });
  Object.defineProperty(Node.prototype, "childNodes", childNodes);
  const { violations, incomplete } = await looking;
  delete document.createTreeWalker;
  return [...violations, ...incomplete.filter(({ error }) => error)];
}
