// SPDX-License-Identifier: MIT
// Completes instructions while the user types, and finds legal alternatives to an illegal one.
import {run} from "./engine.js";

const lists = JSON.parse(document.getElementById("vocabulary").textContent);

/** The version of libpto, the types, the instructions of programs, and all forms of cvt, setp and set. */
export const vocabulary = {
  ...lists,
  forms: lists.forms.split(" "),
  meanings: new Map(lists.instructions.map((line) => [line.instruction, line.meaning])),
};

/** Returns the whole line for a short text of PTO, such as `pto.vcmp ... "lt"`; other texts as they are. */
export function wholeLine(text) {
  const short = /^\s*(pto\.[\w.]+)(?:\s*(?:\.\.\.|…))?(?:\s*,?\s*"(\w+)")?\s*$/.exec(text);
  if (!short) return text.trim();
  const {instructions} = vocabulary;
  const example = instructions.find((line) => line.instruction === short[1])?.example;
  if (!example || example === short[1]) return text.trim();
  return short[2] ? example.replace(/"\w+"/, `"${short[2]}"`) : example;
}

// Returns candidates for completion: instructions of PTX with types, forms, casts, operations of PTO.
function candidates({forms, instructions, types}, text) {
  if (text.startsWith("pto"))
    return instructions.map((line) => line.instruction).filter((name) => name.startsWith("pto."));
  if (text.startsWith("cast")) return castCandidates(types, text);
  const examples =
      instructions.map((line) => line.example).filter((line) => line.includes(".") && !line.startsWith("%"));
  return [...examples.filter((line) => !/^(cvt|setp|set|pto)\b/.test(line)), ...forms];
}

function castCandidates(types, text) {
  const names = types.filter((type) => type.values || /^b?f\d/.test(type.type)).map((type) => type.type);
  const words = text.split(".");
  if (words.length <= 2) return ["rn", "rna", "rz", "rm", "rp", "rs", "ro"].map((round) => `cast.${round}.e4m3.f32`);
  const head = words.slice(0, -1).join(".");
  const modifiers = words.length === 3 ? ["saturate", "saturate_finite"] : [];
  const isComplete = names.includes(words[words.length - 2]);
  return [
    ...modifiers.map((word) => `${head}.${word}.e4m3.f32`),
    ...names.map((name) => (isComplete ? `${head}.${name}` : `${head}.${name}.f32`))
  ];
}

/** Returns completions of a text: first those that begin with it, then those that have its words in their order. */
export async function completions(text, most = 8) {
  const words = text.trim();
  if (words === "" || /[\s;%]/.test(words)) return [];
  const all = candidates(vocabulary, words);
  const parts = words.split(".").filter((part) => part !== "");
  const begins = all.filter((name) => name.startsWith(words) && name !== words);
  const contains = all.filter((name) => {
    let at = 0;
    const found = parts.every((part) => {
      const next = name.indexOf(part, at);
      at = next + part.length;
      return next >= 0;
    });
    return found && !name.startsWith(words);
  });
  begins.sort((a, b) => a.length - b.length);
  contains.sort((a, b) => a.length - b.length);
  return [...begins, ...contains].slice(0, most);
}

// Returns how many words must be inserted, removed or replaced to turn `b` into `a`. A word that is nearly the other
// counts half.
function distance(a, b) {
  let row = b.map((_, i) => i + 1);
  row.unshift(0);
  for (let i = 0; i < a.length; ++i) {
    const next = [i + 1];
    for (let k = 0; k < b.length; ++k) {
      const isNear = a[i].slice(0, 2) === b[k].slice(0, 2) || a[i].slice(-2) === b[k].slice(-2);
      const replaced = row[k] + (a[i] === b[k] ? 0 : isNear ? 0.75 : 1.25);
      next.push(Math.min(replaced, row[k + 1] + 1, next[k] + 1));
    }
    row = next;
  }
  return row[b.length];
}

// Returns the forms of cvt, setp and set that are nearest to a text.
function nearestForms(forms, text, most) {
  const words = text.split(".");
  const near =
      forms.filter((form) => form.startsWith(words[0] + ".")).map((form) => [distance(words, form.split(".")), form]);
  return near.filter(([far]) => far <= 3).sort((a, b) => a[0] - b[0]).slice(0, most).map(([, form]) => form);
}

// The words that PTX has after the names of instructions, besides types.
const MODIFIERS = [
  "lo hi wide rn rz rm rp ftz sat approx full NaN xorsign abs",
  "l r wrap clamp finite infinite number notanumber normal subnormal and or xor lt le gt ge eq ne",
].join(" ").split(" ");

// Returns the texts that become legal if the word at a place is replaced, removed, or has another one before it.
async function repaired(opcode, rest, place) {
  const words = opcode.split(".");
  const at = Math.max(1, opcode.slice(0, place).split(".").length - 1);
  const types = vocabulary.types.map((type) => type.type).filter((name) => /^b?[fsbu](8|16|32|64)(x\d)?$/.test(name));
  const texts = [[...words.slice(0, at), ...words.slice(at + 1)]];
  for (const word of [...types, ...MODIFIERS]) {
    texts.push([...words.slice(0, at), word, ...words.slice(at + 1)]);
    texts.push([...words.slice(0, at), word, ...words.slice(at)]);
  }
  const legal = await onlyLegal(texts.map((text) => text.join(".") + rest));
  return legal.sort((a, b) => distance(words, a.split(".")) - distance(words, b.split(".")));
}

/** Returns legal alternatives to an illegal instruction, the nearest first. `said` is what pto explain prints. */
export async function alternatives(text, said, most = 12) {
  const {forms, instructions} = vocabulary;
  const [, opcode, rest] = /^(\S*)(.*)$/s.exec(text.trim());
  const found = [];
  const name = /pto\.[\w.]+/.exec(text)?.[0];
  if (name) {
    const names = instructions.map((line) => line.instruction).filter((other) => other.startsWith("pto."));
    const near =
        names.includes(name) ? [name] : [...names].sort((a, b) => letters(name, a) - letters(name, b)).slice(0, 5);
    const word = /"(\w+)"/.exec(text)?.[1];
    for (const one of near) found.push(wholeLine(word ? `${one} "${word}"` : one), wholeLine(one));
    return (await onlyLegal(found)).slice(0, most);
  }
  const meant = /perhaps "([^"]+)" is meant/.exec(said)?.[1];
  const place = /\n( *)\^/.exec(said)?.[1].length;
  if (meant && place !== undefined && rest === "")
    found.push(opcode.slice(0, place) + meant + opcode.slice(place).replace(/^[^.]*/, ""));
  found.push(...[...said.matchAll(/^ {2}((?:cvt|setp|set)\.\S+)$/gm)].map((match) => match[1]));
  found.push(...nearestForms(forms, opcode, most));
  const names = [...new Set(instructions.map((line) => line.instruction.split(".")[0]))];
  if (!/^(cvt|setp|set)(\.|$)/.test(opcode) && names.includes(opcode.split(".")[0]))
    found.push(...(await repaired(opcode, rest, place ?? opcode.length)));
  else if (!names.includes(opcode.split(".")[0])) {
    const near =
        [...names].sort((a, b) => letters(opcode.split(".")[0], a) - letters(opcode.split(".")[0], b)).slice(0, 4);
    for (const one of near) {
      found.push([one, ...opcode.split(".").slice(1)].join("."));
      found.push(instructions.find((line) => line.instruction === one).example);
    }
  }
  return (await onlyLegal(found)).slice(0, most);
}

// Returns how many letters two names differ by, roughly: those that only one of them has.
function letters(a, b) {
  const count = (x, y) => [...x].filter((letter) => !y.includes(letter)).length;
  return count(a, b) + count(b, a) + Math.abs(a.length - b.length) / 4 + (a[0] === b[0] ? 0 : 1);
}

async function onlyLegal(texts) {
  const unique = [...new Set(texts)].filter((text) => text);
  const {out} = await run(["legal"], unique.join("\n"));
  return out.split("\n").filter((line) => line !== "");
}
