/** What the view asks of the API. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useMemo } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { type ResultsSearch, spanOf } from "./resultsSearch.ts"

export type Result = Outputs["result"]["list"]["results"][number]
export type ListedColumn = Outputs["result"]["listColumns"]["columns"][number]

const pageSize = 100

/** The filter that an address means, as lists and exports take it. */
export function filterOf({ result: _, timeFilter, from, to, ...filter }: ResultsSearch) {
  return {
    ...filter,
    ...spanOf({ ...(timeFilter && { timeFilter }), ...(from && { from }), ...(to && { to }) }),
  }
}

export function useBotId(): string {
  return useParams({ from: "/bots/$botId" }).botId
}

/** The results that pass the filter, page by page. */
export function useResults(search: ResultsSearch) {
  const botId = useBotId()
  const list = useInfiniteQuery(
    api.result.list.infiniteQueryOptions(
      { botId, limit: pageSize, ...filterOf(search) },
      {
        getNextPageParam: ({ nextCursor }) => nextCursor,
        // Reading again would read every page: a button does.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 0,
      },
    ),
  )
  const { data } = list
  const results = useMemo(() => data?.pages.flatMap((page) => page.results) ?? [], [data])
  return { ...list, results }
}

/** Columns of the versions of the period; a search does not change them. */
export function useListedColumns({ timeFilter, from, to, version }: ResultsSearch) {
  const botId = useBotId()
  const filter = filterOf({
    ...{ ...(timeFilter && { timeFilter }), ...(from && { from }), ...(to && { to }) },
    ...(version && { version }),
  })
  const { data } = useQuery(api.result.listColumns.queryOptions({ botId, ...filter }))
  return data?.columns
}

/** Numbers of the versions, newest first. */
export function useVersionNumbers(): number[] {
  const { data } = useQuery(api.version.list.queryOptions({ botId: useBotId(), limit: 200 }))
  return data?.versions.map(({ number }) => number) ?? []
}
