/** A draft that several people edit at once: shows one's own edits at once, and those of others as they come. */
import { isParleyError, type ParleyClient, type ParleyOutputs } from "@parley/client"
import { applyEdits, type Edit } from "@parley/client/edit"

type Bot = ParleyOutputs["bot"]["get"]["bot"]

/** Edits of this author that are not known to be saved; `id` makes it safe to send them again. */
type Change = { id: string; edits: Edit[]; savedAs?: number }

export type SharedDraft = {
  /** The draft as it is saved, with the edits of this author that are not saved yet. */
  shown(): Bot
  /** Applies edits at once, and saves them. Throws an `EditProblem`, with nothing applied, when they cannot be made. */
  edit(edits: Edit[]): void
  /** Resolves when all edits so far are saved or refused. */
  settled(): Promise<void>
  /** Resolves when the draft has come this far. */
  reached(revision: number): Promise<void>
  close(): void
}

type Listeners = {
  /** Edits were saved, as this revision. */
  onSaved?(changeId: string, revision: number): void
  /** Edits were given up, because somebody else changed what they touch. */
  onRefused?(changeId: string, error: unknown): void
}

/** Opens a draft, and follows it until it is closed. */
export async function openSharedDraft(
  parley: ParleyClient,
  botId: string,
  listeners: Listeners = {},
): Promise<SharedDraft> {
  const read = () => persistently(() => parley.bot.get.query({ botId }))
  let saved = (await read()).bot
  let waiting: Change[] = []
  let shown = saved
  let isSending = false
  let isReading = false
  let isOutdated = false
  let isClosed = false
  const watchers = new Set<() => void>()

  /** Shows the saved draft with what waits; edits that can no longer be made are given up. */
  const show = (): void => {
    shown = saved
    waiting = waiting.filter((change) => {
      try {
        shown = applyEdits(shown, change.edits).draft
        return true
      } catch (error) {
        if (change.savedAs === undefined) listeners.onRefused?.(change.id, error)
        return false
      }
    })
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
      waiting = waiting.filter(({ savedAs }) => savedAs === undefined || savedAs > bot.revision)
      show()
    }
    isReading = false
  }

  const stream = parley.bot.changes.subscribe(
    { botId, revision: saved.revision },
    {
      onData({ data }) {
        if (data.type === "replaced") void readAgain()
        if (data.type !== "edited" || data.revision <= saved.revision) return
        if (data.revision > saved.revision + 1) return void readAgain()
        const { draft } = applyEdits(saved, data.edits)
        saved = { ...draft, revision: data.revision, updatedAt: data.at }
        waiting = waiting.filter(({ id }) => id !== data.changeId)
        show()
      },
    },
  )

  const when = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const watch = () => {
        if (!isSo()) return
        watchers.delete(watch)
        resolve()
      }
      watchers.add(watch)
      watch()
    })
  const reached = (revision: number) => when(() => saved.revision >= revision)

  const send = async (change: Change): Promise<void> => {
    const { id: changeId, edits } = change
    const { revision } = saved
    try {
      const made = await persistently(() =>
        parley.bot.edit.mutate({ botId, revision, edits, changeId }),
      )
      change.savedAs = made.revision
      listeners.onSaved?.(changeId, made.revision)
      await reached(made.revision)
    } catch (error) {
      waiting = waiting.filter((each) => each !== change)
      listeners.onRefused?.(changeId, error)
      if (isParleyError(error) && error.data?.reason === "STALE_DRAFT")
        await reached(error.data.data.revision)
    }
    show()
  }

  /** One after the other, each on the draft as it is then. */
  const sendAll = async (): Promise<void> => {
    if (isSending) return
    isSending = true
    for (let [next] = waiting; next && !isClosed; [next] = waiting) await send(next)
    isSending = false
    show()
  }

  return {
    shown: () => shown,
    edit(edits) {
      shown = applyEdits(shown, edits).draft
      waiting.push({ id: crypto.randomUUID(), edits })
      void sendAll()
    },
    settled: () => when(() => waiting.length === 0 && !isSending),
    reached,
    close() {
      isClosed = true
      stream.unsubscribe()
    },
  }
}

const pauseMs = 100

/** Calls until the service answers: a lost answer, or one that says that it is busy, is no answer. */
export async function persistently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      const status = isParleyError(error) ? (error.data?.httpStatus ?? 503) : 400
      if (status < 500 && status !== 429) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
