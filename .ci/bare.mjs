// Runs a program built for wasm32-unknown-unknown: node bare.mjs PROGRAM
// It gets nothing from outside: no clock, no file, no thread, not even a line to print on.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const { exports } = await WebAssembly.instantiate(module, {});
process.exitCode = exports.main(0, 0);
