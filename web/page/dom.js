// SPDX-License-Identifier: MIT
// Makes elements of the page.

/**
 * Returns an element. `what` is a tag with classes, such as "td.differs". Properties whose names begin with "on" are
 * event handlers, others attributes; those that are null, undefined or false are left out. Children are nodes or text.
 */
export function h(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const isSvg = ["svg", "line", "circle", "text", "g", "title", "rect"].includes(tag) && properties.svg !== false;
  const node = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  if (classes.length > 0) node.setAttribute("class", classes.join(" "));
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false || name === "svg") continue;
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export function byId(id) {
  return document.getElementById(id);
}

let pending = 0;  // requests whose runs have not ended

// Changes the number of pending requests. While there are any, the page is marked as busy: its results are old.
function count(change) {
  pending += change;
  document.body.toggleAttribute("data-busy", pending > 0);
}

/**
 * Returns a function that requests a run of `use`, after a delay in milliseconds. There is one run at a time, and each
 * request makes those before it obsolete: they do not start any more. The argument of `use` is a test of whether its
 * request is still the last one; after each wait, a run must end if it is not. So the last run is that of the last
 * request, and it sees all that the user entered before.
 */
export function latest(use) {
  let last = 0;
  let running = Promise.resolve();
  return async (milliseconds = 0) => {
    const mine = ++last;
    const isCurrent = () => mine === last;
    count(1);
    try {
      if (milliseconds > 0) await new Promise((end) => setTimeout(end, milliseconds));
      if (!isCurrent()) return;
      running = running.catch(() => {}).then(() => (isCurrent() ? use(isCurrent) : undefined));
      await running;
    } finally {
      count(-1);
    }
  };
}

let announcement = 0;

/** Announces a change to screen readers, when no other has followed for a short time. */
export function announce(text) {
  clearTimeout(announcement);
  announcement = setTimeout(() => (byId("status").textContent = text), 600);
}

/** Makes the arrow keys move the focus among the elements of `container` that match `selector`. */
export function arrowKeys(container, selector, columns) {
  container.addEventListener("keydown", (event) => {
    const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns()};
    const all = [...container.querySelectorAll(selector)];
    const at = all.indexOf(document.activeElement);
    const step = steps[event.key];
    const ends = {Home: 0, End: all.length - 1};
    const to = event.key in ends ? ends[event.key] : at + step;
    if (at < 0 || (step === undefined && !(event.key in ends)) || all[to] === undefined) return;
    event.preventDefault();
    all[to].focus();
    all[to].click();
  });
}
