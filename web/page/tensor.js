// SPDX-License-Identifier: MIT
// Reads the tensors of .npy and .safetensors files. Nothing is sent anywhere.

const LIMIT = 1 << 20;  // elements that are used of a tensor

// From the type of a file to the type of the tensor in libpto, the bytes of an element, and for types that libpto does
// not quantize the class that converts to f32.
const NPY = {
  f4: ["f32", 4],
  f2: ["f16", 2],
  f8: ["f32", 8, Float64Array],
  i1: ["f32", 1, Int8Array],
  u1: ["f32", 1, Uint8Array],
  i2: ["f32", 2, Int16Array],
  u2: ["f32", 2, Uint16Array],
  i4: ["f32", 4, Int32Array],
  u4: ["f32", 4, Uint32Array],
};
const SAFETENSORS = {
  F32: ["f32", 4],
  F16: ["f16", 2],
  BF16: ["bf16", 2],
  F64: ["f32", 8, Float64Array],
  I8: ["f32", 1, Int8Array],
  U8: ["f32", 1, Uint8Array],
  I16: ["f32", 2, Int16Array],
  I32: ["f32", 4, Int32Array],
};

// Throws unless the shape that a file states is a list of sizes.
function checkShape(name, shape) {
  if (!Array.isArray(shape) || !shape.every((n) => Number.isSafeInteger(n) && n >= 0))
    throw new Error(`the shape of ${name} is not a list of sizes`);
}

/** Returns the bytes of the first rows of a tensor, at most LIMIT elements, as f32, f16 or bf16. */
function take(name, shape, form, bytes) {
  const [wide, size, convert] = form;
  const elements = shape.reduce((product, n) => product * n, 1);
  const cols = shape.length === 0 ? 1 : shape.at(-1);
  if (elements === 0) throw new Error(`${name} has no elements`);
  if (bytes.length < elements * size) throw new Error(`${name} is incomplete`);
  const rows = Math.max(1, Math.min(elements / cols, Math.floor(LIMIT / cols)));
  const used = Math.min(cols, LIMIT);
  let raw = bytes.slice(0, rows * used * size);
  if (convert) raw = new Uint8Array(Float32Array.from(new convert(raw.buffer)).buffer);
  return {
    name,
    shape,
    wide,
    rows,
    cols: used,
    bytes: raw,
    isPart: rows * used < elements,
    isConverted: convert !== undefined
  };
}

function readNpy(name, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = bytes[6] > 1;
  const length = isLong ? view.getUint32(8, true) : view.getUint16(8, true);
  const start = isLong ? 12 : 10;
  const header = new TextDecoder().decode(bytes.subarray(start, start + length));
  const type = /'descr'\s*:\s*'([<>|=])(\w+)'/.exec(header);
  const shape = /'shape'\s*:\s*\(([^)]*)\)/.exec(header);
  if (!type || !shape)
    throw new Error("the header of the .npy file is not one that NumPy writes for an array of numbers");
  if (/'fortran_order'\s*:\s*True/.test(header))
    throw new Error("expected an array in C order; this one is in Fortran order");
  if (type[1] === ">" || !Object.hasOwn(NPY, type[2]))
    throw new Error(`no elements of type ${type[1]}${type[2]}; expected f4, f2, f8 or integers`);
  const numbers = shape[1].split(",").map((text) => text.trim()).filter((text) => text !== "").map(Number);
  checkShape(name, numbers);
  const data = bytes.subarray(start + length);
  return [{name, shape: numbers, type: type[2], load: () => take(name, numbers, NPY[type[2]], data)}];
}

function readSafetensors(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length < 8 ? NaN : Number(view.getBigUint64(0, true));
  if (!(length <= bytes.length - 8)) throw new Error("the header of the .safetensors file is longer than the file");
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const data = bytes.subarray(8 + length);
  const tensors = Object.entries(header ?? {})
                      .filter(([name, info]) => name !== "__metadata__" && Object.hasOwn(SAFETENSORS, info?.dtype));
  if (tensors.length === 0) throw new Error("the file has no tensor of type F32, F16, BF16, F64 or of integers");
  for (const [name, {shape}] of tensors) checkShape(name, shape);
  return tensors.map(([name, {dtype, shape, data_offsets: [from, to]}]) => ({
                       name,
                       shape,
                       type: dtype,
                       load: () => take(name, shape, SAFETENSORS[dtype], data.subarray(from, to)),
                     }));
}

/** Returns the tensors of a file: name, shape and type of each, and a function that loads it. Throws Error. */
export async function readTensors(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isNpy = bytes[0] === 0x93 && new TextDecoder().decode(bytes.subarray(1, 6)) === "NUMPY";
  return isNpy ? readNpy(file.name, bytes) : readSafetensors(bytes);
}
