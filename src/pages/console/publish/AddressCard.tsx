/** The address of a bot's page: to read, to change, to copy, and as a code for phones. */
import { Button, Group, Text, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { CopyField } from "../shell/CopyField.tsx"
import { Icon } from "../shell/Icon.tsx"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { QrCode } from "./QrCode.tsx"

type Bot = Outputs["bot"]["get"]["bot"]

const texts = defineTexts({
  en: {
    title: "Address",
    about: "The page on which people talk to the bot.",
    first: "The bot gets an address when you publish it, or when you choose one.",
    name: "Public id",
    taken: "Another bot has this id",
    save: "Save",
    open: "Open the page",
    link: "Address of the page",
    code: "QR code of the address",
  },
  de: {
    title: "Adresse",
    about: "Die Seite, auf der Menschen mit dem Bot sprechen.",
    first: "Der Bot bekommt eine Adresse, wenn du ihn veröffentlichst oder eine wählst.",
    name: "Öffentliche Kennung",
    taken: "Ein anderer Bot hat diese Kennung",
    save: "Speichern",
    open: "Seite öffnen",
    link: "Adresse der Seite",
    code: "QR-Code der Adresse",
  },
})

const typingMs = 300

export function AddressCard({ bot, mayEdit }: { bot: Bot; mayEdit: boolean }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [typed, setTyped] = useState(bot.publicId ?? "")
  const [asked] = useDebouncedValue(typed.trim(), typingMs)
  const isOther = asked !== "" && asked !== bot.publicId
  const free = useQuery({
    ...api.bot.publicIdAvailability.queryOptions({ publicId: asked }),
    enabled: isOther,
    retry: false,
  })
  const save = useMutation({
    ...api.bot.update.mutationOptions(),
    onSuccess: () => queries.invalidateQueries(api.bot.get.queryFilter({ botId: bot.id })),
  })
  const problem = save.error ?? (isOther ? free.error : null)
  const error =
    (problem && (issueAt(problem, "bot.publicId") ?? sentenceOf(problem))) ??
    (isOther && free.data?.isAvailable === false ? t.taken : undefined)
  const address = `${location.origin}/chat/${encodeURIComponent(bot.publicId ?? "")}`
  return (
    <Card title={t.title} about={bot.publicId ? t.about : t.first}>
      {bot.publicId && (
        <Group wrap="nowrap" align="start">
          <div style={{ flex: 1, minWidth: 0 }}>
            <CopyField value={address} label={t.link} />
            <Button
              mt="xs"
              size="compact-sm"
              variant="subtle"
              component="a"
              href={address}
              target="_blank"
              rightSection={<Icon name="external-link" size={14} />}
            >
              {t.open}
            </Button>
          </div>
          <QrCode text={address} label={t.code} />
        </Group>
      )}
      {mayEdit && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate({ botId: bot.id, bot: { publicId: typed.trim() } })
          }}
        >
          <Group align="start" wrap="nowrap">
            <TextInput
              flex={1}
              label={t.name}
              value={typed}
              onChange={({ currentTarget }) => {
                save.reset()
                setTyped(currentTarget.value)
              }}
              leftSection={<Text size="sm">/chat/</Text>}
              leftSectionWidth={58}
              error={error}
              maxLength={255}
            />
            <Button
              mt="1.55rem"
              type="submit"
              variant="default"
              loading={save.isPending}
              disabled={!isOther || error !== undefined}
            >
              {t.save}
            </Button>
          </Group>
        </form>
      )}
    </Card>
  )
}
