// SPDX-License-Identifier: MIT
// The view of one instruction: its operands and results as bits, its steps in words, and alternatives if it is illegal.
import {announce, byId, h, latest} from "./dom.js";
import {run, runLines} from "./engine.js";
import {operandFields} from "./fields.js";
import {bitsPicture, scientific} from "./layout.js";
import {neighbours} from "./line.js";
import {writeState} from "./state.js";
import {alternatives, completions, vocabulary, wholeLine} from "./suggest.js";

const EXAMPLES = [
  ["cvt.rn.satfinite.e4m3x2.f32", ["0.1", "-1000"]],
  ["setp.lt.and.f16x2", ["{1, 2}", "{2, nan}", "1"]],
  ["pto.vcmp ... \"lt\"", ["1.5", "2", "1"]],
  ["cvt.rn.e4m3x2.f32", ["1", "2"]],
  ["cvt.rs.satfinite.e4m3x4.f32", ["1.1", "2.2", "3.3", "4.4", "0x12345678"]],
  ["cast.rn.hif8.f32", ["0.3"]],
  ["fma.rn.f32", ["1.1", "3", "-3.3"]],
  ["pto.vcvt", ["2.5", "1"]],
];

const TYPING = 120;  // milliseconds without a key, after which the page evaluates what was typed

let state = {text: EXAMPLES[0][0], values: EXAMPLES[0][1]};
let fields = null;
const view = {};

// ---- parsing what pto eval prints ----

const PACKED = {
  f16x2: "f16",
  bf16x2: "bf16",
  u8x4: "u8",
  s8x4: "s8",
  u16x2: "u16",
  s16x2: "s16"
};

// Returns the element types of a cvt or cast, such as ["e4m3", "f32"]: the destination and the source.
function typesOf(text) {
  const opcode = text.replace(/^\s*@\S+\s+/, "").split(/[\s;]/)[0];
  if (!/^(cvt|cast)\./.test(opcode)) return [];
  return opcode.split(".").slice(-2).map((type) => type.replace(/x[24]$/, ""));
}

// Returns the type of the elements of a row: that of its register, or for a cvt that of what the register contains.
function elementType(row, index, count, [dst, src]) {
  const width = row.bits.length === 1 ? (row.bits[0].length - 2) * 4 : 0;
  if (row.type in PACKED && count > 1) return PACKED[row.type];
  if (dst === undefined || !/^(b|e)\d/.test(row.type)) return row.type;
  if (row.role === "out") return dst;
  if (index === 0) return src;
  return count > 1 && width / count === 8 ? "ue8m0" : row.type;
}

/** Parses a line of pto eval, such as "out d .b16 0x1dfe  7678  {-448 (saturated), 0.1 (inexact)}". */
export function parseRow(line) {
  const match = /^(in|out)\s+(\S+)\s+\.(\S+)\s+(.*)$/.exec(line);
  if (!match) return null;
  const [, role, name, type, rest] = match;
  if (type === "pred")
    return {role, name, type, bits: [`0x${rest.trim()}`], values: [rest.trim()], remarks: [""], note: ""};
  const bits = /^(0x[0-9a-f]+( |$))+/.exec(rest)?.[0].trim().split(" ") ?? [];
  const list = /\{(.*)\}/.exec(rest)?.[1];
  const outside = rest.slice(bits.join(" ").length).replace(/\{.*\}/, "");
  const note = /\(([^)]*)\)/.exec(outside)?.[1] ?? "";
  const parts = list !== undefined ? list.split(", ") : [outside.replace(/\(.*/, "").trim()];
  const values = parts.map((part) => part.replace(/ ?\(.*/, ""));
  const remarks = parts.map((part) => /\(([^)]*)\)/.exec(part)?.[1] ?? "");
  if (list === undefined) remarks[0] = note;
  return {role, name, type, bits, values, remarks, note};
}

// Returns the codes of a row's elements in hexadecimal, the lowest first, with the bits of each.
function elementCodes(row, typeBits) {
  if (row.bits.length > 1) return row.bits.map((hex) => [hex, typeBits]);
  const hex = row.bits[0];
  const count = row.values.length;
  const all = row.type === "pred" ? 1 : (hex.length - 2) * 4;
  const width = count > 1 ? all / count : Math.min(all, typeBits || all);
  const code = BigInt(hex);
  return row.values.map((_, i) => {
    const part = (code >> BigInt(i * width)) & ((1n << BigInt(width)) - 1n);
    return ["0x" + part.toString(16).padStart(Math.ceil(width / 4), "0"), width];
  });
}

// ---- the results ----

function badge(words) {
  const kinds = {exact: "exact", inexact: "inexact", saturated: "saturated", overflow: "saturated", flushed: "flushed"};
  return words === "" ? null : h(`span.badge.${kinds[words] ?? "other"}`, {}, words);
}

function rowPicture(row, index, types, widths) {
  const type = elementType(row, index, row.values.length, types);
  const codes = elementCodes(row, widths.get(type) ?? 0);
  const elements = row.values.map(
      (value, i) => h(
          "div.element",
          {},
          bitsPicture(type, codes[i][1], codes[i][0]),
          h(
              "div.reading",
              {},
              h("span.value", {}, value),
              scientific(type, value),
              h("code", {}, codes[i][0]),
              row.values.length > 1 || type !== row.type ? h("span.type", {}, `.${type}`) : null,
              badge(row.remarks[i]),
              ),
          row.role === "out" && row.sources ? neighbours(type, codes[i][0], row.sources[i]) : null,
          ),
  );
  if (elements.length > 1) elements.reverse();  // the highest first, as the bits of the register
  const word = row.values.length > 1 && row.bits.length === 1 ? h("code.word", {}, row.bits[0]) : null;
  return h(
      `div.row.${row.role}`,
      {},
      h("div.register", {}, h("span.role", {}, row.role === "in" ? "in" : "out"), h("b", {}, row.name),
        h("span.type", {}, `.${row.type}`), word),
      h("div.elements", {}, elements),
  );
}

// Sets for each result of a conversion to a small format the values that it comes from, the lowest element first.
function addSources(rows, text) {
  const inputs = rows.filter((row) => row.role === "in");
  for (const row of rows) {
    if (row.role !== "out" || typesOf(text).length === 0 || /scaled/.test(text)) continue;
    const count = row.values.length;
    const isPacked = inputs[0].values.length === count && count > 1;
    row.sources = row.values.map((_, i) => (isPacked ? inputs[0].values[i] : inputs[count - 1 - i]?.values[0]));
    if (isPacked || count === 1) row.sourceType = typesOf(text)[1];
  }
}

async function showResult(text, result) {
  const {types} = vocabulary;
  const widths = new Map(types.map((type) => [type.type, type.bits]));
  widths.set("tf32", 32);
  const lines = result.out.split("\n");
  const rows = lines.map(parseRow).filter((row) => row !== null);
  const heading = lines.find((line) => line !== "" && parseRow(line) === null) ?? text;
  addSources(rows, text);
  const nth = {in : 0, out: 0};
  const pictures = rows.map((row) => rowPicture(row, nth[row.role]++, typesOf(heading), widths));
  view.result.replaceChildren(
      h("h3.line", {}, h("code", {}, heading)), ...pictures,
      h("details", {}, h("summary", {}, "as pto eval prints it"), h("pre", {}, result.out)));
  const words = rows.filter((row) => row.role === "out")
                    .map((row) => `${row.name} is ${row.values.join(", ")} ${row.remarks.join(" ")}`);
  announce(`Result: ${words.join("; ")}`);
}

// ---- the explanation ----

// Returns a table of results for sample values. A click on a row uses its value.
function samples(lines) {
  const rows = lines.map((line) => /^ {2}(\S+)\s+(0x\S+) -> (\S+)\s+(\S+)/.exec(line));
  if (rows.some((row) => row === null)) return h("pre.lanes", {tabindex: 0}, lines.join("\n"));
  const cells = rows.map(
      ([, value, from, to, result]) => h(
          "tr",
          {},
          h("td", {},
            h("button.link", {type: "button", onclick: () => useValue(value), title: `use ${value} as the value of a`},
              value)),
          h("td", {}, h("code", {}, from)),
          h("td", {}, h("code", {}, to)),
          h("td", {}, result),
          ),
  );
  return h(
      "div.scroll.samples",
      {tabindex: 0, role: "region", "aria-label": "results for other values"},
      h("table", {},
        h("thead", {}, h("tr", {}, ["value", "bits", "result", "value"].map((word) => h("th", {scope: "col"}, word)))),
        h("tbody", {}, cells)),
  );
}

function useValue(value) {
  fields.enter(0, value);
  evaluate();
}

function explanation(text) {
  return text.trim().split("\n\n").map((section) => {
    const lines = section.split("\n");
    if (lines[0] === "step by step:")
      return [
        h("h3", {}, "Step by step"),
        h("ol", {}, lines.slice(1).map((line) => h("li", {}, line.replace(/^ *\d+\. /, ""))))
      ];
    if (lines[0].startsWith("results of"))
      return [h("h3", {}, lines[0].replace(/^r/, "R").replace(/:$/, "")), samples(lines.slice(1))];
    return lines.map((line) => h("p", {}, line));
  });
}

// ---- an illegal instruction ----

async function showIllegal(text, explained, isCurrent) {
  const said = (explained.out + explained.err).replace(/^pto \w+: /, "").trim();
  const reason = said.split("\n\n")[0].split("\n");
  const place = reason.filter((line, i) => line.includes("^") || reason[i + 1]?.includes("^"));
  const words = reason.filter((line) => !place.includes(line) && !line.includes("--help"));
  const buttons = h("div.chips", {}, h("span.muted", {}, "looking for legal alternatives …"));
  view.result.replaceChildren(
      h(
          "div.illegal",
          {role: "alert"},
          h("h3", {}, "Not legal"),
          place.length > 0 ? h("pre", {tabindex: 0}, place.join("\n")) : null,
          words.map((line) => h("p", {}, line.replace(/^pto \w+:/, ""))),
          ),
      h("h3", {}, "Legal alternatives"),
      buttons,
  );
  const {meanings} = vocabulary;
  const name = /pto\.[\w.]+/.exec(text)?.[0] ?? text.trim().split(/[.\s]/)[0];
  if (!isCurrent()) return;
  view.words.replaceChildren(
      h("p", {},
        meanings.has(name) ? `${name}: ${meanings.get(name)}` : `${name}: no instruction of programs has this name`));
  const found = await alternatives(text, said);
  if (!isCurrent()) return;
  buttons.replaceChildren(
      ...found.map((line) => h("button.chip", {type: "button", onclick: () => setText(line)}, line)));
  if (found.length === 0)
    buttons.replaceChildren(h("span.muted", {}, "none found: Complete the text, or choose an example."));
  announce(`Not legal: ${words.join(" ")}`);
}

// ---- the fields ----

const DEFAULTS = ["1.5", "-2", "0.1", "3", "0x1"];

// Returns the kind of values that an operand takes.
function kindOf(operand) {
  if (operand.type === "pred") return "pred";
  if (operand.type in PACKED || operand.each > 1) return `${operand.type} ${operand.each}`;
  return /^[bus]\d/.test(operand.type) ? "integer" : "float";
}

function defaultValue(operand, i) {
  const part = PACKED[operand.type] ?? operand.type;
  const count = operand.type in PACKED ? Number(operand.type.slice(-1)) : operand.each;
  const isInteger = /^[bus]\d/.test(part);
  const values = Array.from({length: count}, (_, k) => (isInteger ? String(i + k + 5) : DEFAULTS[(i + k) % 4]));
  if (operand.type === "pred") return "1";
  return count > 1 ? `{${values.join(", ")}}` : values[0];
}

// Returns the operands of an instruction as those of fields.
function fieldOperands(lines) {
  return lines.map((operand, i) => ({
                     name: operand.name,
                     kind: kindOf(operand),
                     label: `.${operand.type}`,
                     first: defaultValue(operand, i),
                   }));
}

const evaluate = latest(async (isCurrent) => {
  const text = wholeLine(state.text);
  save();
  if (text === "") {
    view.result.replaceChildren(h("p.muted", {}, "Type an instruction of PTX or PTO, or choose an example."));
    view.words.replaceChildren();
    return;
  }
  const [found, explained] = await Promise.all([runLines(["operands", text]), run(["explain", text])]);
  if (!isCurrent()) return;
  if (found.status !== 0) {
    await showIllegal(text, explained.status !== 0 ? explained : found, isCurrent);
    return;
  }
  fields.setOperands(fieldOperands(found.lines));
  state.values = fields.values();
  save();
  const result = await run(["eval", text, ...state.values]);
  if (!isCurrent()) return;
  if (result.status === 0)
    await showResult(text, result);
  else
    view.result.replaceChildren(
        h("div.illegal", {role: "alert"}, h("h3", {}, "Not a value"),
          h("pre", {}, result.err.trim().split("\n")[0].replace(/^pto eval: /, ""))));
  view.words.replaceChildren(...explanation(explained.out).flat());
});

function save(push = false) {
  writeState("instruction", {text: state.text, v: state.values}, push);
}

function giveValues() {
  const {values} = state;
  fields.give((_, i) => values[i]);
}

// Shows another instruction, with the values given, or with those that were entered if they fit.
function setText(text, values = null) {
  state.text = text;
  view.text.value = text;
  fields.textChanged();
  if (values) {
    state.values = values;
    giveValues();
  }
  hideList();
  save(true);
  evaluate();
  view.text.focus();
}

// ---- completion ----

let active = -1;  // the index of the chosen completion

function hideList() {
  view.list.hidden = true;
  view.text.setAttribute("aria-expanded", "false");
  view.text.removeAttribute("aria-activedescendant");
  active = -1;
}

function choose(index) {
  const options = [...view.list.children];
  options.forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
  active = index;
  if (options[index]) {
    view.text.setAttribute("aria-activedescendant", options[index].id);
    options[index].scrollIntoView({block: "nearest"});
  } else
    view.text.removeAttribute("aria-activedescendant");
}

const complete = latest(async (isCurrent) => {
  const found = await completions(view.text.value);
  if (!isCurrent() || document.activeElement !== view.text) return;
  if (found.length === 0) return hideList();
  view.list.replaceChildren(
      ...found.map(
          (name, i) =>
              h("li", {
                role: "option",
                id: `completion-${i}`,
                "aria-selected": "false",
                onmousedown: (event) => (event.preventDefault(), setText(name))
              },
                name),
          ),
  );
  view.list.hidden = false;
  view.text.setAttribute("aria-expanded", "true");
  active = -1;
});

function onKey(event) {
  const count = view.list.hidden ? 0 : view.list.children.length;
  if (event.key === "Escape")
    hideList();
  else if (event.key === "Enter" && active >= 0 && count > 0)
    setText(view.list.children[active].textContent);
  else if (event.key === "Enter") {
    hideList();
    evaluate();
  } else if (event.key === "ArrowDown" && count > 0)
    choose((active + 1) % count);
  else if (event.key === "ArrowUp" && count > 0)
    choose((active + count - 1) % count);
  else
    return;
  event.preventDefault();
}

// ---- the view ----

export const instructionView = {
  name: "instruction",
  init() {
    for (const part of ["text", "list", "fields", "result", "words", "examples"])
      view[part] = byId(`instruction-${part}`);
    fields = operandFields(view.fields, "operand", () => {
      state.values = fields.values();
      evaluate(TYPING);
    });
    view.text.addEventListener("input", () => {
      state.text = view.text.value;
      fields.textChanged();
      evaluate(TYPING);
      complete();
    });
    view.text.addEventListener("keydown", onKey);
    view.text.addEventListener("blur", hideList);
    view.examples.append(...EXAMPLES.map(
        ([text, values]) => h("button.chip", {type: "button", onclick: () => setText(text, values)}, text)));
  },
  show(parameters) {
    if (parameters.has("text")) state = {text: parameters.get("text"), values: parameters.getAll("v")};
    view.text.value = state.text;
    giveValues();
    return evaluate();
  },
};
