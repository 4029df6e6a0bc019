/** A draft that several people edit at once: shows one's own edits immediately, and those of others as they come. */
import type { TRPCClient } from "@trpc/client"
import type { inferRouterOutputs } from "@trpc/server"
import type { AppRouter } from "../routers/app.ts"
import { applyEdits, type Conflict, type Edit, isEditProblem, rebaseEdits } from "./edit.ts"
import { isParleyError, type ParleyError } from "./errors.ts"
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

type Author = Extract<DraftEvent, { type: "edited" }>["author"]

/** Edits and the draft on which their author made them. */
type MadeEdits = { edits: readonly Edit[]; before: Bot }

/**
 * Edits of this author that are not known to be saved; `id` makes it safe to send them again. `seen` counts what
 * others had done to the draft `before`.
 */
type Change = MadeEdits & { id: string; seen: number; savedAs?: number }

/** A conflict, and who made what the draft has now; undefined: not known any more. */
export type DraftConflict = Conflict & { by: Author | undefined }

/** Edits that were given up, and the draft on which their author made them. */
export type RefusedEdits = MadeEdits & {
  /** What `takeMine` makes after all; what others left as it was is saved already. None: they cannot be made. */
  conflicts: readonly DraftConflict[]
}

/** A draft that is followed until it is closed. */
export type SharedDraft = {
  /** The draft as it is saved, with the edits of this author that are not saved yet. Each change makes a new one. */
  readonly bot: Bot
  /** Whether the service has all edits. */
  readonly isSaved: boolean
  /**
   * Applies edits at once, and saves them in order, however often the connection breaks. Returns the id of the
   * change. Throws an `EditProblem`, with nothing applied, when they cannot be made. `before` is an earlier `bot` on
   * which they were made, as by a form that has not followed the draft; absent: the present one.
   */
  edit(edits: readonly Edit[], before?: Bot): string
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
   * Edits were given up, at least in part, because another author changed the same members or the caller may not edit
   * any more. The draft shows by then what the other author made. Edits of other members are merged without a word.
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
  const others = createOthers()

  /** Shows the saved draft with what waits. */
  const show = (): void => {
    shown = saved
    for (const change of waiting) {
      try {
        const isSeen = change.seen === others.count
        const edits = isSeen ? change.edits : rebaseEdits(change.before, change.edits, shown).edits
        shown = applyEdits(shown, edits).draft
      } catch (error) {
        // It is refused when its turn comes.
        if (!isEditProblem(error)) throw error
      }
    }
    for (const watch of watchers) watch()
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
      others.note([], undefined)
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
        const { draft, elements } = applyEdits(saved, data.edits)
        saved = { ...draft, revision: data.revision, updatedAt: data.at }
        if (!others.isOwn(data.changeId)) others.note(elements, data.author)
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

  /** Gives up a change that cannot be made. */
  const giveUp = (change: Change, error: unknown, refused: RefusedEdits): void => {
    waiting = waiting.filter((each) => each !== change)
    show()
    listeners.onRefused?.(change.id, error, refused)
  }

  /** Makes a change anew on what others have saved since; false: nothing of it is left to be sent. */
  const rebase = (change: Change, stale: unknown): boolean => {
    if (change.seen === others.count) return true
    const { id, edits, before } = change
    const rebased = rebaseEdits(before, edits, saved)
    const conflicts = rebased.conflicts.map((each) => ({ ...each, by: others.by(each.element) }))
    const [first] = conflicts
    const isLeft = rebased.edits.length > 0
    Object.assign(change, { edits: rebased.edits, before: saved, seen: others.count })
    if (first) change.id = others.ownKey()
    if (!isLeft) waiting = waiting.filter((each) => each !== change)
    if (first || !isLeft) show()
    if (first) {
      const error = stale ?? new Error(`Another author changed \`${first.element}\``)
      listeners.onRefused?.(id, error, { edits, before, conflicts })
    }
    return isLeft
  }

  const send = async (change: Change): Promise<void> => {
    let stale: unknown
    while (waiting.includes(change) && !isClosed) {
      const made = { edits: change.edits, before: change.before }
      try {
        if (!rebase(change, stale)) return
        applyEdits(saved, change.edits)
        const { id: changeId, edits } = change
        const request = { botId, revision: saved.revision, edits: [...edits], changeId }
        const { revision } = await repeated(() => calls.edit.mutate(request))
        change.savedAs = revision
        listeners.onSaved?.(changeId, revision)
        await reached(revision)
        return show()
      } catch (error) {
        if (!isStale(error)) return giveUp(change, error, { ...made, conflicts: [] })
        stale = error
        await reached(error.data.data.revision)
      }
    }
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
    const request = { botId, revision: saved.revision, changeId: others.ownKey() }
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
    edit(edits, before = shown) {
      // Edits on an earlier draft are compared with all that came after it.
      const seen = before === shown ? others.count : Number.NaN
      const change: Change = { id: others.ownKey(), edits, before, seen }
      const { edits: now } = before === shown ? change : rebaseEdits(before, edits, shown)
      shown = applyEdits(shown, now).draft
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

type Stale = Extract<NonNullable<ParleyError["data"]>, { reason: "STALE_DRAFT" }>

/** Whether another author was faster. */
function isStale(error: unknown): error is ParleyError & { data: Stale } {
  return isParleyError(error) && error.data?.reason === "STALE_DRAFT"
}

/** What others do to the draft: how often they have changed it, and who was the last at an element. */
function createOthers() {
  const own = new Set<string>()
  const authors = new Map<string, Author>()
  let count = 0
  return {
    get count() {
      return count
    },
    by: (element: string) => authors.get(element),
    isOwn: (changeId: string | undefined) => changeId !== undefined && own.has(changeId),
    /** A key for a change of this author. */
    ownKey(): string {
      const key = newKey()
      own.add(key)
      return key
    },
    note(elements: readonly string[], author: Author): void {
      count += 1
      for (const element of elements) authors.set(element, author)
    },
  }
}
