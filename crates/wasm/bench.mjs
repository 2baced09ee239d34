// Speed of the module under Node: bench.mjs GAMES.pgn, after crates/wasm/build. Seconds are those of the processor, which
// other programs do not lengthen. The command does the same job with
// `tridex validate GAMES.pgn --format ndjson --threads 1 --output /dev/null`.
import { readFileSync } from "node:fs";
import { Tridex } from "./js/tridex.js";

const [file, module = new URL("../../target/wasm/tridex.wasm", import.meta.url)] = process.argv.slice(2);
const tridex = new Tridex(new WebAssembly.Module(readFileSync(module)));
const text = readFileSync(file);
const { plies } = tridex.read(text);
const timed = (name, job) => {
  const before = process.cpuUsage();
  job();
  const { user, system } = process.cpuUsage(before);
  console.log(`${name}: ${(plies / (user + system)).toFixed(2)} M plies/s`);
};
for (let i = 0; i < 3; i += 1) timed("validate", () => tridex.lines(text));
for (let i = 0; i < 3; i += 1) timed("convert", () => tridex.write(text, "own"));
