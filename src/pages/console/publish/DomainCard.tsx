/** A domain of the author's own: which records it needs, and whether they are there. */
import { Badge, Button, Group, Table, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { issueAt, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"

type Bot = Outputs["bot"]["get"]["bot"]

const texts = defineTexts({
  en: {
    title: "Domain of your own",
    about: "The bot at an address of yours, such as chat.example.com.",
    domain: "Domain",
    save: "Save",
    check: "Check the DNS",
    proven: "Served there",
    unproven: "Not proven yet",
    found: "Found",
    missing: "Missing",
    type: "Type",
    name: "Name",
    value: "Value",
    state: "State",
  },
  de: {
    title: "Eigene Domain",
    about: "Der Bot unter einer Adresse von dir, etwa chat.example.com.",
    domain: "Domain",
    save: "Speichern",
    check: "DNS prüfen",
    proven: "Dort erreichbar",
    unproven: "Noch nicht bestätigt",
    found: "Gefunden",
    missing: "Fehlt",
    type: "Typ",
    name: "Name",
    value: "Wert",
    state: "Stand",
  },
})

export function DomainCard({ bot, mayEdit }: { bot: Bot; mayEdit: boolean }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [typed, setTyped] = useState(bot.customDomain ?? "")
  const save = useMutation({
    ...api.bot.update.mutationOptions(),
    onSuccess: () => queries.invalidateQueries(api.bot.get.queryFilter({ botId: bot.id })),
  })
  const check = useMutation(api.bot.checkDomain.mutationOptions())
  if (!mayEdit) return null
  const wanted = typed.trim() || null
  const problem = save.error ?? check.error
  return (
    <Card
      title={t.title}
      about={t.about}
      action={
        check.data && (
          <Badge color={check.data.isProven ? "green" : "yellow"}>
            {check.data.isProven ? t.proven : t.unproven}
          </Badge>
        )
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ botId: bot.id, bot: { customDomain: wanted } })
        }}
      >
        <Group align="start" wrap="nowrap">
          <TextInput
            flex={1}
            label={t.domain}
            value={typed}
            placeholder="chat.example.com"
            onChange={({ currentTarget }) => {
              save.reset()
              check.reset()
              setTyped(currentTarget.value)
            }}
            error={problem && (issueAt(problem, "bot.customDomain") ?? sentenceOf(problem))}
          />
          {wanted === bot.customDomain && wanted !== null ? (
            <Button
              mt="1.55rem"
              variant="default"
              loading={check.isPending}
              onClick={() => check.mutate({ botId: bot.id })}
            >
              {t.check}
            </Button>
          ) : (
            <Button
              mt="1.55rem"
              type="submit"
              variant="default"
              loading={save.isPending}
              disabled={wanted === bot.customDomain}
            >
              {t.save}
            </Button>
          )}
        </Group>
      </form>
      {check.data && (
        <Table.ScrollContainer minWidth={480}>
          <Table fz="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.type}</Table.Th>
                <Table.Th>{t.name}</Table.Th>
                <Table.Th>{t.value}</Table.Th>
                <Table.Th>{t.state}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {check.data.records.map(({ type, name, value, isFound }) => (
                <Table.Tr key={`${type} ${name}`}>
                  <Table.Td>{type}</Table.Td>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>{value}</Table.Td>
                  <Table.Td>
                    <Badge size="sm" color={isFound ? "green" : "yellow"}>
                      {isFound ? t.found : t.missing}
                    </Badge>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Card>
  )
}
