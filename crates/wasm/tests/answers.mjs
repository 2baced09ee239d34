// Answers requests by the module: answers.mjs MODULE.wasm, and on standard input the names of files that hold one each.
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
let { exports } = new WebAssembly.Instance(module, {});
const answers = JSON.parse(readFileSync(0, "utf8")).map((name) => {
  try {
    const request = readFileSync(name);
    const at = exports.tridex_request(request.length) >>> 0;
    new Uint8Array(exports.memory.buffer).set(request, at);
    const from = exports.tridex_answer() >>> 0;
    const answer = Buffer.from(exports.memory.buffer, from, exports.tridex_answer_len() >>> 0).toString();
    if (answer[0] === "-") return { error: answer.slice(1) };
    const end = answer.indexOf("\n");
    return { head: answer.slice(1, end), text: answer.slice(end + 1) };
  } catch (error) {
    exports = new WebAssembly.Instance(module, {}).exports;
    return { broke: `${error}`, request: readFileSync(name, "utf8").slice(0, 200) };
  }
});
process.stdout.write(JSON.stringify(answers));
