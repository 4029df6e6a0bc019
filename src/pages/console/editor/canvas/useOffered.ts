/** What can be added to the draft. */
import { useMemo } from "react"
import { type CatalogueEntry, useEditing } from "../editing.ts"

export function useOffered(): readonly CatalogueEntry[] {
  const { catalogue, bot } = useEditing()
  const hasEvents = bot.events !== null
  return useMemo(
    () =>
      catalogue.filter(
        ({ kind, type, isLegacy }) =>
          !isLegacy && (kind !== "event" || (type !== "start" && hasEvents)),
      ),
    [catalogue, hasEvents],
  )
}
