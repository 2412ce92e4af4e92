// A page of assistant-ui as its docs show one: its runtime, its default transport, its primitives;
// with instructions and a tool of the page's own.
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAssistantInstructions,
  useAssistantTool,
} from "@assistant-ui/react";
import { AssistantChatTransport, useChatRuntime } from "@assistant-ui/react-ai-sdk";
import { lastAssistantMessageIsCompleteWithToolCalls } from "ai";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";

const { api, token } = window.chat;
const transport = new AssistantChatTransport({
  api,
  headers: { authorization: `Bearer ${token}`, "x-ai-sdk-version": "7" },
});

const UserMessage = () => (
  <MessagePrimitive.Root>
    <p className="user"><MessagePrimitive.Parts /></p>
  </MessagePrimitive.Root>
);
const AssistantMessage = () => (
  <MessagePrimitive.Root>
    <p className="assistant"><MessagePrimitive.Parts /></p>
  </MessagePrimitive.Root>
);

function Helpers() {
  useAssistantInstructions("You help pirates.");
  useAssistantTool({
    toolName: "get_place",
    description: "Where the user is.",
    parameters: { type: "object", properties: {} },
    execute: async () => "Oslo",
  });
  return null;
}

function Page() {
  const runtime = useChatRuntime({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
  });
  useEffect(() => void (document.title = "ready"), []);
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Helpers />
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
        </ThreadPrimitive.Viewport>
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input placeholder="Say something" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

createRoot(document.body.appendChild(document.createElement("div"))).render(<Page />);
