// SPDX-License-Identifier: MIT
// Runs a WASI program with node:wasi, as if it were a program of this system: `node tools/run_wasi.mjs PROGRAM ARGUMENT...`.
// The program has the environment and the current folder of this process. wasi-libc treats "/a/b" and "a/b" alike, so
// each folder in the root is a preopened folder of its own; others with the same relative path are hidden by it.
import { accessSync, constants, readFileSync, statSync, readdirSync } from 'node:fs';
import { WASI } from 'node:wasi';

function canOpen(path) {
    try {
        accessSync(path, constants.R_OK | constants.X_OK);
        return statSync(path).isDirectory();
    } catch {
        return false;
    }
}

const folders = readdirSync('/').map((name) => `/${name}`).filter(canOpen);
const [program, ...rest] = process.argv.slice(2);
if (program === undefined) {
    console.error('usage: node tools/run_wasi.mjs PROGRAM ARGUMENT...');
    process.exit(2);
}
const wasi = new WASI({
    version: 'preview1',
    args: [program, ...rest],
    env: process.env,
    preopens: { '.': '.', ...Object.fromEntries(folders.map((path) => [path, path])) },
    returnOnExit: true,
});
// Debian 12's node 18 does not have wasi.getImportObject().
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(readFileSync(program), imports);
process.exitCode = wasi.start(instance);
