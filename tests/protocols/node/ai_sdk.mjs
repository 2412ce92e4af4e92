// `Chat` of @ai-sdk/react, unmodified: one scenario per process, what it shows as JSON. A scenario
// is `name`, of AI SDK 7, or `name@5`, `name@6`; with `!` behind it the page says which one it is.
const [told, url, token] = process.argv.slice(2);
const [scenario, version = "7!"] = told.split("@");
const line = { 5: "-5", 6: "-6", 7: "" }[version[0]];
const { Chat } = await import(`@ai-sdk/react${line}`);
const {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  WebSocketChatTransport,
  safeValidateUIMessages,
} = await import(`ai${line}`);

const api = `${url}/api/ui/default/chat`;
const headers = { authorization: `Bearer ${token}` };
if (version.endsWith("!")) headers["x-ai-sdk-version"] = version[0];
const seen = { finishes: [], errors: [], data: [] };
const say = (kind, more = {}) => console.log(JSON.stringify({ kind, ...more }));

// Cuts the first answer after so many bytes, as a lost network does.
function cutting(bytes) {
  let isCut = false;
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (isCut) say("resumed", { status: answer.status });
    if (isCut || !answer.body) return answer;
    isCut = true;
    const reader = answer.body.getReader();
    let left = bytes;
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done || left <= 0) {
          await reader.cancel().catch(() => {});
          return controller.error(new TypeError("network error"));
        }
        left -= value.length;
        controller.enqueue(value);
      },
    });
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}

function makeChat(more = {}, transport = {}) {
  return new Chat({
    id: "chat-1",
    transport: new DefaultChatTransport({ api, headers, ...transport }),
    onFinish: ({ isError, isAbort, isDisconnect, finishReason }) =>
      seen.finishes.push({ isError, isAbort, isDisconnect, finishReason }),
    onError: (error) => seen.errors.push(error.message),
    onData: (part) => seen.data.push(part.type),
    ...more,
  });
}

const until = async (holds) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};
const isIdle = (chat) => chat.status === "ready" || chat.status === "error";
const get = async (path) => (await fetch(`${api}/chat-1/${path}`, { headers })).json();

// What is decided by words: the user types them.
async function type(words) {
  const chat = makeChat();
  await chat.sendMessage({ text: "please do it" });
  const waiting = await get("messages");
  say("waiting", { messages: chat.messages, history: await safeValidateUIMessages({ messages: waiting }) });
  for (const text of words) await chat.sendMessage({ text });
  return chat;
}

async function decide(approved) {
  const chat = makeChat({
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  await chat.sendMessage({ text: "please do it" });
  const part = chat.messages.at(-1).parts.find((item) => item.state === "approval-requested");
  const waiting = await get("messages");
  say("waiting", { part, history: await safeValidateUIMessages({ messages: waiting }) });
  await chat.addToolApprovalResponse({ id: part.approval.id, approved });
  await until(() => seen.finishes.length === 2 && isIdle(chat));
  return chat;
}

// Over one socket; Node has a WebSocket of its own from 22 on.
const makeSocket = () =>
  new WebSocketChatTransport({
    url: `${url}/api/ui/default/ws`,
    params: { token },
    webSocket: globalThis.WebSocket,
  });

const scenarios = {
  async socket() {
    const transport = makeSocket();
    const [chat, other] = ["chat-1", "chat-2"].map((id) => makeChat({ id, transport }));
    await Promise.all([chat.sendMessage({ text: "please do it" }), other.resumeStream()]);
    await other.sendMessage({ text: "please do it" });
    say("other", { messages: other.messages });
    transport.close();
    return chat;
  },
  async socket_approve() {
    const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses;
    const chat = makeChat({ transport: makeSocket(), sendAutomaticallyWhen });
    await chat.sendMessage({ text: "please do it" });
    const part = chat.messages.at(-1).parts.find((item) => item.state === "approval-requested");
    await chat.addToolApprovalResponse({ id: part.approval.id, approved: true });
    await until(() => seen.finishes.length === 2 && isIdle(chat));
    return chat;
  },
  async socket_cut() {
    const transport = makeSocket();
    const chat = makeChat({ transport });
    const sending = chat.sendMessage({ text: "please do it" });
    await until(() => JSON.stringify(chat.messages).includes("I note it."));
    transport.close();
    await sending;
    const resuming = chat.resumeStream();
    await until(() => chat.status === "streaming");
    say("resumed");
    await resuming;
    return chat;
  },
  async socket_stop() {
    const chat = makeChat({ transport: makeSocket() });
    const sending = chat.sendMessage({ text: "please do it" });
    await until(() => JSON.stringify(chat.messages).includes("Half of an"));
    await chat.stop();
    await sending;
    say("stopped");
    return chat;
  },
  async socket_wrong() {
    const chat = makeChat({ transport: makeSocket() });
    await chat.sendMessage({ text: " " });
    return chat;
  },
  async plain() {
    const chat = makeChat({ sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls });
    await chat.sendMessage({ text: "please do it" });
    return chat;
  },
  type_yes: () => type(["Yes.", "and then?"]),
  type_no: () => type(["no", "and then?"]),
  approve: () => decide(true),
  deny: () => decide(false),
  async cut() {
    const chat = makeChat({}, { fetch: cutting(600) });
    await chat.sendMessage({ text: "please do it" });
    await chat.resumeStream();
    return chat;
  },
  async idle() {
    const chat = makeChat();
    await chat.resumeStream();
    return chat;
  },
  async cancel() {
    const chat = makeChat();
    const sending = chat.sendMessage({ text: "please do it" });
    await until(() => JSON.stringify(chat.messages).includes("Half of an"));
    say("stopped", await (await fetch(`${api}/chat-1/stop`, { method: "POST", headers })).json());
    await sending;
    return chat;
  },
  async regenerate() {
    const chat = makeChat();
    await chat.sendMessage({ text: "please do it" });
    await chat.sendMessage({ text: "and again" });
    await chat.regenerate({ messageId: chat.messages[1].id });
    return chat;
  },
  async edit() {
    const chat = makeChat();
    await chat.sendMessage({ text: "please do it" });
    await chat.sendMessage({ text: "and again" });
    await chat.sendMessage({ text: "otherwise", messageId: chat.messages[0].id });
    return chat;
  },
  async newest_alone() {
    const prepareSendMessagesRequest = ({ id, messages, trigger, messageId }) => ({
      body: { id, message: messages.at(-1), trigger, messageId },
    });
    const chat = makeChat({}, { prepareSendMessagesRequest });
    await chat.sendMessage({ text: "please do it" });
    await chat.sendMessage({ text: "and again" });
    await chat.sendMessage({ text: "otherwise", messageId: chat.messages[2].id });
    return chat;
  },
  async client_tool() {
    const tools = [
      {
        name: "get_place",
        description: "Where the user is.",
        parameters: { type: "object", properties: { exact: { type: "boolean" } } },
      },
    ];
    const chat = makeChat(
      {
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
        onToolCall: ({ toolCall }) => {
          say("called", { input: toolCall.input, name: toolCall.toolName });
          chat.addToolOutput({
            tool: toolCall.toolName,
            toolCallId: toolCall.toolCallId,
            output: { place: "Oslo" },
          });
        },
      },
      { body: { tools } },
    );
    await chat.sendMessage({ text: "please do it" });
    await until(() => seen.finishes.length === 2 && isIdle(chat));
    return chat;
  },
};

const chat = await scenarios[scenario]();
const stored = await fetch(`${api}/chat-1/messages`, { headers });
const history = stored.ok ? await safeValidateUIMessages({ messages: await stored.json() }) : null;
say("end", { status: chat.status, messages: chat.messages, history, ...seen });
process.exit(0);
