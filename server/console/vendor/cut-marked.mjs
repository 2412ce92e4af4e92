// Of marked the console needs the Lexer, with `gfm` and perhaps `breaks`. The package's one file also
// makes a default instance, which keeps its parser and renderers in any bundle: that end is cut off,
// and the bundler drops the rest. The rules of its other modes go too, and what asks for them.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "node_modules/marked/lib/marked.esm.js";
const code = readFileSync(FILE, "utf8");
const at = code.search(/var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/);
const [, lexer] = code.match(/export\{.*?\b(\w+) as Lexer\b/) ?? [];
const rules =
  /(\w+=\{)normal:\w+,(gfm:\w+),pedantic:(\w+)(\},\w+=\{)normal:\w+,(gfm:\w+,breaks:\w+),pedantic:(\w+)\}/;
const [, ...unused] = code.match(rules)?.filter((_, n) => [0, 3, 6].includes(n)) ?? [];
if (at < 0 || !lexer || unused.length !== 2) throw new Error("marked's file has another form");

let kept = code
  .slice(0, at)
  .replace(rules, "$1$2$4$5}")
  .replace(/this\.options\.(pedantic|extensions|hooks)\b/g, "null");
for (const name of unused) {
  const before = kept.length;
  kept = kept.replace(new RegExp(`,${name}=\\{\\.\\.\\..*?getRegex\\(\\)\\}(?=,\\w+=)`, "s"), "");
  if (kept.length === before) throw new Error(`marked's rules ${name} have another form`);
}
writeFileSync(FILE, `${kept}export{${lexer} as Lexer};\n`);
