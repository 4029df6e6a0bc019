/** A draft that several people edit at once: shows one's own edits immediately, and those of others as they come. */
import type { TRPCClient } from "@trpc/client"
import type { inferRouterOutputs } from "@trpc/server"
import type { AppRouter } from "../routers/app.ts"
import { applyEdits, type Edit } from "./edit.ts"
import { isParleyError } from "./errors.ts"
import { newKey, persistently } from "./repeats.ts"

type Outputs = inferRouterOutputs<AppRouter>["bot"]
type Bot = Outputs["get"]["bot"]

/** What happens to a bot while it is edited: edits, publications, the presence of others. */
export type DraftEvent =
  Outputs["changes"] extends AsyncIterable<infer Sent, unknown, unknown>
    ? Sent extends { data: infer Data }
      ? Data
      : never
    : never

/** Edits of this author that are not known to be saved; `id` makes it safe to send them again. */
type Change = RefusedEdits & { id: string; savedAs?: number }

/** Edits that were given up, and the draft on which their author made them. */
export type RefusedEdits = { edits: readonly Edit[]; before: Bot }

/** A draft that is followed until it is closed. */
export type SharedDraft = {
  /** The draft as it is saved, with the edits of this author that are not saved yet. Each change makes a new one. */
  readonly bot: Bot
  /** Whether the service has all edits. */
  readonly isSaved: boolean
  /**
   * Applies edits at once, and saves them in order, however often the connection breaks. Returns the id of the
   * change. Throws an `EditProblem`, with nothing applied, when they cannot be made.
   */
  edit(edits: readonly Edit[]): string
  /** Takes the author's last change back, once all edits so far are saved; throws a `ParleyError`, as for `NOTHING_TO_UNDO`. */
  undo(): Promise<void>
  /** Takes the author's last undo back. */
  redo(): Promise<void>
  /** Resolves when all edits so far are saved or refused. */
  settled(): Promise<void>
  /** Resolves when the draft has come this far. */
  reached(revision: number): Promise<void>
  /** Has a function called whenever `bot` or `isSaved` has changed; returns what ends that. */
  onChange(listener: () => void): () => void
  /** Stops following and saving. */
  close(): void
}

/** What a draft reports beside its changes. */
export type DraftListeners = {
  /** Edits were saved, as this revision. */
  onSaved?(changeId: string, revision: number): void
  /**
   * Edits were given up, because another author changed what they touch or the caller may not edit any more. The draft
   * shows by then what the other author made.
   */
  onRefused?(changeId: string, error: unknown, refused: RefusedEdits): void
  /** Something happened to the bot; `present` lists those who have it open. */
  onEvent?(event: DraftEvent): void
  /** The service refuses to report more, as when the caller's access was removed. */
  onLost?(error: unknown): void
}

/** Opens a draft: `const draft = await openDraft(parley, botId)`. Needs a caller who may edit the bot. */
export async function openDraft(
  { bot: calls }: Pick<TRPCClient<AppRouter>, "bot">,
  botId: string,
  listeners: DraftListeners = {},
): Promise<SharedDraft> {
  let isClosed = false
  const repeated = <Answer>(call: () => Promise<Answer>) => persistently(call, () => isClosed)
  const read = () => repeated(() => calls.get.query({ botId }))
  let saved = (await read()).bot
  let waiting: Change[] = []
  /** What is to be sent, in the order of the calls. */
  const calling: (() => Promise<void>)[] = []
  let shown = saved
  let isSending = false
  let isReading = false
  let isOutdated = false
  const watchers = new Set<() => void>()

  /** Shows the saved draft with what waits; edits that can no longer be made are given up. */
  const show = (): void => {
    shown = saved
    const refused: [Change, unknown][] = []
    waiting = waiting.filter((change) => {
      try {
        shown = applyEdits(shown, change.edits).draft
        return true
      } catch (error) {
        if (change.savedAs === undefined) refused.push([change, error])
        return false
      }
    })
    for (const watch of watchers) watch()
    for (const [change, error] of refused) listeners.onRefused?.(change.id, error, change)
  }

  const readAgain = async (): Promise<void> => {
    // What is being read now may be from before this.
    isOutdated = true
    if (isReading) return
    isReading = true
    while (isOutdated) {
      isOutdated = false
      const { bot } = await read()
      if (bot.revision < saved.revision) continue
      saved = bot
      waiting = waiting.filter(({ savedAs }) => savedAs === undefined || savedAs > bot.revision)
      show()
    }
    isReading = false
  }
  const refresh = () => void readAgain().catch((error: unknown) => listeners.onLost?.(error))

  const stream = calls.changes.subscribe(
    { botId, revision: saved.revision },
    {
      onData({ data }) {
        listeners.onEvent?.(data)
        if (data.type === "replaced") refresh()
        if (data.type !== "edited" || data.revision <= saved.revision) return
        if (data.revision > saved.revision + 1) return refresh()
        const { draft } = applyEdits(saved, data.edits)
        saved = { ...draft, revision: data.revision, updatedAt: data.at }
        waiting = waiting.filter(({ id }) => id !== data.changeId)
        show()
      },
      onError: (error) => listeners.onLost?.(error),
    },
  )

  const watch = (listener: () => void): (() => void) => {
    watchers.add(listener)
    return () => watchers.delete(listener)
  }
  const when = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const judge = () => {
        if (!isSo()) return
        stop()
        resolve()
      }
      const stop = watch(judge)
      judge()
    })
  const reached = (revision: number) => when(() => saved.revision >= revision)
  const settled = () => when(() => waiting.length === 0 && !isSending)

  const send = async (change: Change): Promise<void> => {
    // It was given up meanwhile.
    if (!waiting.includes(change)) return
    const { id: changeId, edits } = change
    const request = { botId, revision: saved.revision, edits: [...edits], changeId }
    try {
      const made = await repeated(() => calls.edit.mutate(request))
      change.savedAs = made.revision
      listeners.onSaved?.(changeId, made.revision)
      await reached(made.revision)
    } catch (error) {
      waiting = waiting.filter((each) => each !== change)
      if (isParleyError(error) && error.data?.reason === "STALE_DRAFT")
        await reached(error.data.data.revision)
      show()
      return listeners.onRefused?.(changeId, error, change)
    }
    show()
  }

  /** Makes calls one after the other, each on the draft as it is then. */
  const inTurn = async (call: () => Promise<void>): Promise<void> => {
    calling.push(call)
    if (isSending) return
    isSending = true
    for (let next = calling.shift(); next && !isClosed; next = calling.shift()) await next()
    isSending = false
    show()
  }

  const takeBack = async (way: "undo" | "redo"): Promise<void> => {
    const request = { botId, revision: saved.revision, changeId: newKey() }
    await reached((await repeated(() => calls[way].mutate(request))).revision)
  }
  const reverse = (way: "undo" | "redo"): Promise<void> =>
    new Promise((resolve, reject) => {
      void inTurn(() => takeBack(way).then(resolve, reject))
      for (const changed of watchers) changed()
    })

  return {
    get bot() {
      return shown
    },
    get isSaved() {
      return waiting.length === 0 && !isSending
    },
    edit(edits) {
      const change: Change = { id: newKey(), edits, before: shown }
      shown = applyEdits(shown, edits).draft
      waiting.push(change)
      void inTurn(() => send(change))
      for (const changed of watchers) changed()
      return change.id
    },
    undo: () => reverse("undo"),
    redo: () => reverse("redo"),
    settled,
    reached,
    onChange: watch,
    close() {
      isClosed = true
      stream.unsubscribe()
      watchers.clear()
    },
  }
}
