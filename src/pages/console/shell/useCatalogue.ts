/** What the service says of blocks and starters, in the language of the page. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { api, type Outputs } from "./api.ts"
import { textsOfCatalogue, textsOfStarters, withTexts, wordsOf } from "./serviceTexts.ts"
import { useLanguage } from "./texts.ts"

/** The types of blocks and credentials, the theme and the settings. */
export function useCatalogue(): Outputs["catalogue"]["list"] {
  const language = useLanguage()
  const options = api.catalogue.list.queryOptions({})
  const { data } = useSuspenseQuery({
    queryKey: [...options.queryKey, language],
    queryFn: async ({ client }) => {
      const [read, translate] = await Promise.all([client.fetchQuery(options), wordsOf(language)])
      return withTexts(read, textsOfCatalogue, translate)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** The starters, as a query. */
export function useStarters() {
  const language = useLanguage()
  const options = api.template.list.queryOptions({})
  return useQuery({
    queryKey: [...options.queryKey, language],
    queryFn: async ({ client }) => {
      const [read, translate] = await Promise.all([client.fetchQuery(options), wordsOf(language)])
      return withTexts(read.templates, textsOfStarters, translate)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
