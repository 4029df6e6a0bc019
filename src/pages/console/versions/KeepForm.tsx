/** Keeps the draft as it is, under a number of its own. */
import { Button, Group, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { notify, reportProblem } from "../shell/notify.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"

const texts = defineTexts({
  en: {
    note: "Note for a kept draft",
    placeholder: "Before the summer",
    keep: "Keep the draft",
    kept: (number: number) => `The draft is kept as version ${number}.`,
  },
  de: {
    note: "Notiz zum festgehaltenen Entwurf",
    placeholder: "Vor dem Sommer",
    keep: "Entwurf festhalten",
    kept: (number: number) => `Der Entwurf ist als Version ${number} festgehalten.`,
  },
})

export function KeepForm({ botId }: { botId: string }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [note, setNote] = useState("")
  const keep = useMutation({
    ...api.version.keep.mutationOptions(),
    onSuccess: async ({ version }) => {
      setNote("")
      await queries.invalidateQueries(api.version.pathFilter())
      void notify({ message: t.kept(version) })
    },
    onError: reportProblem,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        keep.mutate({ botId, ...(note.trim() && { note: note.trim() }) })
      }}
    >
      <Group gap="xs" maw="34rem">
        <TextInput
          flex={1}
          aria-label={t.note}
          placeholder={t.placeholder}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          maxLength={1_000}
        />
        <Button type="submit" variant="default" loading={keep.isPending}>
          {t.keep}
        </Button>
      </Group>
    </form>
  )
}
