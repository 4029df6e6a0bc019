/** What the service says of blocks and starters, in the language of the page. */
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { api, type Outputs } from "./api.ts"
import { type Translate, textsOfCatalogue, textsOfStarters, withTexts } from "./serviceTexts.ts"
import { type Language, useLanguage } from "./texts.ts"

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

/** How English texts are said in a language. Those that a newer service has besides stay as they are. */
async function wordsOf(language: Language): Promise<Translate> {
  if (language === "en") return (text) => text
  const german: Readonly<Record<string, string>> = (await import("./serviceTexts.de.json")).default
  return (text) => (Object.hasOwn(german, text) ? (german[text] ?? text) : text)
}
