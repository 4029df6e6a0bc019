/** A workspace: who is in it, and what its bots share. */
import { Container, Tabs, Title } from "@mantine/core"
import { createLazyRoute } from "@tanstack/react-router"
import { type ComponentType, Suspense } from "react"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"
import { useWorkspaces } from "../shell/useWorkspace.ts"
import { ViewTabs } from "../shell/ViewTabs.tsx"
import { AuditPart } from "./AuditPart.tsx"
import { CredentialsPart } from "./CredentialsPart.tsx"
import { FilesPart } from "./FilesPart.tsx"
import { GeneralPart } from "./GeneralPart.tsx"
import { MembersPart } from "./MembersPart.tsx"
import { partIcons, partTexts } from "./partTexts.ts"
import { ThemesPart } from "./ThemesPart.tsx"
import { UsagePart } from "./UsagePart.tsx"
import { VariablesPart } from "./VariablesPart.tsx"
import { WebhooksPart } from "./WebhooksPart.tsx"
import { type PartProps, parts, type WorkspacePart } from "./workspaceSearch.ts"

export const Route = createLazyRoute("/home/workspace")({ component: WorkspacePage })

const texts = defineTexts({ en: { title: "Workspace" }, de: { title: "Arbeitsbereich" } })

const shown: Readonly<Record<WorkspacePart, ComponentType<PartProps>>> = {
  general: GeneralPart,
  members: MembersPart,
  credentials: CredentialsPart,
  variables: VariablesPart,
  webhooks: WebhooksPart,
  files: FilesPart,
  themes: ThemesPart,
  audit: AuditPart,
  usage: UsagePart,
}

function WorkspacePage() {
  const t = useTexts(texts)
  const names = useTexts(partTexts)
  const { current } = useWorkspaces()
  const { part = "general" } = Route.useSearch()
  const navigate = Route.useNavigate()
  useTitle(names[part], current?.name ?? t.title)
  if (current === undefined) return null
  return (
    <Container>
      <Title order={1} size="h3" mb="lg">
        {current.name}
      </Title>
      <Tabs
        value={part}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: (former) => ({ ...former, part: next as WorkspacePart }) })
        }
      >
        <ViewTabs
          label={t.title}
          value={part}
          tabs={parts.map((each) => ({ value: each, name: names[each], icon: partIcons[each] }))}
        />
        {parts.map((each) => {
          const Part = shown[each]
          return (
            <Tabs.Panel key={each} value={each}>
              <Suspense>
                <Part workspaceId={current.id} key={current.id} />
              </Suspense>
            </Tabs.Panel>
          )
        })}
      </Tabs>
    </Container>
  )
}
