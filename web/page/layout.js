// SPDX-License-Identifier: MIT
// The fields of a code (sign, exponent, significand), and their picture.
import {h} from "./dom.js";

// Returns the fields of hif8 from the highest bit, which depend on the code: sign, dot, exponent, significand.
function hif8Fields(code) {
  const low = code & 0x7f;
  const [dot, exponent] = low >= 96 ? [2, 4] : low >= 64 ? [2, 3] : low >= 32 ? [2, 2] : low >= 16 ? [3, 1] : [4, 0];
  const isSubnormal = low < 8;
  return [
    ["sign", 1],
    ["dot", dot],
    ["exponent", isSubnormal ? 3 : exponent],
    ["significand", isSubnormal ? 0 : 7 - dot - exponent],
  ];
}

const WIDE = {
  f16: [5, 10],
  bf16: [8, 7],
  f32: [8, 23],
  f64: [11, 52],
  binary8p3se: [5, 2],
  binary8p4se: [4, 3]
};

/** Returns the fields of a code, from the highest bit: pairs of a name and a number of bits. `code` is a BigInt. */
export function fieldsOf(type, bits, code) {
  const small = /^(u?)e(\d)m(\d)/.exec(type);
  let fields;
  if (type === "hif8")
    fields = hif8Fields(Number(code));
  else if (type === "pred")
    fields = [["truth", 1]];
  else if (type === "tf32")
    fields = [["sign", 1], ["exponent", 8], ["significand", 10], ["unused", 13]];
  else if (type in WIDE)
    fields = [["sign", 1], ["exponent", WIDE[type][0]], ["significand", WIDE[type][1]]];
  else if (small)
    fields = [["sign", small[1] ? 0 : 1], ["exponent", +small[2]], ["significand", +small[3]]];
  else if (/^(s\d|bfp)/.test(type))
    fields = [["sign", 1], ["significand", bits - 1]];
  else
    fields = [["significand", bits]];
  const used = fields.reduce((sum, [, count]) => sum + count, 0);
  if (used < bits) fields.unshift(["unused", bits - used]);
  return fields.filter(([, count]) => count > 0);
}

const INTEGER_WORDS = {
  significand: "value",
  sign: "sign",
  truth: "truth",
  unused: "unused"
};

/** Returns the words for a field: an integer has a value where a float has a significand. */
function fieldWord(type, field) {
  return /^[usb]\d/.test(type) && !/^s2f6/.test(type) ? INTEGER_WORDS[field] : field;
}

/** Returns the picture of a code: its bits, coloured and labelled by field. */
export function bitsPicture(type, bits, hex) {
  const code = BigInt(hex);
  const digits = code.toString(2).padStart(bits, "0").slice(-bits);
  const fields = fieldsOf(type, bits, code);
  const words = [];
  let at = 0;
  const groups = fields.map(([field, count]) => {
    const part = digits.slice(at, at + count);
    at += count;
    words.push(`${fieldWord(type, field)} ${part}`);
    return h(
        `span.field.${field}`,
        {},
        h("span.cells", {}, [...part].map((digit) => h("b", {}, digit))),
        h("span.name", {}, count === 1 && field === "sign" ? "±" : fieldWord(type, field)),
    );
  });
  return h("div.bits", {role: "img", "aria-label": `${type} ${hex}: ${words.join(", ")}`}, groups);
}

/** Returns an element with a finite float as "1.625 × 2^-4", the -4 raised; null for zeros and other values. */
export function scientific(type, text) {
  const exact = type === "f32" ? Math.fround(Number(text)) : Number(text);
  if (!Number.isFinite(exact) || exact === 0 || /^([usb]\d|pred$)/.test(type) || text === "") return null;
  let exponent = Math.floor(Math.log2(Math.abs(exact)));
  if (Math.abs(exact) / 2 ** exponent >= 2) ++exponent;
  if (Math.abs(exact) / 2 ** exponent < 1) --exponent;
  const significand = exact / 2 ** exponent;
  return h("span.scientific", {}, `${significand} × 2`, h("sup", {}, String(exponent)));
}
