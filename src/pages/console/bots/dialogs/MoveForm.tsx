/** Moves bots, or a folder with what is in it, to a folder. */
import { Button, Group, Radio, Stack, Text } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { api, queryClient } from "../../shell/api.ts"
import { sentenceOf } from "../../shell/Problem.tsx"
import { useTexts } from "../../shell/texts.ts"
import type { AskedDialog, Folder } from "../askedDialog.ts"
import { dialogTexts } from "./dialogTexts.ts"

type Props = {
  asked: Extract<AskedDialog, { type: "moveBots" | "moveFolder" }>
  workspaceId: string
  close: () => void
  onDone: () => void
}

/** Stands for no folder: a radio button has a text as its value. */
const root = ""

export function MoveForm({ asked, workspaceId, close, onDone }: Props) {
  const t = useTexts(dialogTexts)
  const { data } = useQuery(api.folder.list.queryOptions({ workspaceId }))
  const [target, setTarget] = useState(() => presentPlace(asked))
  const onSuccess = async () => {
    await queryClient.invalidateQueries(api.folder.pathFilter())
    await queryClient.invalidateQueries(api.bot.list.pathFilter())
    onDone()
  }
  const moveBots = useMutation(api.folder.moveBots.mutationOptions({ onSuccess }))
  const moveFolder = useMutation(api.folder.update.mutationOptions({ onSuccess }))
  const { isPending } = asked.type === "moveBots" ? moveBots : moveFolder
  const error = moveBots.error ?? moveFolder.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const to = target === root ? null : (target ?? null)
    if (asked.type === "moveBots")
      moveBots.mutate({ workspaceId, botIds: asked.bots.map(({ id }) => id), folderId: to })
    else moveFolder.mutate({ workspaceId, folderId: asked.folder.id, parentFolderId: to })
  }
  const movedId = asked.type === "moveFolder" ? asked.folder.id : undefined
  const options = asTree(data?.folders ?? [], null, movedId)
  return (
    <form onSubmit={submit}>
      <Stack>
        <Radio.Group aria-label={t.moveTo} value={target ?? null} onChange={setTarget}>
          <Stack gap="xs" mah="50vh" style={{ overflowY: "auto" }} p={2}>
            <Radio value={root} label={t.root} data-autofocus />
            {options.map(({ folder, depth }) => (
              <Radio
                key={folder.id}
                value={folder.id}
                label={folder.name}
                style={{ marginInlineStart: `${1.5 * depth}rem` }}
              />
            ))}
          </Stack>
        </Radio.Group>
        {error && (
          <Text size="sm" c="red" role="alert">
            {sentenceOf(error)}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={isPending} disabled={target === undefined}>
            {t.move}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Where all of it is; undefined: in several folders. */
function presentPlace(asked: Props["asked"]): string | undefined {
  if (asked.type === "moveFolder") return asked.folder.parentFolderId ?? root
  const places = new Set(asked.bots.map(({ folderId }) => folderId ?? root))
  return places.size === 1 ? [...places][0] : undefined
}

/** Folders below the ones around them, without the one that moves and what is in it. */
function asTree(
  folders: readonly Folder[],
  parentId: string | null,
  movedId: string | undefined,
  depth = 0,
): { folder: Folder; depth: number }[] {
  return folders
    .filter(({ id, parentFolderId }) => parentFolderId === parentId && id !== movedId)
    .flatMap((folder) => [{ folder, depth }, ...asTree(folders, folder.id, movedId, depth + 1)])
}
