/** Asks before bots go to the bin, and before a folder is dissolved. */
import { Button, Group, Stack, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { api, parley, queryClient } from "../../shell/api.ts"
import { sentenceOf } from "../../shell/Problem.tsx"
import { useTexts } from "../../shell/texts.ts"
import type { Folder, ListedBot } from "../askedDialog.ts"
import { dialogTexts } from "./dialogTexts.ts"

const route = getRouteApi("/home/")

type Props = { bots: readonly ListedBot[]; close: () => void; onDone: () => void }

export function RemoveBots({ bots, close, onDone }: Props) {
  const t = useTexts(dialogTexts)
  const remove = useMutation({
    mutationFn: () => Promise.all(bots.map(({ id }) => parley.bot.delete.mutate({ botId: id }))),
    // Also when one of several failed: the others are gone.
    onSettled: () => queryClient.invalidateQueries(api.bot.list.pathFilter()),
    onSuccess: onDone,
  })
  return (
    <Confirmation
      {...{ close, why: t.removeBotsWhy, action: t.remove, error: remove.error }}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {bots.length > 1 && (
        <Text size="sm" c="dimmed" lineClamp={4}>
          {bots.map(({ name }) => name).join(", ")}
        </Text>
      )}
    </Confirmation>
  )
}

type FolderProps = { folder: Folder; workspaceId: string; close: () => void }

export function RemoveFolder({ folder, workspaceId, close }: FolderProps) {
  const t = useTexts(dialogTexts)
  const navigate = route.useNavigate()
  const { folder: here, ...others } = route.useSearch()
  const remove = useMutation(
    api.folder.delete.mutationOptions({
      onSuccess: async () => {
        // The one around it, if it was open.
        const next = here === folder.id ? folder.parentFolderId : here
        await navigate({ to: "/", search: next ? { ...others, folder: next } : others })
        await queryClient.invalidateQueries(api.folder.pathFilter())
        await queryClient.invalidateQueries(api.bot.list.pathFilter())
        close()
      },
    }),
  )
  return (
    <Confirmation
      {...{ close, why: t.removeFolderWhy, action: t.delete, error: remove.error }}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ workspaceId, folderId: folder.id })}
    />
  )
}

type ConfirmationProps = {
  why: string
  action: string
  close: () => void
  isPending: boolean
  error: unknown
  onConfirm: () => void
  children?: React.ReactNode
}

export function Confirmation(props: ConfirmationProps) {
  const t = useTexts(dialogTexts)
  const { why, action, close, isPending, error, onConfirm, children } = props
  return (
    <Stack>
      {children}
      <Text size="sm">{why}</Text>
      {error ? (
        <Text size="sm" c="red" role="alert">
          {sentenceOf(error)}
        </Text>
      ) : null}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={close} data-autofocus>
          {t.cancel}
        </Button>
        <Button color="red" loading={isPending} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Stack>
  )
}
