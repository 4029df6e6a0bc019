/** Hooks of React over drafts, chats and previews; queries have `@trpc/tanstack-react-query`. */

import type { TRPCClient } from "@trpc/client"
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react"
import type { AppRouter } from "../routers/app.ts"
import type { AnyBot, BotTypes, Chat, ChatOptions, ChatState } from "./chat.ts"
import { type DraftListeners, openDraft, type SharedDraft } from "./draft.ts"
import type { Preview, PreviewOptions, PreviewState } from "./preview.ts"

type OpensChats = {
  chat<Bot extends BotTypes = AnyBot>(publicId: string, options?: ChatOptions<Bot>): Chat<Bot>
}
type OpensPreviews = { preview(botId: string, options?: PreviewOptions): Preview }

/** A draft while a component shows it. */
export type UsedDraft = {
  /** What edits, takes back and waits; absent while it is read. */
  draft: SharedDraft | undefined
  /** The draft with the edits of this author, as they are now. */
  bot: SharedDraft["bot"] | undefined
  isSaved: boolean
  /** Why the draft cannot be read, or is not followed any more. */
  error: unknown
}

type Opened = { botId: string; draft?: SharedDraft; error?: unknown }

const noChange = () => () => {}

/** Opens a draft, follows it, and closes it with the component: `const { bot, draft } = useDraft(parley, botId)`. */
export function useDraft(
  parley: Pick<TRPCClient<AppRouter>, "bot">,
  botId: string,
  { onSaved, onRefused, onEvent }: Omit<DraftListeners, "onLost"> = {},
): UsedDraft {
  const [opened, setOpened] = useState<Opened>()
  // Listeners are those of the first call: a component makes new ones each time it renders.
  useEffect(() => {
    let isOver = false
    let own: SharedDraft | undefined
    const onLost = (error: unknown) => {
      if (!isOver) setOpened({ botId, error, ...(own && { draft: own }) })
    }
    const listeners: DraftListeners = {
      onLost,
      ...(onSaved && { onSaved }),
      ...(onRefused && { onRefused }),
      ...(onEvent && { onEvent }),
    }
    openDraft(parley, botId, listeners).then((draft) => {
      own = draft
      if (isOver) draft.close()
      else setOpened({ botId, draft })
    }, onLost)
    return () => {
      isOver = true
      own?.close()
    }
  }, [parley, botId])
  // Of another bot, until its own is read.
  const { draft, error } = opened?.botId === botId ? opened : { draft: undefined, error: undefined }
  const subscribe = draft?.onChange ?? noChange
  const bot = useSyncExternalStore(subscribe, () => draft?.bot)
  const isSaved = useSyncExternalStore(subscribe, () => draft?.isSaved ?? true)
  return { draft, bot, isSaved, error }
}

/** A chat while a component shows it. */
export type UsedChat<Bot extends BotTypes = AnyBot> = ChatState &
  Pick<Chat<Bot>, "start" | "send" | "choose"> & {
    /** Whether an answer of the bot is awaited. */
    isWaiting: boolean
    /** Why the last call failed; undefined after one that did not. */
    error: unknown
  }

/** A chat with a published bot, which begins with the first call: `const { messages, send } = useChat(parley, "signup")`. */
export function useChat<Bot extends BotTypes = AnyBot>(
  parley: OpensChats,
  publicId: string,
  options?: ChatOptions<Bot>,
): UsedChat<Bot> {
  // Options are those of the first call; `start` takes others.
  const chat = useMemo(() => parley.chat<Bot>(publicId, options), [parley, publicId])
  const state = useSyncExternalStore(chat.onChange, () => chat.state)
  const { call, ...waiting } = useCalls(chat)
  const calls = useMemo(
    (): Pick<Chat<Bot>, "start" | "send" | "choose"> => ({
      start: (other) => call(() => chat.start(other)),
      send: (message) => call(() => chat.send(message)),
      choose: (question, choice) => call(() => chat.choose(question, choice)),
    }),
    [chat, call],
  )
  return { ...state, ...calls, ...waiting }
}

/** A preview while a component shows it. */
export type UsedPreview = PreviewState &
  Pick<Preview, "send" | "back" | "restart"> & { isWaiting: boolean; error: unknown }

/** A preview of a draft, which begins with the first call. */
export function usePreview(
  parley: OpensPreviews,
  botId: string,
  options?: PreviewOptions,
): UsedPreview {
  // Options are those of the first call; `restart` takes others.
  const preview = useMemo(() => parley.preview(botId, options), [parley, botId])
  const state = useSyncExternalStore(preview.onTrace, () => preview.state)
  const { call, ...waiting } = useCalls(preview)
  const calls = useMemo(
    (): Pick<Preview, "send" | "back" | "restart"> => ({
      send: (message) => call(() => preview.send(message)),
      back: () => call(() => preview.back()),
      restart: (other) => call(() => preview.restart(other)),
    }),
    [preview, call],
  )
  return { ...state, ...calls, ...waiting }
}

/** Counts calls that wait for an answer, and keeps the error of the last one; both begin anew with another subject. */
function useCalls(subject: object) {
  const [{ of, waiting, error }, set] = useState({
    of: subject,
    waiting: 0,
    error: undefined as unknown,
  })
  const call = useCallback(
    async <Answer>(make: () => Promise<Answer>): Promise<Answer> => {
      const change = (by: number, failure: unknown) =>
        set((former) => {
          const before = former.of === subject ? former.waiting : 0
          return { of: subject, waiting: Math.max(before + by, 0), error: failure }
        })
      change(1, undefined)
      try {
        const answer = await make()
        change(-1, undefined)
        return answer
      } catch (failure) {
        change(-1, failure)
        throw failure
      }
    },
    [subject],
  )
  const isOwn = of === subject
  return { call, isWaiting: isOwn && waiting > 0, error: isOwn ? error : undefined }
}
