/** The frame of one bot: its name, its views as tabs, and what can be done with it from everywhere. */
import { ActionIcon } from "@mantine/core"
import { useSuspenseQuery } from "@tanstack/react-query"
import { createRoute, Link, Outlet, useLocation } from "@tanstack/react-router"
import { api, queryClient } from "../shell/api.ts"
import { Icon } from "../shell/Icon.tsx"
import { JumpButton } from "../shell/JumpButton.tsx"
import { rootRoute } from "../shell/rootRoute.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import { BotIcon } from "./BotIcon.tsx"
import { botViews, botViewTexts } from "./botViews.ts"

const texts = defineTexts({
  en: {
    back: "All bots",
    views: "Views of this bot",
  },
  de: {
    back: "Alle Bots",
    views: "Ansichten dieses Bots",
  },
})

export const botRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "bots/$botId",
  loader: ({ params }) => queryClient.ensureQueryData(api.bot.get.queryOptions(params)),
  component: BotLayout,
})

/** Where a view puts what it offers beside the tabs: `createPortal(…, botActions())`. */
export const botActionsId = "botActions"

function BotLayout() {
  const t = useTexts(texts)
  const names = useTexts(botViewTexts)
  const { botId } = botRoute.useParams()
  const { data } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const { bot } = data
  const { pathname } = useLocation()
  const here = botViews.find(([to]) => to.replace("$botId", botId) === pathname)?.[1] ?? "editor"
  useTitle(names[here], bot.name)
  return (
    <div className="botFrame">
      <header className="botHeader">
        <div className="botName">
          <ActionIcon renderRoot={(props) => <Link to="/" {...props} />} aria-label={t.back}>
            <Icon name="chevron-left" />
          </ActionIcon>
          <BotIcon bot={bot} size={24} />
          <h1>{bot.name}</h1>
          <JumpButton isSmall />
        </div>
        <nav aria-label={t.views} className="tabs">
          {botViews.map(([to, name, icon]) => (
            <Link
              key={name}
              to={to}
              params={{ botId }}
              className="tab"
              activeOptions={{ exact: name === "editor", includeSearch: false }}
            >
              <Icon name={icon} size={16} />
              <span>{names[name]}</span>
            </Link>
          ))}
        </nav>
        <div id={botActionsId} className="botActions" />
      </header>
      <main id="content" className="botView">
        <Outlet />
      </main>
    </div>
  )
}
