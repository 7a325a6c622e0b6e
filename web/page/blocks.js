// SPDX-License-Identifier: MIT
// The view of block scaling: one row of numbers, or a tensor, by every rule of every format side by side.
import {announce, byId, h, latest} from "./dom.js";
import {runLines} from "./engine.js";
import {writeState} from "./state.js";
import {readTensors} from "./tensor.js";

const EXAMPLE = [
  "0.0123 -0.4 1.75 3 -6.5 0.33 0 2.25 0.875 -1.125 5 0.0625 -0.02 1 7 -3.5",
  "0.7 -0.09 12 0.5 -2.75 1.3 0.11 -8 4.4 0.9 -0.6 2 0.031 -5.1 0.2 10",
].join("\n");
const NAMES = {
  "mx.e4m3": "MXFP8",
  "mx.e5m2": "MXFP8",
  "mx.e2m3": "MXFP6",
  "mx.e3m2": "MXFP6",
  "mx.e2m1": "MXFP4",
  "mx.s2f6": "MXINT8",
  "nv.e2m1": "NVFP4",
  "fp8.e4m3": "FP8",
  "fp8.e5m2": "FP8",
  "bfp.bfp8": "bfloat8_b",
  "bfp.bfp4": "bfloat4_b"
};
const SLOW = 1 << 16;  // elements; for larger tensors, each table is shown as soon as it is ready

const FIRST = {
  x: EXAMPLE,
  wide: "f32",
  format: "all",
  against: "",
  block: "",
  row: "0",
  first: "0",
  shown: "32",
  round: "rn",
  random: "seed 1",
  file: "",
  tensor: ""
};
const TYPING = 200;  // milliseconds without a key, after which the page quantizes what was typed

let state = {...FIRST};
let tensors = [];   // the tensors of the file
let tensor = null;  // the tensor that is used instead of the text, or null
let groups = null;  // a promise of the formats
const view = {};
const stacks = JSON.parse(byId("stacks").textContent);

function keyOf(group) {
  return `${group.family}.${group.elem}`;
}

// ---- the input ----

// Returns the number of rows of a text: its lines if the user chose a table and all have the same number of values,
// otherwise 1.
function rowsOf(text) {
  const lines =
      text.split(/\n/).map((line) => line.match(/\{[^}]*\}|[^\s,;]+/g) ?? []).filter((line) => line.length > 0);
  const isTable = lines.length > 1 && view.table.checked && lines.every((line) => line.length === lines[0].length);
  return isTable ? lines.length : 1;
}

// Returns the arguments of the program for the input, and its stdin.
function inputOf(group) {
  const [rows, cols] = /^\s*(\d+)\s*[x×]\s*(\d+)\s*$/.exec(state.block)?.slice(1) ?? [0, 0];
  const random = state.round === "rs" ? state.random : "";
  const rest = [state.row, state.first, state.shown, rows, cols, random];
  const head = ["blocks", group.family, group.elem, state.against];
  if (tensor) return [[...head, tensor.wide, "raw", tensor.rows, ...rest].map(String), tensor.bytes];
  const text = state.x.replace(/[[\]()]/g, " ");
  return [[...head, state.wide, "text", rowsOf(text), ...rest].map(String), text];
}

// ---- the results ----

function percent(part, whole) {
  return part === 0 ? "0" : `${part} of ${whole}`;
}

// Returns a letter for each result: rules whose results are identical have the same one.
function letters(results) {
  const seen = new Map();
  return results.map((result) => {
    const key = JSON.stringify([result.scales, result.codes, result.values]);
    if (!seen.has(key)) seen.set(key, seen.size);
    return seen.get(key);
  });
}

function letterBadge(index) {
  const letter = String.fromCharCode(65 + (index % 26)) + (index >= 26 ? String(Math.floor(index / 26)) : "");
  return h(`span.letter.letter${index % 6}`, {}, letter);
}

function ruleCell(result) {
  const level = Number(result.tensor[0]) === 0 ?
      "" :
      `${result.two_level ? "second level" : "eps"} ${result.tensor_value[0]} (${result.tensor[0]})`;
  return h(
      "th.rule",
      {scope: "row"},
      h("b", {}, result.rule + (result.pow2 ? ", powers of two" : "")),
      h("small", {}, stacks[result.rule] ?? ""),
      level === "" ? null : h("small", {}, level),
  );
}

function scaleCell(result, against) {
  return h(
      "td.scale",
      {},
      result.scales.map((scale, i) => {
        const differs = against && scale !== against.scales[i];
        return h(
            differs ? "div.differs" : "div",
            {title: differs ? `differs from ${against.rule}: ${against.scales[i]}` : null}, h("code", {}, scale),
            ` ${shorter(result.scale_values[i])}`);
      }),
  );
}

function shorter(text) {
  return text.length > 9 && Number.isFinite(Number(text)) ? Number(text).toPrecision(5) : text;
}

function codeCell(result, i, first, against) {
  const differs = against && (result.codes[i] !== against.codes[i] || result.values[i] !== against.values[i]);
  const begins = (first + i) % result.block[1] === 0 && i !== 0;
  const differsInValue = differs && result.values[i] !== against.values[i];
  const classes = `${differs ? ".differs" : ""}${differsInValue ? ".value" : ""}${begins ? ".begins" : ""}`;
  const words = `element ${first + i}: code ${result.codes[i]}, value ${result.values[i]}${
      differs ? `; ${against.rule}: ${against.codes[i]}, ${against.values[i]}` : ""}`;
  return h(
      `td.code${classes}`, {title: words}, h("code", {}, result.codes[i].slice(2)),
      h("small", {}, shorter(result.values[i])), differs ? h("span.hidden", {}, " differs") : null);
}

function resultRow(result, letter, first, against) {
  const isReference = against === result;
  return h(
      isReference ? "tr.reference" : "tr",
      {"data-rule": result.rule + (result.pow2 ? ".pow2" : "")},
      ruleCell(result),
      h("td.center", {}, letterBadge(letter)),
      scaleCell(result, against),
      h("td.number", {}, result.rms_error.toPrecision(3), h("small", {}, `max ${result.max_error.toPrecision(3)}`),
        result.not_finite ? h("small.differs", {}, `${result.not_finite} not finite`) : null),
      h("td.number", {},
        isReference ? h("span.muted", {}, "reference") :
                      [
                        percent(result.codes_differ, result.elements),
                        h("small", {}, `scales ${percent(result.scales_differ, result.all_scales)}`)
                      ]),
      result.codes.map((_, i) => codeCell(result, i, first, against)),
  );
}

// Returns the words for an element of the tensor: its bits, value and random bits.
function titleOf(input, i) {
  return `${input.bits[i]} = ${input.values[i]}${input.random ? `, random word ${input.random[i]}` : ""}`;
}

function groupTable(group, [input, ...results]) {
  const {first} = input;
  const against = results.find((result) => result.rule === input.against && !result.pow2) ?? results[0];
  const found = letters(results);
  const kinds = new Set(found).size;
  const block = results[0].block;
  const head =
      ["rule, and who uses it", "result", "scale of each block", "RMS error", `codes that differ from ${against.rule}`];
  return h(
      "section.group",
      {"data-group": keyOf(group)},
      h(
          "h3",
          {},
          `${NAMES[keyOf(group)] ?? group.family}, ${group.elem}`,
          h("small", {},
            `blocks of ${block[0]} × ${block[1]}, scales of ${results[0].scale_type}; ${results.length} rule${
                results.length === 1 ? "" : "s"}, ${kinds} different result${kinds === 1 ? "" : "s"}`),
          ),
      h(
          "div.scroll",
          {tabindex: 0, role: "region", "aria-label": `rules of ${NAMES[keyOf(group)]} ${group.elem}`},
          h(
              "table.blocks",
              {},
              h("thead", {},
                h("tr", {}, head.map((words, i) => h(`th${i === 0 ? ".rule" : ""}`, {scope: "col"}, words)),
                  input.values.map(
                      (value, i) =>
                          h("th.code", {scope: "col", title: titleOf(input, i)}, h("small", {}, `${first + i}`),
                            shorter(value))))),
              h("tbody", {}, results.map((result, i) => resultRow(result, found[i], first, against))),
              ),
          ),
  );
}

async function showGroups(isCurrent, chosen) {
  const sections = [];
  view.results.setAttribute("aria-busy", "true");
  for (const group of chosen) {
    const [args, stdin] = inputOf(group);
    const result = await runLines(args, stdin);
    if (!isCurrent()) return;
    const reason = result.err.split("\n")[0].replace(/^pto blocks: /, "");
    if (result.lines.length > 1)
      sections.push(groupTable(group, result.lines));
    else if (result.lines.length === 1)
      sections.push(h("p.muted", {}, reason));
    else
      sections.push(h("div.illegal", {role: "alert"}, h("pre", {}, reason)));
    if (result.lines.length === 0) break;
    if (tensor && tensor.rows * tensor.cols > SLOW) view.results.replaceChildren(...sections);
  }
  view.results.replaceChildren(...sections);
  view.results.removeAttribute("aria-busy");
  announce(`${sections.length} tables of rules`);
}

function showInput() {
  const note = tensor ? `${state.file}: ${tensor.name}, ${tensor.shape.join(" × ")} of ${tensor.wide}${
                            tensor.isConverted ? " (converted to f32)" : ""}${
                            tensor.isPart ?
                                `; the first ${tensor.rows} × ${tensor.cols} are used` :
                                ""}. The address cannot hold a file: use “these numbers only” to get a link.` :
      state.file !== "" ? `The link was made for ${state.file}${
                              state.tensor ?
                                  `, tensor ${state.tensor}` :
                                  ""}: drop that file here to see it. Until then the numbers of the text are shown.` :
                          "";
  view.note.textContent = note;
  view.fromFile.hidden = tensor === null;
  view.text.disabled = tensor !== null;
  view.wide.disabled = tensor !== null;
}

const update = latest(async (isCurrent) => {
  save();
  groups ??= runLines(["groups"]).then((result) => result.lines);
  const all = await groups;
  if (!isCurrent()) return;
  const chosen = all.filter((group) => state.format === "all" || keyOf(group) === state.format);
  showInput();
  await showGroups(isCurrent, chosen.length > 0 ? chosen : all);
});

// Writes what differs from the first state to the address.
function save(push = false) {
  const isFirst = ([name, value]) => value === FIRST[name] || (name === "x" && tensor);
  const shown = Object.fromEntries(Object.entries(state).filter((entry) => !isFirst(entry)));
  writeState("blocks", {...shown, table: view.table.checked ? "1" : ""}, push);
}

// ---- files ----

async function chooseTensor(name) {
  const found = tensors.find((one) => one.name === name) ?? tensors[0];
  try {
    tensor = found.load();
    state.tensor = tensors.length > 1 ? found.name : "";
    view.error.textContent = "";
  } catch (error) {
    tensor = null;
    view.error.textContent = error.message;
  }
  await update();
}

let opened = 0;  // files that were opened; only the tensors of the last one are shown

async function openFile(file) {
  const mine = ++opened;
  let found;
  try {
    found = await readTensors(file);
  } catch (error) {
    if (mine !== opened) return;
    view.error.textContent = `${file.name}: ${error.message}`;
    announce(view.error.textContent);
    return;
  }
  if (mine !== opened) return;
  tensors = found;
  state.file = file.name;
  view.tensor.replaceChildren(
      ...tensors.map((one) => h("option", {value: one.name}, `${one.name} (${one.type}, ${one.shape.join(" × ")})`)));
  view.tensor.value = tensors.some((one) => one.name === state.tensor) ? state.tensor : tensors[0].name;
  view.tensor.disabled = tensors.length < 2;
  await chooseTensor(view.tensor.value);
}

// Puts the numbers that are shown into the text, and leaves the file.
async function useShown() {
  const used = tensor;
  const [group] = await groups;
  const {lines} = await runLines(...inputOf(group));
  if (tensor !== used) return;
  state.wide = used.wide;
  state.x = lines[0].bits.join(" ");
  leaveFile({row: "0", first: "0"});
}

function leaveFile(change = {}) {
  tensor = null;
  tensors = [];
  state = {...state, file: "", tensor: "", ...change};
  view.tensor.replaceChildren();
  setFields();
  update();
}

function initFiles() {
  const drop = view.drop;
  view.file.addEventListener("change", () => view.file.files[0] && openFile(view.file.files[0]));
  view.tensor.addEventListener("change", () => chooseTensor(view.tensor.value));
  for (const kind of ["dragenter", "dragover"])
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) openFile(file);
  });
  byId("blocks-use").addEventListener("click", useShown);
  byId("blocks-leave").addEventListener("click", () => leaveFile());
}

// ---- the view ----

const FIELDS = ["wide", "format", "against", "block", "row", "first", "shown", "round", "random"];

function setFields() {
  view.text.value = state.x;
  for (const name of FIELDS) view[name].value = state[name];
  view.random.disabled = state.round === "rn";
}

async function showChoices() {
  groups ??= runLines(["groups"]).then((result) => result.lines);
  const all = await groups;
  view.format.replaceChildren(
      h("option", {value: "all"}, "all formats"),
      ...all.map(
          (group) =>
              h("option", {value: keyOf(group)}, `${NAMES[keyOf(group)]}, ${group.elem} (${group.rules} rules)`)));
  view.against.replaceChildren(
      h("option", {value: ""}, "the first rule"),
      ...Object.keys(stacks).map((rule) => h("option", {value: rule}, rule)));
}

export const blocksView = {
  name: "blocks",
  init() {
    for (const part of ["text", "table", "note", "error", "drop", "file", "tensor", "results", ...FIELDS])
      view[part] = byId(`blocks-${part}`);
    view.fromFile = byId("blocks-from-file");
    view.text.addEventListener("input", () => {
      state.x = view.text.value;
      update(TYPING);
    });
    view.table.addEventListener("change", () => update());
    for (const name of FIELDS)
      view[name].addEventListener("input", () => {
        state[name] = view[name].value;
        view.random.disabled = state.round === "rn";
        update(TYPING);
      });
    initFiles();
  },
  async show(parameters) {
    for (const name of Object.keys(FIRST))
      state[name] = parameters.get(name) ?? (parameters.size > 0 ? FIRST[name] : state[name]);
    view.table.checked = parameters.get("table") === "1";
    if (state.file === "") tensor = null;
    await showChoices();
    setFields();
    await update();
  },
};
