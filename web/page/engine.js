// SPDX-License-Identifier: MIT
// Calls the program in a worker, so that the page can be used while it runs.

const LIMIT = 30000;  // milliseconds after which a run is stopped

function bytesOf(id) {
  return Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (character) => character.charCodeAt(0));
}

let wasm = null;
let worker = null;
let timer = 0;
const queue = [];  // runs that have not ended; the first one is in the worker

function start() {
  const source = document.getElementById("worker").textContent;
  wasm ??= bytesOf("wasm");
  worker = new Worker(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
  worker.onmessage = ({data}) => finish(data);
  worker.onerror = (event) => stop(event.message);
  worker.postMessage({wasm});
}

// Gives the first run of the queue to the worker.
function post() {
  if (worker === null) start();
  timer = setTimeout(() => stop(`stopped after ${LIMIT / 1000} seconds`), LIMIT);
  worker.postMessage(queue[0].request);
}

function finish(result) {
  clearTimeout(timer);
  queue.shift().resolve(result);
  if (queue.length > 0) post();
}

// Ends the run in the worker; those after it get a new worker.
function stop(reason) {
  worker.terminate();
  worker = null;
  finish({status: 2, out: "", err: reason});
}

/** Runs a subcommand. Returns its exit status, and what it wrote to stdout and stderr. */
export function run(args, stdin = "") {
  const input = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
  return new Promise((resolve) => {
    queue.push({request: {args, stdin: input}, resolve});
    if (queue.length === 1) post();
  });
}

/** Runs a subcommand that writes a line of JSON for each result, and returns these as `lines`. */
export async function runLines(args, stdin = "") {
  const result = await run(args, stdin);
  const lines = result.out.split("\n").filter((line) => line.startsWith("{"));
  return {...result, lines: lines.map((line) => JSON.parse(line))};
}
