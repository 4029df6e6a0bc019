/** What every part of the editor works with: the draft and its edits, the catalogue, and what is selected. */

import type { Edit } from "@parley/client/edit"
import { isEditProblem } from "@parley/client/edit"
import { useDraft } from "@parley/client/react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { createContext, use, useMemo, useState } from "react"
import { api, type Outputs, parley } from "../shell/api.ts"
import { notify, reportProblem } from "../shell/notify.ts"
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
  /** Applies edits at once and saves them in order; reports those that cannot be made. */
  edit(edits: readonly Edit[]): void
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
  const { data } = useSuspenseQuery({
    ...api.catalogue.list.queryOptions({}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [present, setPresent] = useState<Editing["present"]>([])
  const { draft, bot, isSaved, error } = useDraft(parley, botId, {
    onRefused: (_, refused) => reportProblem(refused),
    onEvent: (event) => {
      if (event.type === "present") setPresent(event.present)
    },
  })
  const entries = useMemo(() => new Map(data.blocks.map((entry) => [entry.type, entry])), [data])
  const mayEdit = read.currentUserMode !== "read" && read.currentUserMode !== "guest"
  if (draft === undefined || bot === undefined) return { editing: undefined, error }
  const reverse = (way: "undo" | "redo") => void draft[way]().catch(reportProblem)
  const editing: Editing = {
    botId,
    bot,
    mayEdit,
    isSaved,
    edit: (edits) => {
      try {
        draft.edit(edits)
      } catch (problem) {
        if (!isEditProblem(problem)) throw problem
        void notify({ message: problem.message, isProblem: true })
      }
    },
    undo: () => reverse("undo"),
    redo: () => reverse("redo"),
    entryOf: (type) => entries.get(type),
    catalogue: data.blocks,
    present,
  }
  return { editing, error }
}
