// SPDX-License-Identifier: MIT
// Runs the program: each request is a new instance of the WebAssembly module with its own arguments and stdin. It has
// no files and no clock; this is all of WASI that it needs.

const BAD_DESCRIPTOR = 8;
const NO_ENTRY = 44;
const NOT_SEEKABLE = 70;
const REGULAR_FILE = 4;  // stdout is buffered as for a file

class Exit {
  constructor(status) {
    this.status = status;
  }
}

// Returns the imports of an instance, and the bytes that it has written. `memory` returns its memory.
function wasi(args, stdin, memory) {
  const encoded = args.map((text) => new TextEncoder().encode(text + "\0"));
  const written = [[], [], []];
  let read = 0;
  const view = () => new DataView(memory().buffer);

  // Calls `use` with each buffer of a list, until it returns fewer bytes than the buffer has. Returns their sum.
  function forBuffers(list, count, use) {
    let sum = 0;
    for (let i = 0; i < count; ++i) {
      const at = view().getUint32(list + 8 * i, true);
      const size = view().getUint32(list + 8 * i + 4, true);
      const used = use(new Uint8Array(memory().buffer, at, size));
      sum += used;
      if (used < size) break;
    }
    return sum;
  }

  const calls = {
    args_sizes_get(count, size) {
      view().setUint32(count, encoded.length, true);
      view().setUint32(size, encoded.reduce((sum, bytes) => sum + bytes.length, 0), true);
      return 0;
    },
    args_get(pointers, at) {
      encoded.forEach((bytes, i) => {
        view().setUint32(pointers + 4 * i, at, true);
        new Uint8Array(memory().buffer, at, bytes.length).set(bytes);
        at += bytes.length;
      });
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_read(descriptor, list, count, sum) {
      if (descriptor !== 0) return BAD_DESCRIPTOR;
      const bytes = forBuffers(list, count, (buffer) => {
        const part = stdin.subarray(read, read + buffer.length);
        buffer.set(part);
        read += part.length;
        return part.length;
      });
      view().setUint32(sum, bytes, true);
      return 0;
    },
    fd_write(descriptor, list, count, sum) {
      if (descriptor !== 1 && descriptor !== 2) return BAD_DESCRIPTOR;
      const bytes = forBuffers(list, count, (buffer) => {
        written[descriptor].push(buffer.slice());
        return buffer.length;
      });
      view().setUint32(sum, bytes, true);
      return 0;
    },
    fd_fdstat_get(descriptor, at) {
      if (descriptor > 2) return BAD_DESCRIPTOR;
      new Uint8Array(memory().buffer, at, 24).fill(0);
      view().setUint8(at, REGULAR_FILE);
      return 0;
    },
    fd_fdstat_set_flags: () => 0,
    fd_close: () => 0,
    fd_seek: () => NOT_SEEKABLE,
    fd_prestat_get: () => BAD_DESCRIPTOR,
    fd_prestat_dir_name: () => BAD_DESCRIPTOR,
    path_filestat_get: () => NO_ENTRY,
    path_open: () => NO_ENTRY,
    proc_exit(status) {
      throw new Exit(status);
    },
  };
  return {calls, written};
}

async function text(parts) {
  return new Blob(parts).text();
}

let compiled = null;  // a promise of the module

// Returns the module of the compressed program.
async function compile(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function run({args, stdin}) {
  let instance = null;
  let status = 0;
  let failure = "";
  const {calls, written} = wasi(["pto", ...args], stdin, () => instance.exports.memory);
  try {
    instance = await WebAssembly.instantiate(await compiled, {wasi_snapshot_preview1: calls});
    instance.exports._start();
  } catch (error) {
    if (error instanceof Exit)
      status = error.status;
    else {
      status = 2;
      failure = `the program ended: ${error.message}\n`;
    }
  }
  postMessage({status, out: await text(written[1]), err: (await text(written[2])) + failure});
}

onmessage = ({data}) => {
  if (data.wasm)
    compiled = compile(data.wasm);
  else
    run(data);
};
