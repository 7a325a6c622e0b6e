// SPDX-License-Identifier: MIT
// Fields for the operands of a text that the user edits. The program finds the operands some time after the text has
// changed. What the user enters in that time is for the operands of the new text.
import {h} from "./dom.js";

/**
 * Returns fields in `container`. `changed` is called when the user changes a value.
 *
 * An operand has a name, a kind and a text for its label, and a value to start with (`first`). Values that were entered
 * are remembered by name and kind, and come back when an operand has both again.
 */
export function operandFields(container, prefix, changed) {
  let operands = [];            // the operands that the fields show
  let isOld = true;             // whether the text has changed since `operands` was set
  let given = () => undefined;  // returns the value of an operand in an address or an example
  const entered = new Set();    // indices of the fields that the user has changed while isOld
  const remembered = new Map();
  const key = (operand) => `${operand.name} ${operand.kind}`;
  const inputs = () => [...container.querySelectorAll("input")];

  function onInput(i, text) {
    if (isOld)
      entered.add(i);
    else
      remembered.set(key(operands[i]), text);
    changed();
  }

  function makeField(i) {
    const id = `${prefix}-${i}`;
    const input = h("input", {id, autocomplete: "off", autocapitalize: "off", spellcheck: "false"});
    input.addEventListener("input", () => onInput(i, input.value));
    return h("div.operand", {}, h("label", {for: id
             }), input);
  }

  return {
    /** Must be called as soon as the text changes. */
    textChanged() {
      isOld = true;
    },

    /** Sets the values for the operands that are found next: `find` returns that of an operand, or undefined. */
    give(find) {
      isOld = true;
      entered.clear();
      given = find;
    },

    /** Sets the operands of the text. Fields that remain are not made again, so that they keep focus and cursor. */
    setOperands(found) {
      const before = inputs();
      const values = found.map(
          (operand, i) =>
              (entered.has(i) ? before[i].value : given(operand, i) ?? remembered.get(key(operand)) ?? operand.first));
      while (container.children.length > found.length) container.lastElementChild.remove();
      for (let i = container.children.length; i < found.length; ++i) container.append(makeField(i));
      inputs().forEach((input, i) => {
        remembered.set(key(found[i]), values[i]);
        input.labels[0].replaceChildren(found[i].name, h("span.type", {}, ` ${found[i].label}`));
        if (input.value !== values[i]) input.value = values[i];
      });
      operands = found;
      isOld = false;
      given = () => undefined;
      entered.clear();
    },

    /** Sets a value, as if the user had entered it. */
    enter(i, text) {
      inputs()[i].value = text;
      onInput(i, text);
    },

    /** The operands that the fields are for. */
    operands: () => operands,

    /** The values in the fields, in the order of the operands. */
    values: () => inputs().map((input) => input.value),
  };
}
