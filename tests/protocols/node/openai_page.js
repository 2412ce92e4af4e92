// openai-node in a page of another origin, unmodified: what it gets is the page's title.
import OpenAI from "openai";

const model = "tracker/default";
const messages = [{ role: "user", content: "please do it" }];
const client = new OpenAI({ ...window.wire, dangerouslyAllowBrowser: true, maxRetries: 0 });

async function ask() {
  const models = (await client.models.list()).data.map(({ id }) => id).filter((id) => id === model);
  let streamed = "";
  for await (const chunk of await client.chat.completions.create({ model, messages, stream: true }))
    streamed += chunk.choices[0]?.delta.content ?? "";
  const whole = await client.chat.completions.create({ model, messages });
  const id = Boolean(whole._request_id); // a header that a page may read
  return { models, streamed, whole: whole.choices[0].message.content, id };
}

document.title = JSON.stringify(await ask().catch((error) => String(error)));
