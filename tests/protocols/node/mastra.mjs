// Mastra's agent, unmodified: it asks where the user is, which a tool of its own knows, and for a
// person as data. It lies in a folder of its own, which is the last argument.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [url, token, folder] = process.argv.slice(2);
const { resolve } = createRequire(`${folder}/package.json`);
const load = async (name) => import(pathToFileURL(resolve(name)));
const { Agent } = await load("@mastra/core/agent");
const { createTool } = await load("@mastra/core/tools");
const { z } = await load("zod");

const place = createTool({
  id: "get_place",
  description: "Where the user is.",
  inputSchema: z.object({}),
  execute: async () => "Oslo",
});
const model = { id: "notes/default", url: `${url}/v1`, apiKey: token };
const visitor = new Agent({ name: "visitor", instructions: "Be brief.", model, tools: { get_place: place } });
const reader = new Agent({ name: "reader", instructions: "Extract.", model });
const schema = z.object({ name: z.string(), age: z.number().int() });
const told = { whole: (await visitor.generate("where am I?", { modelSettings: { temperature: 0 } })).text };
let shown = "";
for await (const piece of (await visitor.stream("where am I?")).textStream) shown += piece;
told.streamed = shown;
told.data = (await reader.generate("Ann is 41.", { structuredOutput: { schema } })).object;
console.log(JSON.stringify(told));
process.exit(0);
