/** Every view and its address. What a view shows is loaded with it. */
import { createRoute, createRouter } from "@tanstack/react-router"
import { readAnalyticsSearch } from "../analytics/analyticsSearch.ts"
import { botRoute } from "../bots/BotLayout.tsx"
import { readBotsSearch } from "../bots/botsSearch.ts"
import { readConversationsSearch } from "../conversations/conversationsSearch.ts"
import { readEditorSearch } from "../editor/editorSearch.ts"
import { readOperatorSearch } from "../operator/operatorSearch.ts"
import { readResultsSearch } from "../results/resultsSearch.ts"
import { readVersionsSearch } from "../versions/versionsSearch.ts"
import { readWorkspaceSearch } from "../workspace/workspaceSearch.ts"
import { homeRoute } from "./HomeLayout.tsx"
import { patiently } from "./lazily.ts"
import { styled } from "./moreStyles.ts"
import { Problem } from "./Problem.tsx"
import { rootRoute } from "./rootRoute.tsx"

const ofHome = { getParentRoute: () => homeRoute } as const
const ofBot = { getParentRoute: () => botRoute } as const

const bots = createRoute({ ...ofHome, path: "/", validateSearch: readBotsSearch }).lazy(() =>
  patiently(() => import("../bots/BotsPage.tsx").then(({ Route }) => Route)),
)
const shared = createRoute({ ...ofHome, path: "shared" }).lazy(() =>
  styled(() => import("../bots/SharedPage.tsx")),
)
const bin = createRoute({ ...ofHome, path: "bin" }).lazy(() =>
  styled(() => import("../bots/BinPage.tsx")),
)
const newWorkspace = createRoute({ ...ofHome, path: "newWorkspace" }).lazy(() =>
  styled(() => import("../account/NewWorkspacePage.tsx")),
)
const workspace = createRoute({
  ...ofHome,
  path: "workspace",
  validateSearch: readWorkspaceSearch,
}).lazy(() => styled(() => import("../workspace/WorkspacePage.tsx")))
const operator = createRoute({
  ...ofHome,
  path: "operator",
  validateSearch: readOperatorSearch,
}).lazy(() => styled(() => import("../operator/OperatorPage.tsx")))
const account = createRoute({ ...ofHome, path: "account" }).lazy(() =>
  styled(() => import("../account/AccountPage.tsx")),
)
const editor = createRoute({ ...ofBot, path: "/", validateSearch: readEditorSearch }).lazy(() =>
  styled(() => import("../editor/EditorPage.tsx")),
)
const results = createRoute({
  ...ofBot,
  path: "results",
  validateSearch: readResultsSearch,
}).lazy(() => styled(() => import("../results/ResultsPage.tsx")))
const conversations = createRoute({
  ...ofBot,
  path: "conversations",
  validateSearch: readConversationsSearch,
}).lazy(() => styled(() => import("../conversations/ConversationsPage.tsx")))
const analytics = createRoute({
  ...ofBot,
  path: "analytics",
  validateSearch: readAnalyticsSearch,
}).lazy(() => styled(() => import("../analytics/AnalyticsPage.tsx")))
const versions = createRoute({
  ...ofBot,
  path: "versions",
  validateSearch: readVersionsSearch,
}).lazy(() => styled(() => import("../versions/VersionsPage.tsx")))
const share = createRoute({ ...ofBot, path: "share" }).lazy(() =>
  styled(() => import("../publish/SharePage.tsx")),
)

const routeTree = rootRoute.addChildren([
  homeRoute.addChildren([bots, shared, bin, newWorkspace, workspace, operator, account]),
  botRoute.addChildren([editor, results, conversations, analytics, versions, share]),
])

export const router = createRouter({
  routeTree,
  basepath: "/console",
  defaultPreload: "intent",
  defaultErrorComponent: Problem,
  scrollRestoration: true,
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
