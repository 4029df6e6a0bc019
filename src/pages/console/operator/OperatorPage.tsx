/** The whole service, for those who operate it: workspaces, bots, users, and what operators have decided. */
import { Container, Tabs, Text, Title } from "@mantine/core"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { createLazyRoute } from "@tanstack/react-router"
import type { ComponentType } from "react"
import { api } from "../shell/api.ts"
import type { IconName } from "../shell/iconNames.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import { ViewTabs } from "../shell/ViewTabs.tsx"
import { BotsPart } from "./BotsPart.tsx"
import { DecisionsPart } from "./DecisionsPart.tsx"
import { type OperatorPart, operatorParts } from "./operatorSearch.ts"
import { UsersPart } from "./UsersPart.tsx"
import { WorkspacesPart } from "./WorkspacesPart.tsx"

export const Route = createLazyRoute("/home/operator")({ component: OperatorPage })

const texts = defineTexts({
  en: {
    title: "Operator",
    about: "Every workspace, bot and user of this service. Flows and results stay closed to you.",
    parts: { workspaces: "Workspaces", bots: "Bots", users: "Users", decisions: "Decisions" },
  },
  de: {
    title: "Betrieb",
    about:
      "Alle Arbeitsbereiche, Bots und Konten dieses Dienstes. Abläufe und Ergebnisse bleiben dir verschlossen.",
    parts: {
      workspaces: "Arbeitsbereiche",
      bots: "Bots",
      users: "Konten",
      decisions: "Entscheidungen",
    },
  },
})

const shown: Readonly<Record<OperatorPart, { icon: IconName; Part: ComponentType }>> = {
  workspaces: { icon: "building-2", Part: WorkspacesPart },
  bots: { icon: "bot", Part: BotsPart },
  users: { icon: "users", Part: UsersPart },
  decisions: { icon: "history", Part: DecisionsPart },
}

function OperatorPage() {
  const t = useTexts(texts)
  const { part = "workspaces" } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: me } = useSuspenseQuery(api.user.getMe.queryOptions())
  useTitle(t.parts[part], t.title)
  if (!me.isOperator) return <Refusal />
  return (
    <Container>
      <Title order={1} size="h3">
        {t.title}
      </Title>
      <Text size="sm" c="dimmed" mb="lg">
        {t.about}
      </Text>
      <Tabs
        value={part}
        keepMounted={false}
        onChange={(next) => void navigate({ search: { part: next as OperatorPart } })}
      >
        <ViewTabs
          label={t.title}
          value={part}
          tabs={operatorParts.map((each) => ({
            ...{ value: each, name: t.parts[each], icon: shown[each].icon },
          }))}
        />
        {operatorParts.map((each) => {
          const { Part } = shown[each]
          return (
            <Tabs.Panel key={each} value={each}>
              <Part />
            </Tabs.Panel>
          )
        })}
      </Tabs>
    </Container>
  )
}

/** What the service answers to people who do not operate it. */
function Refusal() {
  const { error } = useQuery(api.operator.listWorkspaces.queryOptions({ limit: 1 }))
  return <Container>{error && <Problem error={error} />}</Container>
}
