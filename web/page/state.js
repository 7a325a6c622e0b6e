// SPDX-License-Identifier: MIT
// The state of the page in the fragment of its address: the name of a view, and the view's parameters.

let own = "";  // the fragment that the page has set

/** Returns the view and its parameters: "#blocks?x=1+2" gives ["blocks", URLSearchParams]. */
export function readState() {
  const [view, parameters = ""] = location.hash.slice(1).split(/\?(.*)/s);
  return [view, new URLSearchParams(parameters)];
}

/** Writes the state. Values that are empty, null or undefined are left out; a list gives a parameter for each item. */
export function writeState(view, values, push = false) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== "" && item !== null && item !== undefined) parameters.append(name, item);
  const text = parameters.toString();
  own = `#${view}${text === "" ? "" : "?" + text}`;
  if (own === location.hash) return;
  history[push ? "pushState" : "replaceState"](null, "", own);
}

/** Calls `use` when the user changes the address, or goes back or forward. */
export function onStateChange(use) {
  const changed = () => {
    if (location.hash !== own) use();
    own = location.hash;
  };
  addEventListener("hashchange", changed);
  addEventListener("popstate", changed);
}
