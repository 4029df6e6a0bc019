/** What an endpoint was sent, how it answered, and how to send it again. */
import { Badge, Button, Group, Stack, Table, Text } from "@mantine/core"
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { api } from "../shell/api.ts"
import { reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"

const texts = defineTexts({
  en: {
    none: "Nothing was sent yet.",
    states: { pending: "Waiting", delivered: "Delivered", failed: "Failed" },
    when: "When",
    event: "Event",
    state: "State",
    answer: "Answer",
    again: "Send again",
    more: "Older deliveries",
  },
  de: {
    none: "Noch wurde nichts gesendet.",
    states: { pending: "Wartet", delivered: "Zugestellt", failed: "Fehlgeschlagen" },
    when: "Wann",
    event: "Ereignis",
    state: "Stand",
    answer: "Antwort",
    again: "Erneut senden",
    more: "Ältere Zustellungen",
  },
})

const colors = { pending: "gray", delivered: "green", failed: "red" } as const

export function Deliveries(address: { workspaceId: string; endpointId: string }) {
  const t = useTexts(texts)
  const write = useWriting()
  const queries = useQueryClient()
  const list = useInfiniteQuery(
    api.webhookEndpoint.listDeliveries.infiniteQueryOptions(address, {
      getNextPageParam: ({ nextCursor }) => nextCursor,
    }),
  )
  const again = useMutation({
    ...api.webhookEndpoint.redeliver.mutationOptions(),
    onSuccess: () => queries.invalidateQueries(api.webhookEndpoint.listDeliveries.pathFilter()),
    onError: reportProblem,
  })
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <Stack>
      {list.error && <Problem error={list.error} />}
      {list.isSuccess && deliveries.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {deliveries.length > 0 && (
        <Table.ScrollContainer minWidth={560}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.when}</Table.Th>
                <Table.Th>{t.event}</Table.Th>
                <Table.Th>{t.state}</Table.Th>
                <Table.Th>{t.answer}</Table.Th>
                <Table.Th aria-label={t.again} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {deliveries.map(({ id, type, state, createdAt, status, answer, error }) => (
                <Table.Tr key={id}>
                  <Table.Td>{write.moment(createdAt)}</Table.Td>
                  <Table.Td>{type}</Table.Td>
                  <Table.Td>
                    <Badge color={colors[state as keyof typeof colors] ?? "gray"}>
                      {t.states[state as keyof typeof t.states] ?? state}
                    </Badge>
                  </Table.Td>
                  <Table.Td>
                    <Text size="xs" lineClamp={2}>
                      {[status, error ?? answer].filter(Boolean).join(" · ")}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => again.mutate({ ...address, deliveryId: id })}
                    >
                      {t.again}
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {list.hasNextPage && (
        <Group>
          <Button variant="default" onClick={() => void list.fetchNextPage()}>
            {t.more}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
