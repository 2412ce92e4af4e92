// `HttpAgent` of @ag-ui/client, unmodified, in the version that the scenario names.
const [task, url, token] = process.argv.slice(2);
const [scenario, version] = task.split("@");
const { HttpAgent } = await import(version === "0.0.59" ? "@ag-ui/client-0059" : "@ag-ui/client");
const say = (kind, more = {}) => console.log(JSON.stringify({ kind, ...more }));

const warnings = [];
console.warn = (...words) => warnings.push(words.join(" "));
const agent = new HttpAgent({
  url: `${url}/api/agui/default`,
  headers: { authorization: `Bearer ${token}` },
  threadId: "thread-1",
});
const seen = { types: [], finished: [], errors: [] };
const subscriber = {
  onEvent: ({ event }) => void seen.types.push(event.type),
  onRunFinishedEvent: ({ event }) => void seen.finished.push(event.outcome),
  onRunErrorEvent: ({ event }) => void seen.errors.push([event.code, event.rawEvent?.action?.label]),
};

let count = 0;
const ask = (text) => agent.addMessage({ id: `m${++count}`, role: "user", content: text });
const run = async (more = {}) => {
  try {
    await agent.runAgent({ runId: `run-${++count}`, ...more }, subscriber);
  } catch (error) {
    say("failed", { message: error.message });
  }
};

const scenarios = {
  async plain() {
    ask("please do it");
    await run();
  },
  async decide(approved) {
    ask("please do it");
    await run();
    const { interrupts } = seen.finished.at(-1);
    say("waiting", { interrupts });
    const resume = interrupts.map(({ id }) => ({
      interruptId: id,
      status: "resolved",
      payload: { approved },
    }));
    await run({ resume });
  },
  approve: () => scenarios.decide(true),
  deny: () => scenarios.decide(false),
  async client_tool() {
    ask("please do it");
    const tools = [{ name: "get_place", description: "", parameters: { type: "object" } }];
    await run({ tools });
    const call = agent.messages.at(-1).toolCalls[0];
    say("called", { call });
    const content = JSON.stringify({ place: "Oslo" });
    agent.addMessage({ id: "t1", role: "tool", toolCallId: call.id, content });
    await run({ tools });
  },
  async twice() {
    ask("please do it");
    await run();
    ask("and again");
    await run();
  },
  async edit() {
    await scenarios.twice();
    agent.setMessages([]);
    agent.addMessage({ id: "m1", role: "user", content: "otherwise" });
    await run();
  },
};

await scenarios[scenario]();
say("end", { messages: agent.messages, warnings, ...seen });
