// openai-node and the AI SDK's two providers for this API, unmodified.
const [scenario, url, token] = process.argv.slice(2);
const say = (kind, more = {}) => console.log(JSON.stringify({ kind, ...more }));
const model = "notes/default";
const messages = [{ role: "user", content: "please do it" }];
const baseURL = `${url}/v1`;

const scenarios = {
  async node() {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL, apiKey: token, maxRetries: 0 });
    const stream = client.chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    });
    try {
      const done = await stream.finalChatCompletion();
      say("end", { text: done.choices[0].message.content, usage: done.usage });
    } catch (error) {
      say("end", { error: error.code ?? error.message });
    }
  },
  async node_responses() {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL, apiKey: token, maxRetries: 0 });
    const done = await client.responses.stream({ model, input: "please do it" }).finalResponse();
    say("end", { text: done.output_text, usage: done.usage });
  },
  async compatible() {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const { streamText } = await import("ai");
    const provider = createOpenAICompatible({ name: "x", baseURL, apiKey: token, includeUsage: true });
    let failure;
    const onError = ({ error }) => void (failure = error);
    const result = streamText({ model: provider(model), prompt: "please do it", onError });
    const text = await result.text;
    if (failure) say("end", { error: failure.message ?? String(failure) });
    else say("end", { text, usage: await result.usage });
  },
  async provider() {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const { streamText } = await import("ai");
    const provider = createOpenAI({ baseURL, apiKey: token });
    const result = streamText({ model: provider(model), prompt: "please do it" });
    say("end", { text: await result.text, usage: await result.usage });
  },
  // A second question: the answer before it is only referred to, by the id of its item.
  async turns() {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const { generateText } = await import("ai");
    let sent;
    const seeing = (input, init) => ((sent = JSON.parse(init.body)), fetch(input, init));
    const asking = createOpenAI({ baseURL, apiKey: token, fetch: seeing })(model);
    const said = [...messages];
    const first = await generateText({ model: asking, messages: said });
    said.push(...first.response.messages, { role: "user", content: "and now?" });
    const second = await generateText({ model: asking, messages: said });
    say("end", { texts: [first.text, second.text], sent: sent.input.map((item) => item.type ?? item.role) });
  },
};

await scenarios[scenario]();
process.exit(0);
