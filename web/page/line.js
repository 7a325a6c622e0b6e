// SPDX-License-Identifier: MIT
// Number lines of small formats.
import {h} from "./dom.js";
import {runLines} from "./engine.js";

const tables = new Map();  // from a type to a promise of its codes

/** Returns the codes of a type of up to 8 bits, each with bits, value (a number), class and text. */
export function codesOf(type) {
  if (!tables.has(type)) tables.set(type, loadCodes(type));
  return tables.get(type);
}

async function loadCodes(type) {
  const {lines} = await runLines(["table", "--json", type]);
  return lines.map((line) => ({
                     ...line,
                     text: Object.is(line.value, -0) ? "-0" : String(line.value),
                     value: Number(String(line.value).replace("inf", "Infinity")),
                   }));
}

/** Returns the codes that are values, from the smallest to the largest; -0 is before +0. */
export function inOrder(codes) {
  const finite = codes.filter((code) => !Number.isNaN(code.value));
  return finite.sort((a, b) => a.value - b.value || (a.sign === "-" ? -1 : 1) - (b.sign === "-" ? -1 : 1));
}

/** Returns a function from values to places from 0 to 1: linear, or logarithmic on both sides of zero. */
export function scaleOf(values, isLogarithmic) {
  const finite = values.filter(Number.isFinite);
  const most = Math.max(...finite.map(Math.abs));
  const least = Math.min(...finite.map(Math.abs).filter((value) => value > 0));
  const low = Math.min(...finite);
  const start = low < 0 ? -most : 0;
  if (!isLogarithmic) return (value) => clamp((value - start) / (most - start));
  const span = Math.log2(most / least) + 1;
  const place = (value) => (value === 0 ? 0 : Math.sign(value) * (1 + Math.log2(Math.abs(value) / least)));
  return (value) => clamp(low < 0 ? 0.5 + place(value) / span / 2 : place(value) / span);
}

function clamp(place) {
  return Math.min(1.02, Math.max(-0.02, place));
}

/**
 * Returns a line with the two values of a small format that are nearest to a source, the source between them, and the
 * result. It is filled in when the table of the format is known; types without a table give nothing.
 */
export function neighbours(type, hex, source) {
  const box = h("div.between");
  if (!/^(u?e\dm\d|hif8|s2f6|binary8|[us][24]$)/.test(type) || source === undefined) return null;
  codesOf(type).then((codes) => {
    const from = Number(source);
    const result = codes.find((code) => Number(code.bits) === Number(hex));
    const values = inOrder([...codes]).filter((code) => Number.isFinite(code.value));
    const below = values.findLast((code) => code.value <= from);
    const above = values.find((code) => code.value >= from && code !== below);
    if (Number.isNaN(from) || result === undefined) return;
    const part =
        below && above && Number.isFinite(from) ? (from - below.value) / (above.value - below.value || 1) : null;
    const end = (code, side) =>
        h(`span.end.${side}`, {class: `end ${side}${code && code.bits === result.bits ? " chosen" : ""}`},
          code ? `${code.text} ` : "", code ? h("code", {}, code.bits) : "nothing");
    const words = below?.value === from ?
        `${source} is a value of ${type}` :
        `${source} is between ${below?.text ?? "nothing"} and ${above?.text ?? "nothing"}`;
    if (below?.value === from || !below || !above) {
      box.append(
          h("span.muted", {},
            below?.value === from ? words : `${source} is beyond ${(below ?? above).text}, the last value of ${type}`));
      return;
    }
    const at = `${(6 + 88 * part).toFixed(1)}%`;
    box.append(
        h(
            "svg",
            {role: "img", "aria-label": words, width: "100%", height: 26},
            h("line", {x1: "6%", x2: "94%", y1: 18, y2: 18, class: "axis"}),
            h("line", {x1: "50%", x2: "50%", y1: 14, y2: 22, class: "middle"}),
            [below, above].map(
                (code, i) => h(
                    "circle",
                    {cx: i === 0 ? "6%" : "94%", cy: 18, r: 5, class: code.bits === result.bits ? "chosen" : "value"})),
            h("line", {x1: at, x2: at, y1: 6, y2: 24, class: "source"}),
            h("text",
              {x: at,
               y: 6,
               "text-anchor": part > 0.7 ? "end" :
                   part < 0.3            ? "start" :
                                           "middle",
               class: "label"},
              ""),
            ),
        h("div.ends", {}, end(below, "below"), h("span.given", {}, source), end(above, "above")),
    );
  });
  return box;
}
