// SPDX-License-Identifier: MIT
// The view of a program: a snippet of PTX or PTO over small arrays, with the result of each line.
import {announce, byId, h, latest} from "./dom.js";
import {runLines} from "./engine.js";
import {writeState} from "./state.js";

const EXAMPLES = JSON.parse(byId("examples").textContent);  // the programs of examples/, and values for their inputs

let state = {text: EXAMPLES[0].text, inputs: new Map(Object.entries(EXAMPLES[0].inputs))};
let fields = [];  // names of the inputs that have fields
let showsBits = false;
const view = {};

function defaultValues(register) {
  if (register.type === "pred") return "1, 0, 1, 0, 1, 0, 1, 0";
  return /^[usb]\d/.test(register.type) ? "0, 1, 2, 3, 4, 5, 6, 7" : "-2, -1, -0, 0, 0.5, 1, nan, inf";
}

// ---- inputs ----

function showInputs(registers) {
  const inputs = registers.filter((register) => register.input || register.memory);
  const key = inputs.map((register) => `${register.name}.${register.type}`).join();
  if (key === fields.join() && view.inputs.children.length > 0) return;
  fields = inputs.map((register) => `${register.name}.${register.type}`);
  view.inputs.replaceChildren(
      ...inputs.map((register, i) => {
        if (!state.inputs.has(register.name)) state.inputs.set(register.name, defaultValues(register));
        const id = `input-${i}`;
        const input = h("input", {
          id,
          value: state.inputs.get(register.name),
          autocomplete: "off",
          autocapitalize: "off",
          spellcheck: "false"
        });
        input.addEventListener("input", () => {
          state.inputs.set(register.name, input.value);
          soon();
        });
        return h("div.operand", {}, h("label", { for: id
                 }, register.name, h("span.type", {}, ` .${register.type}${register.memory ? " array" : ""}`)), input);
      }),
  );
  if (inputs.length === 0) view.inputs.replaceChildren(h("p.muted", {}, "This program has no inputs."));
}

// Returns the arguments for the inputs that the program has.
function inputArguments() {
  return fields.map((field) => field.slice(0, field.lastIndexOf(".")))
      .map((name) => `${name}=${state.inputs.get(name)}`);
}

// ---- results ----

function laneCells(step, before) {
  return step.values.map((value, i) => {
    const changed = before !== undefined && before.bits[i] !== step.bits[i];
    const shown = showsBits && step.type !== "pred" ? step.bits[i] : value;
    return h(
        changed ? "td.number.changed" : "td.number", {title: `lane ${i}: ${step.bits[i]} = ${value}`},
        step.type === "pred" ? h(`span.truth.is${value}`, {}, value) : shown);
  });
}

function sourceLine(number) {
  return (state.text.split("\n")[number - 1] ?? "").trim();
}

function traceRow(step, before, previousLine) {
  const isSame = previousLine === step.line;
  return h(
      "tr",
      {},
      h("th.line", {scope: "row"}, isSame ? "" : String(step.line)),
      h("td.source", {}, isSame ? "" : h("code", {}, sourceLine(step.line))),
      h("td.register", {}, h("b", {}, step.name), h("span.type", {}, ` .${step.type}`)),
      laneCells(step, before),
      step.lanes > step.values.length ? h("td.muted", {}, `… ${step.lanes}`) : null,
  );
}

function tableOf(words, head, rows, lanes) {
  return [
    h("h3", {}, words),
    h(
        "div.scroll",
        {tabindex: 0, role: "region", "aria-label": words},
        h("table.trace", {},
          h("thead", {},
            h("tr", {}, head.map((text) => h("th", {scope: "col"}, text)),
              Array.from({length: lanes}, (_, i) => h("th.number", {scope: "col"}, String(i))))),
          h("tbody", {}, rows)),
        ),
  ];
}

function showTrace(lines) {
  const steps = lines.filter((line) => line.kind === "step");
  const results = lines.filter((line) => line.kind === "result");
  const more = lines.find((line) => line.kind === "more");
  const lanes = Math.max(0, ...[...steps, ...results].map((step) => step.values.length));
  const last = new Map();
  const rows = steps.map((step, i) => {
    const before = last.get(step.name);
    last.set(step.name, step);
    return traceRow(step, before, steps[i - 1]?.line);
  });
  const final = results.map(
      (step) =>
          h("tr", {}, h("th.register", {scope: "row"}, h("b", {}, step.name), h("span.type", {}, ` .${step.type}`)),
            laneCells(step)));
  view.results.replaceChildren(
      ...tableOf("Each line", ["line", "text", "register"], rows, lanes),
      ...(more ? [h("p.muted", {}, `The first ${steps.length} of ${more.steps} results are shown.`)] : []),
      ...tableOf("Results", ["register"], final, lanes),
  );
  announce(`The program ran: ${steps.length} results`);
}

function showError(error) {
  const line = error.line === 0 ?
      "" :
      `${state.text.split("\n")[error.line - 1] ?? ""}\n${" ".repeat(Math.max(0, error.column - 1))}^\n`;
  const place = error.line === 0 ? "" : `line ${error.line}: `;
  view.results.replaceChildren(
      h("div.illegal", {role: "alert"}, h("h3", {}, "The program does not run"),
        h("pre", {}, `${line}${place}${error.text}`)));
  announce(`${place}${error.text}`);
}

const update = latest(async (isCurrent) => {
  // The first run finds the inputs; those whose fields are there already are bound at once.
  let result = await runLines(["trace", ...inputArguments()], state.text);
  if (!isCurrent()) return;
  const registers = result.lines.filter((line) => line.kind === "register");
  const known = fields.join();
  if (registers.length > 0) showInputs(registers);
  if (fields.join() !== known) result = await runLines(["trace", ...inputArguments()], state.text);
  if (!isCurrent()) return;
  save();
  const error = result.lines.find((line) => line.kind === "error");
  if (error)
    showError(error);
  else if (result.status !== 0)
    showError({line: 0, text: result.err.trim().split("\n")[0].replace(/^pto trace: /, "")});
  else
    showTrace(result.lines);
});

const soon = () => update(200);

function save(push = false) {
  const inputs =
      fields.map((field) => field.slice(0, field.lastIndexOf("."))).map((name) => `${name}=${state.inputs.get(name)}`);
  writeState("program", {text: state.text, in : inputs, bits: showsBits ? "1" : ""}, push);
}

function setProgram(text, inputs) {
  state = {text, inputs: new Map(inputs)};
  view.text.value = text;
  fields = [];
  return update();
}

// ---- the view ----

export const programView = {
  name: "program",
  init() {
    for (const part of ["text", "inputs", "results", "examples", "bits"]) view[part] = byId(`program-${part}`);
    view.text.addEventListener("input", () => {
      state.text = view.text.value;
      soon();
    });
    view.bits.addEventListener("change", () => {
      showsBits = view.bits.checked;
      update();
    });
    view.examples.append(...EXAMPLES.map(
        (example) =>
            h("button.chip", {type: "button", onclick: () => setProgram(example.text, Object.entries(example.inputs))},
              example.name)));
  },
  show(parameters) {
    showsBits = parameters.get("bits") === "1";
    view.bits.checked = showsBits;
    if (!parameters.has("text")) return setProgram(state.text, state.inputs);
    return setProgram(parameters.get("text"), parameters.getAll("in").map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  },
};
