/** Starts the console. */
import { DirectionProvider, MantineProvider } from "@mantine/core"
import { QueryClientProvider, useQuery } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { type ReactNode, StrictMode, useEffect } from "react"
import { createRoot } from "react-dom/client"
import { api, queryClient } from "./api.ts"
import { router } from "./router.ts"
import { styleNonce } from "./styleNonce.ts"
import { type Language, LanguageContext, languageOfBrowser, languages } from "./texts.ts"
import { contrasts, theme } from "./theme.ts"
import "./main.css"

/** Sets the language that the account prefers, else that of the browser. */
function Speaking({ children }: { children: ReactNode }) {
  const { data: me } = useQuery(api.user.getMe.queryOptions())
  const wanted = me?.preferredLanguage?.slice(0, 2).toLowerCase() ?? ""
  const language = Object.hasOwn(languages, wanted) ? (wanted as Language) : languageOfBrowser()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

createRoot(document.querySelector("#console") ?? document.body).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <DirectionProvider>
        <MantineProvider
          theme={theme}
          defaultColorScheme="auto"
          getStyleNonce={() => styleNonce}
          cssVariablesResolver={contrasts}
        >
          <Speaking>
            <RouterProvider router={router} />
          </Speaking>
        </MantineProvider>
      </DirectionProvider>
    </QueryClientProvider>
  </StrictMode>,
)
