// A page with `useStream`, as an application has it: what it shows is its text, its state its title.
import { useStream } from "@langchain/langgraph-sdk/react";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const { token, question, withHistory } = window.chat;
window.failures = [];

function Page() {
  const [threadId, setThreadId] = useState(() => sessionStorage.getItem("thread"));
  const chat = useStream({
    apiUrl: `${location.origin}/langgraph`,
    apiKey: token,
    assistantId: "default",
    messagesKey: "messages",
    reconnectOnMount: true,
    fetchStateHistory: withHistory,
    threadId,
    onThreadId: (id) => {
      sessionStorage.setItem("thread", id);
      setThreadId(id);
    },
    onError: (error) => window.failures.push(String(error)),
  });
  const { messages, isLoading, interrupt, submit } = chat;
  const asked = interrupt?.value?.action_requests ?? [];
  useEffect(() => {
    document.title = isLoading ? "streaming" : interrupt ? "waiting" : "ready";
  }, [isLoading, interrupt]);
  const answer = (type) => submit(undefined, { command: { resume: { decisions: asked.map(() => ({ type })) } } });
  const ask = (content, options) => submit({ messages: [{ type: "human", content }] }, options);
  // As agent-chat-ui writes while calls wait: a result of its own for each.
  const writeInstead = () => {
    const isOpen = (message, n) => message.type === "ai" && messages[n + 1]?.type !== "tool";
    const madeUp = messages.filter(isOpen).flatMap((message) =>
      (message.tool_calls ?? []).map((call) => ({
        type: "tool",
        tool_call_id: call.id ?? "",
        id: `do-not-render-${crypto.randomUUID()}`,
        name: call.name,
        content: "Successfully handled tool call.",
      })),
    );
    const asked = { id: crypto.randomUUID(), type: "human", content: [{ type: "text", text: "write it instead" }] };
    const shown = [...messages, ...madeUp, asked];
    return submit(
      { messages: [...madeUp, asked], context: undefined },
      {
        streamMode: ["values"],
        streamSubgraphs: true,
        streamResumable: true,
        optimisticValues: (prev) => ({ ...prev, context: undefined, messages: shown }),
      },
    );
  };
  const resolve = () => submit({}, { command: { goto: "__end__" } });
  const edit = (message) => {
    const before = chat.getMessagesMetadata(message)?.firstSeenState?.parent_checkpoint;
    return ask("say it otherwise", { checkpoint: before });
  };
  return (
    <main>
      <button id="ask" onClick={() => ask(question)}>Ask</button>
      <button id="stop" onClick={() => chat.stop()}>Stop</button>
      <button id="instead" onClick={writeInstead}>Write instead</button>
      <button id="resolve" onClick={resolve}>Mark as resolved</button>
      {asked.map((item) => <p key={item.name} className="question">{item.description}</p>)}
      {asked.length > 0 && <button id="approve" onClick={() => answer("approve")}>Approve</button>}
      {messages.map((message) => (
        <p key={message.id} className={message.type}>
          {String(message.content)}
          {(message.tool_calls ?? []).map((call) => <code key={call.id}>{call.name}</code>)}
          {message.type === "human" && <button className="edit" onClick={() => edit(message)}>Edit</button>}
        </p>
      ))}
    </main>
  );
}

createRoot(document.body.appendChild(document.createElement("div"))).render(<Page />);
