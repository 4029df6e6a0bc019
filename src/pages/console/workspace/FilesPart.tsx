/** Pictures, sounds, videos and fonts that all bots of a workspace may show. */
import { ActionIcon, Anchor, Button, FileButton, Group, Table, Text } from "@mantine/core"
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Outputs, parley } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import type { PartProps } from "./workspaceSearch.ts"

type File = Outputs["file"]["listOfWorkspace"]["files"][number]

const texts = defineTexts({
  en: {
    title: "Files",
    about: "All bots of the workspace may show them.",
    none: "There are none yet.",
    add: "Upload a file",
    name: "Name",
    size: "Size",
    added: "Uploaded",
    more: "More files",
    remove: "Delete",
    removing: (name: string) => `Bots that show ${name} have a gap in its place.`,
  },
  de: {
    title: "Dateien",
    about: "Alle Bots des Arbeitsbereichs dürfen sie zeigen.",
    none: "Es gibt noch keine.",
    add: "Datei hochladen",
    name: "Name",
    size: "Größe",
    added: "Hochgeladen",
    more: "Mehr Dateien",
    remove: "Löschen",
    removing: (name: string) => `Wo Bots ${name} zeigen, ist dann eine Lücke.`,
  },
})

export function FilesPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const write = useWriting()
  const queries = useQueryClient()
  const [leaving, setLeaving] = useState<File>()
  const list = useInfiniteQuery(
    api.file.listOfWorkspace.infiniteQueryOptions(
      { workspaceId },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  )
  const renew = () => queries.invalidateQueries(api.file.listOfWorkspace.pathFilter())
  const upload = useMutation({
    mutationFn: (file: Blob & { name: string }) => parley.uploadFile({ workspaceId }, file),
    onSuccess: renew,
    onError: reportProblem,
  })
  const remove = useMutation({
    ...api.file.deleteOfWorkspace.mutationOptions(),
    onSuccess: async () => {
      setLeaving(undefined)
      await renew()
    },
    onError: reportProblem,
  })
  const files = list.data?.pages.flatMap((page) => page.files) ?? []
  return (
    <Card
      title={t.title}
      about={t.about}
      action={
        <FileButton onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={upload.isPending}
              leftSection={<Icon name="upload" size={16} />}
            >
              {t.add}
            </Button>
          )}
        </FileButton>
      }
    >
      {list.error && <Problem error={list.error} />}
      {list.isSuccess && files.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {files.length > 0 && (
        <Table.ScrollContainer minWidth={480}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.name}</Table.Th>
                <Table.Th>{t.size}</Table.Th>
                <Table.Th>{t.added}</Table.Th>
                <Table.Th aria-label={t.remove} />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {files.map((file) => (
                <Table.Tr key={file.id}>
                  <Table.Td>
                    <Anchor href={file.url} target="_blank" size="sm">
                      {file.name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{write.bytes(file.bytes)}</Table.Td>
                  <Table.Td>{write.day(file.createdAt)}</Table.Td>
                  <Table.Td w={40}>
                    <ActionIcon
                      aria-label={`${t.remove}: ${file.name}`}
                      onClick={() => setLeaving(file)}
                    >
                      <Icon name="trash-2" size={16} />
                    </ActionIcon>
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
      <Confirm
        isOpen={leaving !== undefined}
        title={t.remove}
        text={t.removing(leaving?.name ?? "")}
        action={t.remove}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ workspaceId, fileId: leaving.id })}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}
