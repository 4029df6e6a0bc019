/** Makes an endpoint: where to send, and which events. */
import { Button, Group, MultiSelect, Stack, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Inputs } from "../shell/api.ts"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"

const texts = defineTexts({
  en: {
    url: "Address",
    types: "Events",
    about: "What it is for",
    make: "Create",
  },
  de: {
    url: "Adresse",
    types: "Ereignisse",
    about: "Wofür er ist",
    make: "Anlegen",
  },
})

type EventType = Inputs["webhookEndpoint"]["create"]["types"][number]

const known: EventType[] = [
  "conversation.started",
  "answer.submitted",
  "conversation.paused",
  "conversation.resumed",
  "conversation.reply",
  "conversation.assigned",
  "conversation.idle",
  "conversation.expired",
  "conversation.ended",
  "result.completed",
  "bot.published",
  "bot.rolledBack",
]

type Props = { workspaceId: string; onMade(secret: string): void }

export function EndpointForm({ workspaceId, onMade }: Props) {
  const t = useTexts(texts)
  const [url, setUrl] = useState("")
  const [description, setDescription] = useState("")
  const [types, setTypes] = useState<EventType[]>(["result.completed"])
  const create = useMutation({
    ...api.webhookEndpoint.create.mutationOptions(),
    onSuccess: ({ secret }) => onMade(secret),
  })
  const { error } = create
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ workspaceId, url: url.trim(), types, description: description || null })
      }}
    >
      <Stack>
        <TextInput
          label={t.url}
          type="url"
          placeholder="https://crm.example.com/hook"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={error && (issueAt(error, "url") ?? sentenceOf(error))}
          required
          data-autofocus
        />
        <MultiSelect
          label={t.types}
          data={known}
          value={types}
          onChange={(picked) => setTypes(picked as EventType[])}
          error={error && issueAt(error, "types")}
        />
        <TextInput
          label={t.about}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          maxLength={500}
        />
        <Group justify="end">
          <Button type="submit" loading={create.isPending} disabled={types.length === 0}>
            {t.make}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
