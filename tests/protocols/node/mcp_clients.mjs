// npm's MCP clients, unmodified: the new package in both eras, and the old one that products embed.
const [kind, url, token] = process.argv.slice(2);
const say = (told) => console.log(JSON.stringify(told));
const [name, era] = kind.split("@");

const where = new URL(`${url}/mcp`);
const wire = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
const me = { name: "test", version: "1" };
const asked = [];
const accept = async ({ params }) => {
  asked.push(params.message);
  return { action: "accept", content: {} };
};

async function connectNew() {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const more = era === "auto" ? { versionNegotiation: { mode: "auto" } } : {};
  const client = new Client(me, { capabilities: { elicitation: { form: {} } }, ...more });
  client.setRequestHandler("elicitation/create", accept);
  const transport = new StreamableHTTPClientTransport(where, wire);
  await client.connect(transport);
  return { client, version: client.getNegotiatedProtocolVersion() };
}

async function connectOld() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const asks = era === "asks";
  const client = new Client(me, { capabilities: asks ? { elicitation: {} } : {} });
  if (asks) {
    const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
    client.setRequestHandler(ElicitRequestSchema, accept);
  }
  const transport = new StreamableHTTPClientTransport(where, wire);
  await client.connect(transport);
  return { client, version: transport.protocolVersion };
}

const { client, version } = await (name === "client" ? connectNew() : connectOld());
const call = (tool, input = {}) => client.callTool({ name: tool, arguments: input });
const { tools } = await client.listTools();
const saved = await call("create_job", { title: "Cook", company: "Cafe Uno" });
const listed = await call("list_jobs");
const answer = await call("ask_default", { message: "how many jobs have I saved?" });
const deleted = await call("delete_job", { job_id: saved.structuredContent.job.job_id });
const { prompts } = await client.listPrompts();
const prompt = await client.getPrompt({ name: prompts.at(-1).name });
const { resources } = await client.listResources();
const read = await client.readResource({ uri: "plainloop://api/jobs" });
say({
  prompt: prompt.messages[0].content.text,
  resources: resources.map((item) => item.uri),
  read: JSON.parse(read.contents[0].text).jobs,
  version,
  tools: tools.map((tool) => tool.name),
  jobs: listed.structuredContent.jobs,
  answer: answer.content[0].text,
  asked,
  deleted: { isError: deleted.isError ?? false, status: deleted.structuredContent?.status },
});
await client.close();
process.exit(0);
