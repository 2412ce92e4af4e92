// CopilotKitCore of @copilotkit/core, unmodified, without its Node runtime.
globalThis.window = globalThis;
const { CopilotKitCore } = await import("@copilotkit/core");
const [scenario, url, token] = process.argv.slice(2);
const say = (kind, more = {}) => console.log(JSON.stringify({ kind, ...more }));
console.warn = () => {};

async function open() {
  const core = new CopilotKitCore({
    runtimeUrl: `${url}/api/copilotkit`,
    headers: { authorization: `Bearer ${token}` },
    runtimeTransport: "rest",
  });
  core.setRuntimeUrl?.(`${url}/api/copilotkit`);
  while (!core.agents?.default) await new Promise((resolve) => setTimeout(resolve, 5));
  const agent = core.getAgent("default");
  agent.threadId = "thread-1";
  return { core, agent };
}

const scenarios = {
  async run() {
    const { core, agent } = await open();
    agent.addMessage({ id: "m1", role: "user", content: "please do it" });
    await core.runAgent({ agent });
    return agent;
  },
  async reload() {
    const page = await open();
    page.agent.addMessage({ id: "m1", role: "user", content: "please do it" });
    const running = page.core.runAgent({ agent: page.agent });
    while (!page.agent.messages.some((item) => item.role === "tool"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    const again = await open();
    const plainFetch = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const answer = await plainFetch(input, init);
      if (String(input).endsWith("/connect")) say("connected");
      return answer;
    };
    await again.core.connectAgent({ agent: again.agent });
    await running;
    return again.agent;
  },
};

const agent = await scenarios[scenario]();
say("end", { messages: agent.messages });
process.exit(0);
