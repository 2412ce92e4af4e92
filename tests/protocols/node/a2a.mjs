// `@a2a-js/sdk`, unmodified: one task, streamed or not, over the binding that the scenario names.
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";

const [binding, url, token] = process.argv.slice(2);
const fetchImpl = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  return fetch(input, { ...init, headers });
};
const Transport = binding === "JSONRPC" ? JsonRpcTransportFactory : RestTransportFactory;
const factory = new ClientFactory({
  transports: [new Transport({ fetchImpl })],
  preferredTransports: [binding],
});
const client = await factory.createFromUrl(url);
const say = (text) => ({
  tenant: "",
  message: {
    messageId: crypto.randomUUID(),
    contextId: "",
    taskId: "",
    role: 1,
    parts: [{ content: { $case: "text", value: text }, metadata: {}, filename: "", mediaType: "" }],
    metadata: {},
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: {},
});

const kinds = [];
let shown = "";
let task;
for await (const frame of client.sendMessageStream(say("a"))) {
  const { $case: kind, value } = frame.payload;
  kinds.push(kind);
  task ??= kind === "task" ? value : undefined;
  if (kind === "artifactUpdate") {
    const text = value.artifact.parts.map((part) => part.content.value).join("");
    shown = value.append ? shown + text : text;
  }
}
const read = await client.getTask({ id: task.id, tenant: "", historyLength: 0 });
const whole = await client.sendMessage(say("b"));
const text = (item) => item.artifacts.flatMap((a) => a.parts).map((p) => p.content.value).join("");
const end = { shown, stored: text(read), state: read.status.state, whole: text(whole.payload?.value ?? whole) };
console.log(JSON.stringify({ kinds: [...new Set(kinds)], ...end }));
process.exit(0);
