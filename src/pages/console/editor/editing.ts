/** What every part of the editor works with: the draft and its edits, the catalogue, and what is selected. */

import type { DraftConflict } from "@parley/client/draft"
import { applyEdits, type Edit, isEditProblem, takeMine } from "@parley/client/edit"
import { useDraft } from "@parley/client/react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { createContext, use, useMemo, useState } from "react"
import { api, type Outputs, parley } from "../shell/api.ts"
import { notify, reportProblem } from "../shell/notify.ts"
import { useCatalogue } from "../shell/useCatalogue.ts"
import type { EditorSearch } from "./editorSearch.ts"

export type Bot = Outputs["bot"]["get"]["bot"]
export type BotGroup = Bot["groups"][number]
export type Block = BotGroup["blocks"][number]
export type CatalogueEntry = Outputs["catalogue"]["list"]["blocks"][number]

export type Editing = {
  botId: string
  /** The draft with the edits of this author, as they are now. */
  bot: Bot
  /** False for those who may only read. */
  mayEdit: boolean
  isSaved: boolean
  /**
   * Applies edits at once and saves them in order; reports those that cannot be made. `former` puts their elements as
   * the author has seen them, when others have changed them meanwhile.
   */
  edit(edits: readonly Edit[], former?: readonly Edit[]): void
  /** What another author changed as well, and which of both is kept has not been decided. */
  conflicts: readonly DraftConflict[]
  decide(conflict: DraftConflict, whose: "mine" | "theirs"): void
  undo(): void
  redo(): void
  /** The entry of a type; undefined: a newer service made the block. */
  entryOf(type: string): CatalogueEntry | undefined
  catalogue: readonly CatalogueEntry[]
  /** Others who have the bot open, and at which element. */
  present: readonly { userId: string; name?: string | null; focus?: string | null }[]
}

export const EditingContext = createContext<Editing | undefined>(undefined)

export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (editing === undefined) throw new Error("There is no draft here")
  return editing
}

/** Reads and changes what is selected. */
export function useSelected(): EditorSearch & { select(next: EditorSearch): void } {
  const search = useSearch({ from: "/bots/$botId/" })
  const navigate = useNavigate({ from: "/bots/$botId/" })
  const select = (next: EditorSearch) => void navigate({ search: next, replace: true })
  return { ...search, select }
}

/** Opens the draft of the address for the editor; undefined until it is read. */
export function useOpenedDraft(): { editing: Editing | undefined; error: unknown } {
  const { botId } = useParams({ from: "/bots/$botId/" })
  const { data: read } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const data = useCatalogue()
  const [present, setPresent] = useState<Editing["present"]>([])
  const { open, add, drop } = useConflicts(botId)
  const { draft, bot, isSaved, error } = useDraft(parley, botId, {
    onRefused: (_, refused, { conflicts }) => {
      if (conflicts.length === 0) reportProblem(refused)
      else add(conflicts)
    },
    onEvent: (event) => {
      if (event.type === "present") setPresent(event.present)
    },
  })
  const entries = useMemo(() => new Map(data.blocks.map((entry) => [entry.type, entry])), [data])
  const mayEdit = read.currentUserMode !== "read" && read.currentUserMode !== "guest"
  if (draft === undefined || bot === undefined) return { editing: undefined, error }
  const reverse = (way: "undo" | "redo") => void draft[way]().catch(reportProblem)
  const edit: Editing["edit"] = (edits, former) => {
    try {
      draft.edit(edits, former && applyEdits(draft.bot, former).draft)
    } catch (problem) {
      if (!isEditProblem(problem)) throw problem
      void notify({ message: problem.message, isProblem: true })
    }
  }
  const editing: Editing = {
    botId,
    bot,
    mayEdit,
    isSaved,
    edit,
    // Some are over because another change made them so.
    conflicts: open.filter((conflict) => takeMine(bot, conflict).length > 0),
    decide: (conflict, whose) => {
      drop(conflict)
      if (whose === "mine") edit(takeMine(draft.bot, conflict))
    },
    undo: () => reverse("undo"),
    redo: () => reverse("redo"),
    entryOf: (type) => entries.get(type),
    catalogue: data.blocks,
    present,
  }
  return { editing, error }
}

/** The conflicts of a bot that are to be decided, one for each member. */
function useConflicts(botId: string) {
  const [{ of, conflicts }, set] = useState({
    of: botId,
    conflicts: [] as readonly DraftConflict[],
  })
  const keyOf = ({ element, path }: DraftConflict) => [element, ...path].join("/")
  return {
    open: of === botId ? conflicts : [],
    add: (more: readonly DraftConflict[]) =>
      set((now) => {
        const keys = new Set(more.map(keyOf))
        const others = now.of === botId ? now.conflicts : []
        return {
          of: botId,
          conflicts: [...others.filter((each) => !keys.has(keyOf(each))), ...more],
        }
      }),
    drop: (conflict: DraftConflict) =>
      set((now) => ({ ...now, conflicts: now.conflicts.filter((each) => each !== conflict) })),
  }
}
