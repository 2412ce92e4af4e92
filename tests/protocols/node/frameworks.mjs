// Agent frameworks in JavaScript, unmodified: openai-agents, LangChain, LangGraph. Each asks where
// the user is, which a tool of its own knows, and for a person as data.
import OpenAI from "openai";

const [scenario, url, token] = process.argv.slice(2);
const baseURL = `${url}/v1`;
const model = "notes/default";
const say = (told) => console.log(JSON.stringify(told));
const schema = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
  additionalProperties: false,
};
const where = { name: "get_place", description: "Where the user is." };

async function useAgents() {
  const {
    Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled, tool,
  } = await import("@openai/agents");
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL, apiKey: token, maxRetries: 0 });
  const parameters = { type: "object", properties: {}, required: [], additionalProperties: false };
  const place = tool({ ...where, parameters, execute: async () => "Oslo" });
  const told = {};
  for (const [kind, Model] of [["chat", OpenAIChatCompletionsModel], ["responses", OpenAIResponsesModel]]) {
    const named = new Model(client, model);
    const visitor = new Agent({ name: "visitor", instructions: "Be brief.", model: named, tools: [place] });
    told[kind] = (await run(visitor, "where am I?")).finalOutput;
    const running = await run(visitor, "where am I?", { stream: true });
    let shown = "";
    for await (const piece of running.toTextStream()) shown += piece;
    await running.completed;
    told[`${kind} streamed`] = [running.finalOutput, shown];
    const outputType = { type: "json_schema", name: "person", strict: true, schema };
    const reader = new Agent({ name: "reader", instructions: "Extract.", model: named, outputType });
    told[`${kind} data`] = (await run(reader, "Ann is 41.")).finalOutput;
  }
  return told;
}

async function useLangChain() {
  const { ChatOpenAI } = await import("@langchain/openai");
  const chat = new ChatOpenAI({ model, apiKey: token, maxRetries: 0, configuration: { baseURL } });
  const told = {};
  for (const method of ["jsonSchema", "functionCalling", "jsonMode"]) {
    const shaped = chat.withStructuredOutput(schema, { method, name: "person" });
    told[method] = await shaped.invoke("Ann is 41. As JSON.");
    for await (const piece of await shaped.stream("Ann is 41. As JSON.")) told[`${method} streamed`] = piece;
  }
  return told;
}

async function useLangGraph() {
  const { ChatOpenAI } = await import("@langchain/openai");
  const { tool } = await import("@langchain/core/tools");
  const { createReactAgent } = await import("@langchain/langgraph/prebuilt");
  const llm = new ChatOpenAI({ model, apiKey: token, maxRetries: 0, configuration: { baseURL } });
  const place = tool(async () => "Oslo", { ...where, schema: { type: "object", properties: {} } });
  const agent = createReactAgent({ llm, tools: [place], responseFormat: schema });
  const asked = { messages: [{ role: "user", content: "where am I?" }] };
  let streamed;
  for await (const [mode, piece] of await agent.stream(asked, { streamMode: ["messages", "values"] }))
    if (mode === "values") streamed = piece;
  const told = {};
  for (const [way, state] of Object.entries({ whole: await agent.invoke(asked), streamed }))
    told[way] = {
      kinds: state.messages.map((item) => item.getType()),
      said: state.messages.at(-1).content,
      data: state.structuredResponse,
    };
  return told;
}

say(await { agents: useAgents, langchain: useLangChain, langgraph: useLangGraph }[scenario]());
process.exit(0);
