// SPDX-License-Identifier: MIT
// The view of a small format: all codes, a number line, and one code with its neighbours.
import {announce, arrowKeys, byId, h, latest} from "./dom.js";
import {run} from "./engine.js";
import {bitsPicture, scientific} from "./layout.js";
import {codesOf, inOrder, scaleOf} from "./line.js";
import {writeState} from "./state.js";
import {vocabulary} from "./suggest.js";

let state = {type: "e4m3", code: "0x38", scale: "log"};
let codes = [];
let bits = 8;
const view = {};

// Returns a value as a significand and a power of two.
function exact(value) {
  if (!Number.isFinite(value) || value === 0) return String(Object.is(value, -0) ? "-0" : value);
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  return `${value / 2 ** exponent} × 2^${exponent}`;
}

// ---- one code ----

// Returns the codes with the next smaller and the next greater value. +0 and -0 have the same value.
function around(code) {
  const values = inOrder([...codes]);
  return {
    below: values.findLast((other) => other.value < code.value),
    above: values.find((other) => other.value > code.value),
  };
}

function neighbourButton(words, code, from) {
  if (!code) return h("div.neighbour", {}, h("span.muted", {}, words), h("span", {}, "none"));
  const gap = Math.abs(code.value - from.value);
  return h(
      "div.neighbour",
      {},
      h("span.muted", {}, words),
      h("button.chip", {type: "button", onclick: () => select(code.bits)}, `${code.text} `, h("code", {}, code.bits)),
      h("span.muted", {}, Number.isFinite(gap) ? `distance ${gap}` : ""),
  );
}

function showCode() {
  const code = codes.find((other) => other.bits === state.code) ?? codes[0];
  const {below, above} = Number.isNaN(code.value) ? {} : around(code);
  state.code = code.bits;
  view.code.replaceChildren(
      bitsPicture(state.type, bits, code.bits),
      h(
          "div.reading",
          {},
          h("span.value", {}, code.text),
          scientific(state.type, code.text),
          h("code", {}, code.bits),
          h(`span.badge.${code.class}`, {}, code.class),
          ),
      h("div.neighbours", {}, neighbourButton("next below", below, code), neighbourButton("next above", above, code)),
  );
  for (const cell of view.grid.querySelectorAll("button")) {
    const isChosen = cell.dataset.code === code.bits;
    cell.setAttribute("aria-pressed", String(isChosen));
    cell.tabIndex = isChosen ? 0 : -1;
  }
  for (const row of view.rows.querySelectorAll("tr")) row.classList.toggle("chosen", row.dataset.code === code.bits);
  for (const tick of view.line.querySelectorAll("line.tick"))
    tick.classList.toggle("chosen", tick.dataset.code === code.bits);
  showPlace();
  announce(`${code.bits} is ${code.text}, ${code.class}`);
}

// Scrolls the number line so that the chosen value is in the middle, if the line is wider than the screen.
function showPlace() {
  const box = view.line.parentElement;
  const tick = view.line.querySelector("line.tick.chosen");
  if (tick) box.scrollLeft = view.line.clientWidth * tick.getAttribute("x1") / 1000 - box.clientWidth / 2;
}

function select(code, push = false) {
  state.code = code;
  showCode();
  writeState("formats", state, push);
}

// ---- all codes ----

function columnsOfGrid() {
  return codes.length >= 64 ? 16 : Math.min(codes.length, 8);
}

function showGrid() {
  view.grid.style.setProperty("--columns", columnsOfGrid());
  view.grid.replaceChildren(
      ...codes.map((code) => {
        const cell =
            h(`button.${code.class}`, {
              type: "button",
              "data-code": code.bits,
              "aria-label": `${code.bits}: ${code.text}, ${code.class}`,
              title: `${code.bits} = ${code.text}, ${code.class}`,
              onclick: () => select(code.bits)
            },
              h("code", {}, code.bits.slice(2)), h("small", {}, short(code.text)));
        return cell;
      }),
  );
}

// Returns a value in few characters, for a small cell.
function short(text) {
  if (text.length <= 6) return text;
  if (Math.abs(Number(text)) < 0.001) return Number(text).toExponential(1).replace(".0e", "e");
  return Number(text).toPrecision(2).replace(/\.?0+e/, "e").replace("e+", "e");
}

function showRows() {
  view.rows.replaceChildren(
      ...codes.map((code) => {
        const {below, above} = Number.isNaN(code.value) ? {} : around(code);
        return h(
            "tr",
            {"data-code": code.bits},
            h("td", {}, h("button.link", {type: "button", onclick: () => select(code.bits)}, h("code", {}, code.bits))),
            h("td", {}, h("code.binary", {}, BigInt(code.bits).toString(2).padStart(bits, "0"))),
            h("td.number", {}, code.text),
            h("td.number", {}, exact(code.value)),
            h("td", {}, h(`span.badge.${code.class}`, {}, code.class)),
            h("td.number", {}, below?.text ?? ""),
            h("td.number", {}, above?.text ?? ""),
        );
      }),
  );
}

// ---- the number line ----

// Returns values for labels that do not overlap: powers of two or ten, and the ends.
function labelled(values, place) {
  const chosen = [];
  const most = values.at(-1).value;
  const wanted = [...values].sort((a, b) => rank(a.value, most) - rank(b.value, most));
  for (const code of wanted) {
    const at = place(code.value);
    const needed = 0.012 * Math.max(5, short(code.text).length);
    if (chosen.every(([other]) => Math.abs(other - at) >= needed)) chosen.push([at, code]);
  }
  return chosen;
}

function rank(value, most) {
  if (value === 0 || Math.abs(value) === most) return 0;
  return Math.abs(Math.log2(Math.abs(value))) % 1 === 0 ? 1 + Math.abs(Math.log2(Math.abs(value))) / 64 : 10;
}

function showLine() {
  const values = inOrder([...codes]).filter((code) => Number.isFinite(code.value));
  const place = scaleOf(values.map((code) => code.value), state.scale === "log");
  const x = (code) => (20 + 960 * place(code.value)).toFixed(1);
  const heights = {zero: 30, subnormal: 18, normal: 24, number: 24};
  const distinct = values.filter((code, i) => values[i + 1]?.value !== code.value);
  view.line.replaceChildren(
      h("line", {x1: 10, x2: 990, y1: 60, y2: 60, class: "axis"}),
      ...values.map(
          (code) =>
              h(`line.tick.${code.class}`,
                {x1: x(code), x2: x(code), y1: 60 - heights[code.class], y2: 60, "data-code": code.bits})),
      ...labelled(distinct, place)
          .map(([, code]) => h("text", {x: x(code), y: 78, "text-anchor": "middle"}, short(code.text))),
  );
  view.line.setAttribute(
      "aria-label",
      `number line of ${state.type} with ${distinct.length} finite values from ${distinct[0].text} to ${
          distinct.at(-1).text}`);
}

// Selects the value that is nearest to where the line was clicked.
function clickLine(event) {
  const ticks = [...view.line.querySelectorAll("line.tick")];
  const middle = (tick) => tick.getBoundingClientRect().left;
  const nearest = ticks.reduce(
      (best, tick) => (Math.abs(middle(tick) - event.clientX) < Math.abs(middle(best) - event.clientX) ? tick : best));
  select(nearest.dataset.code);
}

function moveOnLine(event) {
  const step = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key];
  if (step === undefined) return;
  const values = inOrder([...codes]);
  const to = values[values.findIndex((code) => code.bits === state.code) + step];
  event.preventDefault();
  if (to) select(to.bits);
}

// ---- the view ----

const showType = latest(async (isCurrent) => {
  const [found, about] = await Promise.all([codesOf(state.type), run(["explain", state.type])]);
  if (!isCurrent()) return;
  codes = found;
  bits = vocabulary.types.find((type) => type.type === state.type).bits;
  if (codes.length === 64) bits = 6;
  view.about.replaceChildren(...about.out.trim().split("\n").slice(1).map((line) => h("li", {}, line)));
  showGrid();
  showRows();
  showLine();
  showCode();
  writeState("formats", state);
});

async function showChoices() {
  const {types} = vocabulary;
  const small = types.filter((type) => type.values && type.bits <= 8 && type.type !== "b8");
  view.type.replaceChildren(...small.map((type) => h("option", {value: type.type}, type.type)));
  if (!small.some((type) => type.type === state.type)) state.type = "e4m3";
  view.type.value = state.type;
}

export const formatsView = {
  name: "formats",
  init() {
    for (const part of ["type", "scale", "about", "grid", "rows", "line", "code"]) view[part] = byId(`formats-${part}`);
    view.type.addEventListener("change", () => {
      state.type = view.type.value;
      writeState("formats", state, true);
      showType();
    });
    view.scale.addEventListener("change", () => {
      state.scale = view.scale.checked ? "log" : "linear";
      showLine();
      showCode();
      writeState("formats", state);
    });
    arrowKeys(view.grid, "button", columnsOfGrid);
    view.line.addEventListener("click", clickLine);
    view.line.addEventListener("keydown", moveOnLine);
  },
  async show(parameters) {
    for (const name of ["type", "code", "scale"]) state[name] = parameters.get(name) ?? state[name];
    view.scale.checked = state.scale === "log";
    await showChoices();
    await showType();
  },
};
