/** Order, visibility and width of the columns, which all who work on the bot share. */

import { useDebouncedCallback } from "@mantine/hooks"
import { isParleyError } from "@parley/client"
import type { Edit } from "@parley/client/edit"
import { useSuspenseQuery } from "@tanstack/react-query"
import type { ColumnOrderState, ColumnSizingState, VisibilityState } from "@tanstack/react-table"
import { useState } from "react"
import { api, parley, queryClient } from "../shell/api.ts"
import { reportProblem } from "../shell/notify.ts"
import { useBotId } from "./resultQueries.ts"
import type { TableColumn } from "./tableColumns.ts"

export type Preferences = {
  columnsOrder: ColumnOrderState
  columnsVisibility: VisibilityState
  columnsWidth: ColumnSizingState
}

/** Waits until a column has its width. */
const pauseMs = 600

export function usePreferences() {
  const botId = useBotId()
  const { data } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const mayEdit = data.currentUserMode === "write"
  const [preferences, setPreferences] = useState<Preferences>(
    () =>
      data.bot.resultsTablePreferences ?? {
        columnsOrder: [],
        columnsVisibility: {},
        columnsWidth: {},
      },
  )
  const saveSoon = useDebouncedCallback(
    (next: Preferences) => void savePreferences(botId, next).catch(reportProblem),
    { delay: pauseMs, flushOnUnmount: true },
  )
  const change = (changes: Partial<Preferences>) => {
    const next = { ...preferences, ...changes }
    setPreferences(next)
    // Those who may only read arrange their own view.
    if (mayEdit) saveSoon(next)
  }
  return { preferences, change, mayEdit }
}

/** Whether the table shows a column. */
export function isShown({ columnsVisibility }: Preferences, column: TableColumn): boolean {
  return columnsVisibility[column.id] ?? column.isShownAtFirst
}

/** The columns as people have ordered them; those that are new come last, as in exports. */
export function inOrder(
  { columnsOrder }: Preferences,
  columns: readonly TableColumn[],
): TableColumn[] {
  const placeOf = ({ id }: TableColumn) => {
    const place = columnsOrder.indexOf(id)
    return place < 0 ? columnsOrder.length : place
  }
  return columns.toSorted((a, b) => placeOf(a) - placeOf(b))
}

async function savePreferences(botId: string, resultsTablePreferences: Preferences) {
  const edits: Edit[] = [{ type: "bot.set", resultsTablePreferences }]
  const options = api.bot.get.queryOptions({ botId })
  const save = async () => {
    const { bot } = await queryClient.ensureQueryData(options)
    return await parley.bot.edit.mutate({ botId, revision: bot.revision ?? 1, edits })
  }
  const { revision } = await save().catch(async (error) => {
    if (!isParleyError(error) || error.data?.httpStatus !== 409) throw error
    // The draft has changed since it was read; the latest arrangement wins.
    await queryClient.refetchQueries({ queryKey: options.queryKey })
    return await save()
  })
  queryClient.setQueryData(
    options.queryKey,
    (read) => read && { ...read, bot: { ...read.bot, revision, resultsTablePreferences } },
  )
}
