/** Makes a workspace, of which the user becomes the admin. */
import { Button, Container, Stack, Text, TextInput, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { createLazyRoute, useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { api, queryClient } from "../shell/api.ts"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useTitle } from "../shell/useTitle.ts"

export const Route = createLazyRoute("/home/newWorkspace")({ component: NewWorkspacePage })

const texts = defineTexts({
  en: {
    title: "New workspace",
    why: "Bots, results and credentials of a workspace are seen by its members alone. You become its admin, and can invite others.",
    name: "Name",
    icon: "Icon",
    iconWhy: "An emoji, or the address of a picture",
    create: "Create workspace",
  },
  de: {
    title: "Neuer Arbeitsbereich",
    why: "Bots, Ergebnisse und Zugangsdaten eines Arbeitsbereichs sehen nur seine Mitglieder. Du verwaltest ihn und kannst andere einladen.",
    name: "Name",
    icon: "Symbol",
    iconWhy: "Ein Emoji oder die Adresse eines Bildes",
    create: "Arbeitsbereich anlegen",
  },
})

function NewWorkspacePage() {
  const t = useTexts(texts)
  useTitle(t.title)
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [icon, setIcon] = useState("")
  const create = useMutation(
    api.workspace.create.mutationOptions({
      onSuccess: async ({ workspace }) => {
        await queryClient.invalidateQueries(api.workspace.pathFilter())
        await navigate({ to: "/", search: { workspace: workspace.id } })
      },
    }),
  )
  const atIcon = issueAt(create.error, "icon")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name: name.trim(), ...(icon.trim() && { icon: icon.trim() }) })
  }
  return (
    <Container>
      <form onSubmit={submit}>
        <Stack maw="30rem">
          <div>
            <Title order={1} size="h3">
              {t.title}
            </Title>
            <Text c="dimmed" size="sm" mt={4}>
              {t.why}
            </Text>
          </div>
          <TextInput
            label={t.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            maxLength={255}
            autoFocus
            error={create.error && !atIcon ? sentenceOf(create.error) : undefined}
          />
          <TextInput
            label={t.icon}
            description={t.iconWhy}
            value={icon}
            onChange={({ currentTarget }) => setIcon(currentTarget.value)}
            maxLength={2048}
            error={atIcon}
          />
          <div>
            <Button type="submit" loading={create.isPending} disabled={name.trim() === ""}>
              {t.create}
            </Button>
          </div>
        </Stack>
      </form>
    </Container>
  )
}
