/** Who has changed what in a workspace. */
import { Button, Group, Table, Text } from "@mantine/core"
import { useInfiniteQuery } from "@tanstack/react-query"
import { api } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import type { PartProps } from "./workspaceSearch.ts"

const texts = defineTexts({
  en: {
    title: "Audit log",
    about: "What was done, by whom, and to what. Contents are not in it.",
    when: "When",
    who: "Who",
    what: "What",
    target: "To what",
    more: "Older entries",
    none: "Nothing was changed yet.",
    program: "by a token",
  },
  de: {
    title: "Protokoll",
    about: "Was geschah, durch wen und woran. Inhalte stehen nicht darin.",
    when: "Wann",
    who: "Wer",
    what: "Was",
    target: "Woran",
    more: "Ältere Einträge",
    none: "Noch wurde nichts geändert.",
    program: "mit einem Token",
  },
})

export function AuditPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const write = useWriting()
  const list = useInfiniteQuery(
    api.workspace.listAuditLog.infiniteQueryOptions(
      { workspaceId },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  )
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Card title={t.title} about={t.about}>
      {list.error && <Problem error={list.error} />}
      {list.isSuccess && entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {entries.length > 0 && (
        <Table.ScrollContainer minWidth={640}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.when}</Table.Th>
                <Table.Th>{t.who}</Table.Th>
                <Table.Th>{t.what}</Table.Th>
                <Table.Th>{t.target}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map(({ id, at, user, tokenId, operation, target }) => (
                <Table.Tr key={id}>
                  <Table.Td>{write.moment(at)}</Table.Td>
                  <Table.Td>
                    {user?.name ?? user?.email}
                    {tokenId && (
                      <Text size="xs" c="dimmed">
                        {t.program}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>{operation}</Table.Td>
                  <Table.Td>
                    {Object.entries(target)
                      .filter(([kind]) => kind !== "workspaceId")
                      .map(([kind, value]) => (
                        <Text key={kind} size="xs" ff="monospace">
                          {kind} {value}
                        </Text>
                      ))}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {list.hasNextPage && (
        <Group>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t.more}
          </Button>
        </Group>
      )}
    </Card>
  )
}
