// SPDX-License-Identifier: MIT
// The view of a program: a snippet of PTX or PTO over small arrays, with the result of each line.
import {announce, byId, h, latest} from "./dom.js";
import {runLines} from "./engine.js";
import {operandFields} from "./fields.js";
import {writeState} from "./state.js";

const EXAMPLES = JSON.parse(byId("examples").textContent);  // the programs of examples/, and values for their inputs

const TYPING = 200;  // milliseconds without a key, after which the page runs what was typed

// How a kernel is launched; an empty text means what the command does without the option.
const LAUNCH = ["kernel", "grid", "block", "shared", "first"];

let state = {text: EXAMPLES[0].text, inputs: new Map(Object.entries(EXAMPLES[0].inputs)), launch: {}};
let showsBits = false;
let fields = null;
const view = {};

// ---- inputs ----

const FLOATS = "-2, -1, -0, 0, 0.5, 1, nan, inf";

// Returns whether the text has kernels of PTX. pto run and pto launch use the same test.
function hasKernel(text) {
  return text.includes(".entry");
}

// Returns the type of the elements that a kernel loads or stores first, as far as the text shows it.
function elementType(text, kernel, instruction) {
  const entry = new RegExp(`\\.entry\\s+${kernel.replaceAll("$", "\\$")}(?![\\w$])`);
  const body = text.slice(Math.max(0, text.search(entry)));
  const width = new RegExp(`\\b${instruction}\\.global\\S*\\.([bfus])(8|16|32|64)\\b`).exec(body);
  if (!width) return "f32";
  return width[1] === "b" && width[2] !== "8" ? `f${width[2]}` : width[1] + width[2];
}

// Returns the first value of a parameter of a kernel of PTX.
function firstOfParameter(parameter, kernel) {
  if (parameter.memory && parameter.written) return `zeros:${elementType(state.text, kernel, "st")}:8`;
  if (parameter.memory) {
    const type = elementType(state.text, kernel, "ld");
    return `${type}: ${type.startsWith("f") ? FLOATS : "0, 1, 2, 3, 4, 5, 6, 7"}`;
  }
  if (parameter.bytes > 8) return "0";
  return parameter.type.startsWith("f") ? "0.5" : "8";
}

function firstValue(register) {
  if (register.type === "pred") return "1, 0, 1, 0, 1, 0, 1, 0";
  return /^[usb]\d/.test(register.type) ? "0, 1, 2, 3, 4, 5, 6, 7" : FLOATS;
}

// Returns the registers and parameters that need values as operands of fields.
function fieldOperands(lines) {
  const kernel = lines.find((line) => line.kind === "chosen")?.name;
  return lines.filter((line) => line.kind === "register" && (line.input || line.memory))
      .map((register) => ({
             name: register.name,
             kind: kernel !== undefined && register.memory ? "array" : register.type,
             label: (kernel !== undefined && register.memory ? "" : `.${register.type}`) +
                 (register.memory ? ` array${register.written ? ", written" : ""}` : ""),
             first: kernel !== undefined ? firstOfParameter(register, kernel) : firstValue(register),
           }));
}

// Returns the inputs as NAME=VALUES.
function inputArguments() {
  const values = fields.values();
  return fields.operands().map(({name}, i) => `${name}=${values[i]}`);
}

// Shows the fields for a launch: all of them for a kernel of PTX, the blocks for one of PTO.
function showLaunch(lines) {
  const kernels = lines.filter((line) => line.kind === "kernel");
  const isPto = lines.some((line) => line.kind === "register" && line.memory) && kernels.length === 0;
  view.launch.hidden = kernels.length === 0 && !isPto;
  for (const part of view.launch.querySelectorAll(".ptx")) part.hidden = isPto;
  view.kernel.replaceChildren(
      ...kernels.map(({name, supported}) => h("option", {value: name}, supported ? name : `${name} (not supported)`)));
  view.kernel.value = lines.find((line) => line.kind === "chosen")?.name ?? "";
}

// ---- results ----

// Returns a cell for each lane. `before` has the bits that the lanes had. A thread that did not execute the line has
// an empty cell.
function laneCells(step, before = []) {
  return step.values.map((value, i) => {
    if (value === null) return h("td.number.idle", {title: "did not execute this line"}, "\u00b7");
    const changed = before[i] !== undefined && before[i] !== step.bits[i];
    const shown = showsBits && step.type !== "pred" ? step.bits[i] : value;
    return h(
        changed ? "td.number.changed" : "td.number", {title: `${step.bits[i]} = ${value}`},
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

function tableOf(words, head, rows, lanes, first = 0) {
  return [
    h("h3", {}, words),
    h(
        "div.scroll",
        {tabindex: 0, role: "region", "aria-label": words},
        h("table.trace", {},
          h("thead", {},
            h("tr", {}, head.map((text) => h("th", {scope: "col"}, text)),
              Array.from({length: lanes}, (_, i) => h("th.number", {scope: "col"}, String(first + i))))),
          h("tbody", {}, rows)),
        ),
  ];
}

function showTrace(lines) {
  const steps = lines.filter((line) => line.kind === "step");
  const results = lines.filter((line) => line.kind === "result");
  const more = lines.find((line) => line.kind === "more");
  const launch = lines.find((line) => line.kind === "launch");
  const last = new Map();
  const rows = steps.map((step, i) => {
    const before = last.get(step.name) ?? [];
    last.set(step.name, step.bits.map((bits, lane) => bits ?? before[lane]));
    return traceRow(step, before, steps[i - 1]?.line);
  });
  const final = results.map(
      (step) =>
          h("tr", {}, h("th.register", {scope: "row"}, h("b", {}, step.name), h("span.type", {}, ` .${step.type}`)),
            laneCells(step)));
  const lanesOf = (all) => Math.max(0, ...all.map((step) => step.values.length));
  view.results.replaceChildren(
      ...(launch ? [h("p.muted", {}, launchWords(launch))] : []),
      ...tableOf("Each line", ["line", "text", "register"], rows, lanesOf(steps), launch?.first),
      ...(more ? [h("p.muted", {}, `The first ${steps.length} of ${more.steps} results are shown.`)] : []),
      ...tableOf("Results", ["register"], final, lanesOf(results)),
  );
  announce(`The program ran: ${steps.length} results`);
}

function launchWords({grid, block, first}) {
  const size = (dims) => dims.join(" \u00d7 ").replace(/( \u00d7 1)+$/, "");
  const isOne = grid.join() === "1,1,1";
  return `${size(grid)} block${isOne ? "" : "s"} of ${size(block)} threads${
      isOne ? "" : " each"}. The columns are threads from number ${
      first} on; a dot means that the thread did not execute the line.`;
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

function launchArguments() {
  return LAUNCH.map((name) => state.launch[name] ?? "");
}

const update = latest(async (isCurrent) => {
  const {text} = state;
  const isKernel = hasKernel(text);
  save();
  // The first run finds the inputs.
  const found = await runLines(isKernel ? ["kernel", state.launch.kernel ?? ""] : ["trace"], text);
  if (!isCurrent()) return;
  const isParsed = !found.lines.some((line, i) => line.kind === "error" && i === 0);
  let result = found;
  if (isParsed) {
    showLaunch(found.lines);
    fields.setOperands(fieldOperands(found.lines));
    state.inputs = new Map(inputArguments().map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
    save();
    const head = isKernel ? ["kernel", ...launchArguments()] : ["trace", state.launch.grid || "1"];
    if (!isKernel || found.status === 0) result = await runLines([...head, ...inputArguments()], text);
    if (!isCurrent()) return;
  }
  const error = result.lines.find((line) => line.kind === "error");
  if (error)
    showError(error);
  else if (result.status !== 0)
    showError({line: 0, text: result.err.trim().split("\n")[0].replace(/^pto \w+: /, "")});
  else
    showTrace(result.lines);
});

function save(push = false) {
  const inputs = [...state.inputs].map(([name, values]) => `${name}=${values}`);
  writeState("program", {text: state.text, in : inputs, ...state.launch, bits: showsBits ? "1" : ""}, push);
}

function setProgram(text, inputs, launch = {}) {
  state = {text, inputs: new Map(inputs), launch};
  view.text.value = text;
  const {inputs: given} = state;
  fields.give((operand) => given.get(operand.name));
  for (const name of LAUNCH) view[name].value = launch[name] ?? "";
  return update();
}

// ---- the view ----

export const programView = {
  name: "program",
  init() {
    for (const part of ["text", "inputs", "results", "examples", "bits", "launch", ...LAUNCH])
      view[part] = byId(`program-${part}`);
    fields = operandFields(view.inputs, "input", () => {
      fields.operands().forEach(({name}, i) => state.inputs.set(name, fields.values()[i]));
      update(TYPING);
    });
    view.text.addEventListener("input", () => {
      state.text = view.text.value;
      fields.textChanged();
      update(TYPING);
    });
    for (const name of LAUNCH)
      view[name].addEventListener("input", () => {
        state.launch = {...state.launch, [name]: view[name].value};
        if (name === "kernel") fields.textChanged();
        update(name === "kernel" ? 0 : TYPING);
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
    if (!parameters.has("text")) return setProgram(state.text, state.inputs, state.launch);
    const launch = LAUNCH.filter((name) => parameters.has(name)).map((name) => [name, parameters.get(name)]);
    const inputs = parameters.getAll("in").map((pair) => pair.split(/=(.*)/s).slice(0, 2));
    return setProgram(parameters.get("text"), inputs, Object.fromEntries(launch));
  },
};
