/** The user's name, and the language in which the console and letters speak to them. */
import { Button, Group, Select, Stack, TextInput } from "@mantine/core"
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { notify } from "../shell/notify.ts"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, languages, useTexts } from "../shell/texts.ts"

const texts = defineTexts({
  en: {
    title: "Profile",
    email: "Mail address",
    name: "Name",
    language: "Language",
    browser: "As the browser",
    save: "Save",
    saved: "Saved.",
  },
  de: {
    title: "Profil",
    email: "Mailadresse",
    name: "Name",
    language: "Sprache",
    browser: "Wie der Browser",
    save: "Speichern",
    saved: "Gespeichert.",
  },
})

/** Stands for no choice, since an empty value clears a select. */
const byBrowser = "browser"

export function ProfileCard() {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const { data: me } = useSuspenseQuery(api.user.getMe.queryOptions())
  const [name, setName] = useState(me.name ?? "")
  const [language, setLanguage] = useState(me.preferredLanguage ?? byBrowser)
  const save = useMutation({
    ...api.user.updateMe.mutationOptions(),
    onSuccess: async () => {
      await queries.invalidateQueries(api.user.getMe.queryFilter())
      void notify({ message: t.saved })
    },
  })
  return (
    <Card title={t.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const preferredLanguage = language === byBrowser ? null : language
          save.mutate({ updates: { name: name.trim() || null, preferredLanguage } })
        }}
      >
        <Stack maw="26rem">
          <TextInput label={t.email} value={me.email} readOnly variant="filled" />
          <TextInput
            label={t.name}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={save.error && (issueAt(save.error, "updates.name") ?? sentenceOf(save.error))}
            maxLength={255}
          />
          <Select
            label={t.language}
            data={[
              { value: byBrowser, label: t.browser },
              ...Object.entries(languages).map(([value, label]) => ({ value, label })),
            ]}
            value={language}
            allowDeselect={false}
            onChange={(next) => setLanguage(next ?? byBrowser)}
          />
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  )
}
