// Of marked the console needs the Lexer. The package's one file also makes a default instance, which
// keeps its parser and renderers in any bundle: that end is cut off, and the bundler drops the rest.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "node_modules/marked/lib/marked.esm.js";
const code = readFileSync(FILE, "utf8");
const at = code.search(/var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/);
const [, lexer] = code.match(/export\{.*?\b(\w+) as Lexer\b/) ?? [];
if (at < 0 || !lexer) throw new Error("marked's file has another form");
writeFileSync(FILE, `${code.slice(0, at)}export{${lexer} as Lexer};\n`);
