/** A preview of a bot as one object: to talk to a draft, to see what it does, and to go back. */
import type { TRPCClient } from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import { createInOrder } from "../lib/inOrder.ts"
import type { AppRouter } from "../routers/app.ts"

type Chat = inferRouterOutputs<AppRouter>["chat"]
type ChatInputs = inferRouterInputs<AppRouter>["chat"]
type Message = ChatInputs["continue"]["message"]

/** How a preview begins: at the start of the stored draft, unless it says otherwise. */
export type PreviewOptions = Omit<ChatInputs["startPreview"], "botId" | "trace">

/** What a turn did: its blocks with their times and calls, its answers, the variables after it. */
export type PreviewTrace = NonNullable<Chat["continue"]["trace"]>

/** A turn that was not taken back: what was sent, and the answer to it. */
export type PreviewTurn = { sent?: Message; step: Chat["continue"]; trace: PreviewTrace }

/** Where a preview is. Each change makes new lists, so that they can be compared. */
export type PreviewState = {
  /** The turns, oldest first. */
  turns: readonly PreviewTurn[]
  /** All that the bot says in them. */
  messages: Chat["continue"]["messages"]
  /** The question that waits; absent: there is none. */
  input: Chat["continue"]["input"]
  /** The variables that have a value. */
  variables: PreviewTrace["variables"]
}

/** A preview, which begins with the first call. Calls are carried out one after the other. */
export type Preview = {
  readonly state: PreviewState
  /** Answers the question; without a message the chat goes on, as after a client-side action. */
  send(message?: Message): Promise<PreviewTurn>
  /** Returns to the question before the last answer. What blocks did outside stays done. */
  back(): Promise<PreviewState>
  /** Begins anew, with these options from now on if there are any. */
  restart(options?: PreviewOptions): Promise<PreviewTurn>
  /** Has a function called after every change, with the trace of the turn; none after going back. */
  onTrace(listener: PreviewListener): () => void
}

type PreviewListener = (trace: PreviewTrace | undefined, state: PreviewState) => void

const nothing: PreviewState = { turns: [], messages: [], input: undefined, variables: [] }

/** Opens a preview with any client of tRPC, which needs an API token. */
export function openPreview(
  { chat }: Pick<TRPCClient<AppRouter>, "chat">,
  botId: string,
  begin: PreviewOptions = {},
): Preview {
  const listeners = new Set<PreviewListener>()
  let state = nothing
  let options = begin
  let sessionId: string | undefined
  const inOrder = createInOrder()

  const show = (next: PreviewState, trace?: PreviewTrace) => {
    state = next
    for (const listener of listeners) listener(trace, state)
    return state
  }
  const take = (before: readonly PreviewTurn[], turn: PreviewTurn): PreviewTurn => {
    const { input } = turn.step
    const { variables } = turn.trace
    show({ ...shownIn([...before, turn]), input, variables }, turn.trace)
    return turn
  }
  const start = async () => {
    // Under the id that it has, so that no former ones are kept.
    const named = sessionId === undefined ? options : { sessionId, ...options }
    const { bot: _, ...step } = await chat.startPreview.mutate({ ...named, botId, trace: true })
    sessionId = step.sessionId
    return take([], turnOf(step, options.message))
  }
  const begun = async () => {
    if (sessionId === undefined) await start()
    return sessionId ?? ""
  }

  return {
    get state() {
      return state
    },
    send: (message) =>
      inOrder(async () => {
        const step = await chat.continue.mutate({ sessionId: await begun(), message, trace: true })
        return take(state.turns, turnOf(step, message))
      }),
    back: () =>
      inOrder(async () => {
        const back = await chat.previewBack.mutate({ botId, sessionId: await begun() })
        const { turn, input, variables } = back
        const turns = state.turns.filter(({ trace }) => trace.turn <= turn)
        return show({ ...shownIn(turns), input, variables })
      }),
    restart: (other = options) =>
      inOrder(async () => {
        options = other
        return await start()
      }),
    onTrace(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function turnOf(step: Chat["continue"], sent: Message): PreviewTurn {
  const { trace } = step
  if (!trace) throw new Error("The service does not trace previews: it is older than this client")
  return { ...(sent == null ? {} : { sent }), step, trace }
}

function shownIn(turns: readonly PreviewTurn[]): Pick<PreviewState, "turns" | "messages"> {
  return { turns, messages: turns.flatMap(({ step }) => step.messages) }
}
