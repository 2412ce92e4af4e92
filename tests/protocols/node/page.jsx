// A page with `useChat`, as an application has it: what it shows is its text, its state its title.
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";

const { api, token } = window.chat;
const headers = { authorization: `Bearer ${token}` };
const transport = new DefaultChatTransport({ api, headers });

function Page() {
  const { messages, status, sendMessage } = useChat({ id: "page", transport, resume: true });
  useEffect(() => void (document.title = status), [status]);
  return (
    <main>
      <button onClick={() => sendMessage({ text: "please do it" })}>Ask</button>
      {messages.map((message) => (
        <p key={message.id} className={message.role}>
          {message.parts.map((part) => (part.type === "text" ? part.text : ""))}
        </p>
      ))}
    </main>
  );
}

createRoot(document.body.appendChild(document.createElement("div"))).render(<Page />);
