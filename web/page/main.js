// SPDX-License-Identifier: MIT
// Starts the page: the tabs of its views, and the view that the address names.
import {blocksView} from "./blocks.js";
import {arrowKeys, byId} from "./dom.js";
import {run} from "./engine.js";
import {formatsView} from "./formats.js";
import {instructionView} from "./instruction.js";
import {programView} from "./program.js";
import {onStateChange, readState} from "./state.js";
import {vocabulary} from "./suggest.js";

const VIEWS = [instructionView, formatsView, blocksView, programView];

function tabOf(view) {
  return byId(`tab-${view.name}`);
}

async function show(view, parameters) {
  for (const other of VIEWS) {
    const isShown = other === view;
    byId(`view-${other.name}`).hidden = !isShown;
    tabOf(other).setAttribute("aria-selected", String(isShown));
    tabOf(other).tabIndex = isShown ? 0 : -1;
  }
  await view.show(parameters);
  document.body.dataset.started = "";
  document.body.dataset.ready = view.name;
}

function showState() {
  const [name, parameters] = readState();
  delete document.body.dataset.ready;
  return show(VIEWS.find((view) => view.name === name) ?? VIEWS[0], parameters);
}

async function copyLink() {
  const button = byId("copy");
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy the address bar";
  }
  setTimeout(() => (button.textContent = words), 1500);
}

for (const view of VIEWS) {
  view.init();
  tabOf(view).addEventListener("click", () => {
    if (tabOf(view).getAttribute("aria-selected") === "true") return;
    history.pushState(null, "", `#${view.name}`);
    show(view, new URLSearchParams());
  });
}
arrowKeys(byId("tabs"), "[role=tab]", () => 1);
onStateChange(showState);
byId("copy").addEventListener("click", copyLink);
for (const kind of ["dragover", "drop"])
  addEventListener(kind, (event) => event.preventDefault());  // do not open the file
globalThis.explorer = {run};                                  // for the console, and for tests
showState();
byId("version").textContent = `libpto ${vocabulary.version}`;
