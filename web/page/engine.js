// SPDX-License-Identifier: MIT
// Calls the program in a worker, so that the page can be used while it runs.

const LIMIT = 30000;  // milliseconds after which a run is stopped

function bytesOf(id) {
  return Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (character) => character.charCodeAt(0));
}

let wasm = null;
let worker = null;
let next = 0;
const waiting = new Map();  // from the number of a run to the callback for its result

function finish(id, result) {
  const run = waiting.get(id);
  waiting.delete(id);
  if (!run) return;
  clearTimeout(run.timer);
  run.resolve(result);
}

function start() {
  const source = document.getElementById("worker").textContent;
  wasm ??= bytesOf("wasm");
  const address = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
  worker = new Worker(address);
  worker.onmessage = ({data}) => finish(data.id, data);
  worker.postMessage({wasm});
}

function stop(id) {
  const err = `stopped after ${LIMIT / 1000} seconds`;
  worker.terminate();
  worker = null;
  for (const other of [...waiting.keys()])
    finish(other, {status: 2, out: "", err: other === id ? err : "stopped: another run took too long"});
}

/** Runs a subcommand. Returns its exit status, and what it wrote to stdout and stderr. */
export function run(args, stdin = "") {
  if (worker === null) start();
  const id = ++next;
  const input = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
  return new Promise((resolve) => {
    waiting.set(id, {resolve, timer: setTimeout(() => stop(id), LIMIT)});
    worker.postMessage({id, args, stdin: input});
  });
}

/** Runs a subcommand that writes a line of JSON for each result, and returns these as `lines`. */
export async function runLines(args, stdin = "") {
  const result = await run(args, stdin);
  const lines = result.out.split("\n").filter((line) => line.startsWith("{"));
  return {...result, lines: lines.map((line) => JSON.parse(line))};
}
