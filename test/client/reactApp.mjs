/** An app of React over the hooks of the client, in which a person edits, previews and chats. */
import { createParleyClient } from "@parley/client"
import { useChat, useDraft, usePreview } from "@parley/client/react"
import { createElement as h, StrictMode, useState } from "react"
import { createRoot } from "react-dom/client"

const parley = createParleyClient({ url: given.url, token: given.token })

function Editor({ botId }) {
  const { bot, draft, isSaved, error } = useDraft(parley, botId)
  if (error) return h("p", { id: "lost" }, String(error))
  if (!bot) return h("p", { id: "name" }, "…")
  const rename = () => draft?.edit([{ type: "bot.set", name: `${bot.name}!` }])
  return h(
    "section",
    null,
    h("p", { id: "name" }, bot.name),
    h("p", { id: "saved" }, isSaved ? "saved" : "saving"),
    h("button", { type: "button", onClick: rename }, "Rename"),
    h("button", { type: "button", onClick: () => void draft?.undo() }, "Undo"),
  )
}

function Talk() {
  const { messages, input, isWaiting, error, start, send } = useChat(parley, given.publicId)
  return h(
    "section",
    null,
    h("p", { id: "chat" }, `${messages.length} ${input?.type ?? "none"} ${isWaiting}`),
    h("p", { id: "problem" }, error ? "failed" : "fine"),
    h("button", { type: "button", onClick: () => void start() }, "Start"),
    h("button", { type: "button", onClick: () => void send("Ann") }, "Answer"),
    h(
      "button",
      { type: "button", onClick: () => void start({ resultId: "none" }).catch(() => {}) },
      "Fail",
    ),
  )
}

function Trial() {
  const { turns, variables, send, back } = usePreview(parley, given.botId)
  return h(
    "section",
    null,
    h("p", { id: "preview" }, `${turns.length} ${variables[0]?.value ?? "none"}`),
    h("button", { type: "button", onClick: () => void send("Bob") }, "Try"),
    h("button", { type: "button", onClick: () => void back() }, "Back"),
  )
}

function App() {
  const [botId, setBotId] = useState(given.botId)
  const other = () => setBotId(given.otherId)
  return h(
    "main",
    null,
    h(Editor, { botId }),
    h(Talk),
    h(Trial),
    h("button", { type: "button", onClick: other }, "Other"),
  )
}

createRoot(body).render(h(StrictMode, null, h(App)))
