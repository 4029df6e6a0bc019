/** A chat with a published bot as one object, typed by what `parley types` writes about the bot. */
import type { TRPCClient } from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import { createInOrder } from "../lib/inOrder.ts"
import type { AppRouter } from "../routers/app.ts"
import { createRepeats } from "./repeats.ts"

type Answers = inferRouterOutputs<AppRouter>["chat"]
type Inputs = inferRouterInputs<AppRouter>["chat"]
type Message = NonNullable<Inputs["continue"]["message"]>
type Input = Answers["continue"]["input"]
/** What a stream has of a chat, without its id. */
type ChatEvent =
  Answers["listen"] extends AsyncIterable<infer Sent, unknown, unknown>
    ? Sent extends { data: infer Event }
      ? Event
      : never
    : never

/** What `parley types` writes about a bot. */
export type BotTypes = Record<"variables" | "prefilled" | "answers" | "choices", object>

/** A bot of which nothing is known. */
export type AnyBot = {
  variables: { [name: string]: string | (string | null)[] }
  prefilled: { [name: string]: unknown }
  answers: { [name: string]: string }
  choices: { [name: string]: string | readonly string[] }
}

/** How a chat begins. */
export type ChatOptions<Bot extends BotTypes = AnyBot> = Omit<
  Inputs["start"],
  "publicId" | "prefilledVariables"
> & {
  /** Values by variable name. */
  prefilledVariables?: Bot["prefilled"]
}

/** What a person of the team says. */
export type TeamReply = Omit<Extract<ChatEvent, { type: "conversation.reply" }>, "type">

/** What was sent, and the answer to it; or what came without a message, such as a reply of the team. */
export type ChatTurn = { sent?: Message; step: Answers["continue"]; reply?: TeamReply }

/** Where a chat is. Each change makes new lists, so that they can be compared. */
export type ChatState = {
  /** Absent before the chat has begun; `parley.chat.listen` takes it. */
  sessionId?: string
  /** The turns, oldest first. */
  turns: readonly ChatTurn[]
  /** All that the bot says in them. */
  messages: Answers["continue"]["messages"]
  /** The question that waits; absent: there is none. */
  input: Input
  /** True: a person of the team has taken over, and gets what is sent. Known to chats that listen. */
  isPaused?: boolean
}

/** A chat, which begins with the first call. Calls are carried out one after the other. */
export type Chat<Bot extends BotTypes = AnyBot> = {
  readonly state: ChatState
  /** Begins, or begins anew, with these options from now on if there are any. */
  start(options?: ChatOptions<Bot>): Promise<ChatTurn>
  /** Answers the question; without a message the chat goes on, as after a client-side action. */
  send(message?: Message): Promise<ChatTurn>
  /**
   * Answers the question with one of its choices, or with several of them. The compiler knows those of
   * each question; what is not offered now is not sent, and the error says what is.
   */
  choose<Question extends keyof Bot["choices"]>(
    question: Question,
    choice: Bot["choices"][Question],
  ): Promise<ChatTurn>
  /** The answers so far, as the result has them, by name. Needs a token that may read results. */
  answers(): Promise<Partial<Bot["answers"]>>
  /**
   * Hears what happens beside own messages from the start of the chat on: replies of the team become turns, in
   * order. What is sent meanwhile goes to the team. Returns what ends that; lost connections come back.
   */
  listen(options?: { onTyping?(): void }): Promise<() => void>
  /** Has a function called whenever `state` has changed; returns what ends that. */
  onChange(listener: () => void): () => void
}

const nothing: ChatState = { turns: [], messages: [], input: undefined }

export function createChat<Bot extends BotTypes>(
  { chat, result }: Pick<TRPCClient<AppRouter>, "chat" | "result">,
  publicId: string,
  begin: ChatOptions<Bot> = {},
): Chat<Bot> {
  const inOrder = createInOrder()
  const repeated = createRepeats()
  const listeners = new Set<() => void>()
  let state = nothing
  let options = begin
  let started: Answers["start"] | undefined
  let isListening = false

  const change = (part: Partial<ChatState>): void => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const take = (before: readonly ChatTurn[], turn: ChatTurn): ChatTurn => {
    const turns = [...before, turn]
    const messages = turns.flatMap(({ step }) => step.messages)
    change({ turns, messages, input: turn.step.input })
    return turn
  }
  const start = async (): Promise<ChatTurn> => {
    const prefilledVariables = options.prefilledVariables as Inputs["start"]["prefilledVariables"]
    const request = { ...options, publicId, prefilledVariables }
    started = await repeated(request, (how) => chat.start.mutate(request, how))
    state = { ...nothing, sessionId: started.sessionId }
    const { message } = options
    return take([], { ...(message != null && { sent: message }), step: started })
  }
  const begun = async (): Promise<Answers["start"]> => {
    if (started === undefined) await start()
    return started as Answers["start"]
  }
  const send = async (sent: Message | undefined): Promise<ChatTurn> => {
    const { textBubbleContentFormat } = options
    const { sessionId } = await begun()
    const request = {
      ...{ sessionId, message: sent, textBubbleContentFormat },
      ...(isListening && { acceptsPaused: true }),
    }
    const step = await repeated(request, (how) => chat.continue.mutate(request, how))
    if (step.state === "paused") {
      change({ isPaused: true })
      // The question waits until the bot has the chat again.
      return take(state.turns, {
        ...(sent !== undefined && { sent }),
        step: { ...step, input: state.input },
      })
    }
    return take(state.turns, { ...(sent !== undefined && { sent }), step })
  }

  const hear = (event: ChatEvent): void => {
    if (event.type === "conversation.reply") {
      const { type: _, ...reply } = event
      take(state.turns, { reply, step: { messages: [], input: state.input } })
    } else if (event.type === "conversation.continued" || event.type === "conversation.idle") {
      const { type: _, ...step } = event
      // A flow without a reaction to silence keeps waiting.
      if (step.input || step.messages.length > 0) take(state.turns, { step })
    } else if (event.type === "conversation.paused") change({ isPaused: true })
    else if (event.type === "conversation.resumed") change({ isPaused: false })
    else if (event.type.startsWith("conversation.e")) change({ input: undefined })
  }

  return {
    get state() {
      return state
    },
    start: (other = options) =>
      inOrder(async () => {
        options = other
        return await start()
      }),
    send: (message) => inOrder(() => send(message)),
    choose: (_question, choice) =>
      inOrder(async () => {
        await begun()
        return await send(messageFor(choice as string | readonly string[], state.input))
      }),
    answers: () =>
      inOrder(async () => {
        if (started?.resultId === undefined) return {}
        const place = { botId: started.bot.id, resultId: started.resultId }
        const { answers } = (await result.get.query(place)).result
        const named = answers.flatMap(({ name, content }) =>
          name === undefined ? [] : [[name, content]],
        )
        return Object.fromEntries(named) as Partial<Bot["answers"]>
      }),
    async listen({ onTyping } = {}) {
      const { sessionId } = await inOrder(begun)
      isListening = true
      const lastEventId = startOf(sessionId)
      const { unsubscribe } = chat.listen.subscribe(
        { sessionId, ...(lastEventId !== undefined && { lastEventId }) },
        {
          onData: ({ data }) =>
            void (data.type === "conversation.typing"
              ? onTyping?.()
              : inOrder(async () => hear(data))),
        },
      )
      return () => {
        isListening = false
        unsubscribe()
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The position before the first event of a chat; undefined: a preview, which has none. */
function startOf(sessionId: string): string | undefined {
  const [id] = /^[0-9a-f]{32}/.exec(sessionId) ?? []
  return id?.replace(/^(.{8})(.{4})(.{4})(.{4})/, "/$1-$2-$3-$4-")
}

/** Something to choose: a button, a picture or a card. */
type Item = {
  id: string
  value?: string | undefined
  content?: string | undefined
  title?: string | null | undefined
  pictureSrc?: string | undefined
  imageUrl?: string | null | undefined
  paths?: { id: string }[] | undefined
}

/** What choosing sends, as a click on what is offered does. */
function messageFor(choice: string | readonly string[], input: Input): Message {
  const offered: Item[] = input && "items" in input ? (input.items ?? []) : []
  const chosen = [choice].flat().map((name) => {
    const item = offered.find((each) => savedAs(each) === name)
    if (item) return item
    const names = offered.slice(0, maxNamed).map((each) => JSON.stringify(savedAs(each)))
    const rest = offered.length > names.length ? ", …" : ""
    throw new Error(
      `The chat does not offer ${JSON.stringify(name)} now, but ${names.join(", ") || "nothing"}${rest}`,
    )
  })
  const text = chosen.map(savedAs).join(", ")
  const [only] = chosen
  if (typeof choice !== "string" || !only) return { type: "text", text }
  // A card is chosen by its first button.
  return { type: "text", text, metadata: { replyId: only.paths?.[0]?.id ?? only.id } }
}

/** Max choices listed in an error. */
const maxNamed = 20

/** What an answer holds of an item. */
function savedAs({ value, content, title, pictureSrc, imageUrl }: Item): string {
  return value || content || title || pictureSrc || imageUrl || ""
}
