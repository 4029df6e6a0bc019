/** What the service says of blocks and starters, in the language of the page. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { api, type Outputs } from "./api.ts"
import { textsOfCatalogue, textsOfStarters, withTexts } from "./serviceTexts.ts"
import { type Language, useLanguage } from "./texts.ts"

/** The types of blocks and credentials, the theme and the settings. */
export function useCatalogue(): Outputs["catalogue"]["list"] {
  const language = useLanguage()
  const options = api.catalogue.list.queryOptions({})
  const { data } = useSuspenseQuery({
    queryKey: [...options.queryKey, language],
    queryFn: async ({ client }) =>
      inLanguage(language, await client.fetchQuery(options), textsOfCatalogue),
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
      const { templates } = await client.fetchQuery(options)
      return await inLanguage(language, templates, textsOfStarters)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The same with its English texts in a language. Those that a newer service has besides stay as they are. */
async function inLanguage<Value>(
  language: Language,
  value: Value,
  names: readonly string[],
): Promise<Value> {
  if (language === "en") return value
  const german: Readonly<Record<string, string>> = (await import("./serviceTexts.de.json")).default
  return withTexts(value, names, (text) =>
    Object.hasOwn(german, text) ? (german[text] ?? text) : text,
  )
}
