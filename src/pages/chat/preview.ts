/** The script `/embed/preview.js`: the chat that visitors get, over calls that a builder app makes for it. */
import { createCodeRunner } from "./code/code.ts"
import type { ChatInput, ChatMessage, ChatStep, Message, StartedChat, Theme } from "./payload.ts"
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

/** Max addresses shown of a conversation: scripts open as many as they like. */
const maxLeads = 20

class PreviewChat extends InlineChat {
  calls: PreviewCalls | undefined
  /** What stands before an address that the bot leads to: a preview leaves no page, and opens none. */
  leadsTo = "The bot would lead to"
  #leads = 0

  protected override start(): void {
    super.start()
    const { talk } = this.mounted?.conversation ?? {}
    const root = this.container.current?.firstElementChild?.shadowRoot
    if (!talk || !root) return
    talk.page = {
      isTrusted: false,
      runCode: createCodeRunner({
        host: talk.connection.host,
        root,
        openPage: (url) => this.#showLead(url),
        leaving: talk.closing.signal,
        isTrusted: false,
      }),
    }
    // The chat makes its first call in a task of its own, after this.
    const { connection } = talk
    talk.memory = noMemory
    talk.connection = {
      ...connection,
      post: async <T>(path: string, body: unknown, key?: string) => {
        const call = this.#callOf(path, body)
        if (!call) return await connection.post<T>(path, body, key)
        return this.#withoutRedirects(await call.catch(refuse)) as T
      },
    }
  }

  #callOf(path: string, body: unknown): Promise<ChatStep> | undefined {
    if (path.endsWith("/startChat")) return this.calls?.start()
    if (!path.endsWith("/continueChat")) return undefined
    return this.calls?.continue((body as { message?: Message }).message)
  }

  /** Shows addresses where the chat would open them. */
  #withoutRedirects(step: ChatStep): ChatStep {
    const leads = new Map<string | undefined, ChatMessage[]>()
    const clientSideActions = step.clientSideActions?.filter((action) => {
      if (action.type !== "redirect") return true
      const after = action.lastBubbleBlockId
      leads.set(after, [...(leads.get(after) ?? []), ...this.#leadTo(action.redirect.url)])
      return false
    })
    const take = (after: string | undefined) => {
      const taken = leads.get(after) ?? []
      leads.delete(after)
      return taken
    }
    const messages = [
      ...take(undefined),
      ...step.messages.flatMap((message) => [message, ...take(message.id)]),
      ...[...leads.values()].flat(),
    ]
    return { ...step, messages, ...(clientSideActions && { clientSideActions }) }
  }

  #showLead(url: string): void {
    const { talk, store } = this.mounted?.conversation ?? {}
    if (!talk || !store) return
    const shown = this.#leadTo(url).map(
      (message): Entry => ({ kind: "message", key: ++talk.lastKey, message }),
    )
    store.change({ entries: [...store.read().entries, ...shown] })
  }

  #leadTo(url: string | undefined): ChatMessage[] {
    if (!url || ++this.#leads > maxLeads) return []
    const link = { type: "a", url, children: [{ text: url }] }
    const richText = [{ type: "p", children: [{ text: `${this.leadsTo} ` }, link] }]
    return [{ id: `lead-${this.#leads}`, type: "text", content: { type: "richText", richText } }]
  }

  /** Begins anew, without the former conversation. */
  restart(): void {
    this.#leads = 0
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
    this.#leads = 0
    const entries = turns.flatMap(({ sent, step }): Entry[] => [
      ...answerOf(sent, ++talk.lastKey),
      ...this.#withoutRedirects(step).messages.map(
        (message): Entry => ({ kind: "message", key: ++talk.lastKey, message }),
      ),
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
