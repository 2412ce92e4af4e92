// Recorded streams through the real clients: what each shows of the answer at the end, by run.
import { readFileSync } from "node:fs";

const [file, client] = process.argv.slice(2);
const runs = JSON.parse(readFileSync(file, "utf8"));
console.warn = () => {};
const respond = (text) =>
  new Response(text, { status: 200, headers: { "content-type": "text/event-stream" } });

async function showUi(streams) {
  const line = client.slice("ai".length); // "", -6, -5
  const { Chat } = await import(`@ai-sdk/react${line}`);
  const { DefaultChatTransport } = await import(client);
  const broken = []; // chunks that this version does not know
  const onError = ({ message }) => /validation/i.test(message) && broken.push(message);
  const left = [...streams];
  const transport = new DefaultChatTransport({ api: "x:/", fetch: async () => respond(left.shift()) });
  const chat = new Chat({ id: "c", transport, onError });
  await chat.sendMessage({ text: "hi" });
  while (left.length) await chat.sendMessage();
  const answers = chat.messages.filter((item) => item.role === "assistant");
  const parts = answers.flatMap((item) => item.parts).filter((part) => part.type === "text");
  return { broken, count: answers.length, text: parts.map((part) => part.text).join("") };
}

async function showAgUi(streams) {
  const { HttpAgent } = await import(client);
  const left = [...streams];
  let interrupts = [];
  const agent = new HttpAgent({ url: "http://localhost/", threadId: "thread" });
  globalThis.fetch = async () => respond(left.shift());
  agent.addMessage({ id: "u", role: "user", content: "hi" });
  while (left.length) {
    const resume = interrupts.map(({ id }) => ({ interruptId: id, status: "resolved", payload: {} }));
    interrupts = [];
    const onRunFinishedEvent = ({ event }) => void (interrupts = event.outcome?.interrupts ?? []);
    const more = resume.length ? { resume } : {};
    await agent.runAgent({ runId: "run", ...more }, { onRunFinishedEvent }).catch(() => {});
  }
  const said = agent.messages.filter((item) => item.role === "assistant");
  return { count: 1, text: said.map((item) => item.content ?? "").join("") };
}

const shown = {};
for (const [name, streams] of Object.entries(runs))
  shown[name] = await (client.startsWith("ai") ? showUi(streams) : showAgUi(streams));
console.log(JSON.stringify(shown));
process.exit(0);
