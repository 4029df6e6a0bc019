/** A workspace: who is in it, and what its bots share. */
import { Container, Tabs, Title } from "@mantine/core"
import { createLazyRoute } from "@tanstack/react-router"
import { type ComponentType, Suspense } from "react"
import { Icon } from "../shell/Icon.tsx"
import type { IconName } from "../shell/iconNames.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWorkspaces } from "../shell/useWorkspace.ts"
import { AuditPart } from "./AuditPart.tsx"
import { CredentialsPart } from "./CredentialsPart.tsx"
import { FilesPart } from "./FilesPart.tsx"
import { GeneralPart } from "./GeneralPart.tsx"
import { MembersPart } from "./MembersPart.tsx"
import { UsagePart } from "./UsagePart.tsx"
import { VariablesPart } from "./VariablesPart.tsx"
import { WebhooksPart } from "./WebhooksPart.tsx"
import { type PartProps, parts, type WorkspacePart } from "./workspaceSearch.ts"

export const Route = createLazyRoute("/home/workspace")({ component: WorkspacePage })

const texts = defineTexts({
  en: {
    title: "Workspace",
    parts: {
      general: "General",
      members: "Members",
      credentials: "Credentials",
      variables: "Variables",
      webhooks: "Webhooks",
      files: "Files",
      audit: "Audit log",
      usage: "Usage",
    },
  },
  de: {
    title: "Arbeitsbereich",
    parts: {
      general: "Allgemein",
      members: "Mitglieder",
      credentials: "Zugangsdaten",
      variables: "Variablen",
      webhooks: "Webhooks",
      files: "Dateien",
      audit: "Protokoll",
      usage: "Verbrauch",
    },
  },
})

const shown: Readonly<Record<WorkspacePart, { icon: IconName; Part: ComponentType<PartProps> }>> = {
  general: { icon: "settings", Part: GeneralPart },
  members: { icon: "users", Part: MembersPart },
  credentials: { icon: "key-round", Part: CredentialsPart },
  variables: { icon: "variable", Part: VariablesPart },
  webhooks: { icon: "webhook", Part: WebhooksPart },
  files: { icon: "file", Part: FilesPart },
  audit: { icon: "history", Part: AuditPart },
  usage: { icon: "activity", Part: UsagePart },
}

function WorkspacePage() {
  const t = useTexts(texts)
  const { current } = useWorkspaces()
  const { part = "general" } = Route.useSearch()
  const navigate = Route.useNavigate()
  if (current === undefined) return null
  return (
    <Container size="lg" py="xl">
      <Title order={1} size="h2" mb="lg">
        {current.name}
      </Title>
      <Tabs
        value={part}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: (former) => ({ ...former, part: next as WorkspacePart }) })
        }
      >
        <Tabs.List mb="lg" aria-label={t.title}>
          {parts.map((each) => (
            <Tabs.Tab
              key={each}
              value={each}
              leftSection={<Icon name={shown[each].icon} size={16} />}
            >
              {t.parts[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {parts.map((each) => {
          const { Part } = shown[each]
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
