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

/** Returns a function that delays its call of `use` until it has not been called for `milliseconds`. */
export function later(use, milliseconds = 120) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => use(...args), milliseconds);
  };
}

/** Returns a function that calls `use`; its first argument is a test of whether this call is the latest. */
export function latest(use) {
  let turn = 0;
  return (...args) => {
    const mine = ++turn;
    return use(() => mine === turn, ...args);
  };
}

/** Announces a change to screen readers. */
export const announce = later((text) => {
  byId("status").textContent = text;
}, 600);

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
