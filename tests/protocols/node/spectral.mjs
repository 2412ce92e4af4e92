// Stoplight's linter on the OpenAPI document of a file: what it finds, by severity (0: an error).
import { readFileSync } from "node:fs";
import core from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

const linter = new core.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, "recommended"]] });
const found = await linter.run(readFileSync(process.argv[2], "utf-8"));
console.log(JSON.stringify(found.map(({ severity, code, path, message }) => [severity, code, path.join("."), message])));
