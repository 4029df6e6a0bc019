/** The script `/embed/preview.js`: the chat that visitors get, over calls that a builder app makes for it. */
import type { ChatInput, ChatStep, Message, StartedChat, Theme } from "./payload.ts"
import { Refusal } from "./talk/connection.ts"
import type { Memory } from "./talk/memory.ts"
import { type Entry, emptyView } from "./talk/view.ts"
import { InlineChat } from "./widgets/InlineChat.tsx"

/** The calls of a chat; they reject with errors of the client. */
type PreviewCalls = {
  start(): Promise<StartedChat>
  continue(message: Message | undefined): Promise<ChatStep>
}

/** A turn that was not taken back. */
type ShownTurn = { sent?: Message | string | undefined; step: ChatStep }

/** A preview is of one visit. */
const noMemory: Memory = {
  read: () => ({ draft: undefined }),
  write: () => {},
  clear: () => {},
  writeDraft: () => {},
  hold: () => {},
  release: () => {},
}

class PreviewChat extends InlineChat {
  calls: PreviewCalls | undefined

  protected override start(): void {
    super.start()
    const { talk } = this.mounted?.conversation ?? {}
    if (!talk) return
    // The chat makes its first call in a task of its own, after this.
    const { connection } = talk
    talk.memory = noMemory
    talk.connection = {
      ...connection,
      post: async <T>(path: string, body: unknown, key?: string) => {
        const call = this.#callOf(path, body)
        return call ? ((await call.catch(refuse)) as T) : await connection.post<T>(path, body, key)
      },
    }
  }

  #callOf(path: string, body: unknown): Promise<ChatStep> | undefined {
    if (path.endsWith("/startChat")) return this.calls?.start()
    if (!path.endsWith("/continueChat")) return undefined
    return this.calls?.continue((body as { message?: Message }).message)
  }

  /** Begins anew, without the former conversation. */
  restart(): void {
    this.mounted?.conversation.reset()
  }

  /** Shows the chat in another look of the draft. */
  setTheme(theme: Theme): void {
    const { store } = this.mounted?.conversation ?? {}
    const { bot } = store?.read() ?? {}
    if (bot) store?.change({ bot: { ...bot, theme } })
  }

  /** Shows these turns and no others, with the question that waits. */
  showTurns(turns: readonly ShownTurn[], input: ChatInput | undefined): void {
    const { talk, store } = this.mounted?.conversation ?? {}
    if (!talk || !store) return
    const entries = turns.flatMap(({ sent, step }): Entry[] => [
      ...answerOf(sent, ++talk.lastKey),
      ...step.messages.map((message): Entry => ({ kind: "message", key: ++talk.lastKey, message })),
    ])
    const { progress, dynamicTheme } = turns.at(-1)?.step ?? {}
    store.change({ ...emptyView, entries, input, progress, dynamicTheme })
    if (talk.kept) talk.kept = { ...talk.kept, entries, input, pending: undefined }
  }
}

function answerOf(sent: ShownTurn["sent"], key: number): Entry[] {
  const text = typeof sent === "string" ? sent : sent?.type === "text" ? sent.text : ""
  return text === "" ? [] : [{ kind: "answer", key, text, urls: [], isSent: true }]
}

/** Throws an error of the client as the chat knows it. */
function refuse(error: unknown): never {
  type Known = { message?: string; data?: { httpStatus?: number; reason?: string } | null }
  const { message = String(error), data } = error as Known
  throw new Refusal(data?.httpStatus ?? 0, data?.reason ?? "", message)
}

if (!customElements.get("parley-preview")) customElements.define("parley-preview", PreviewChat)
