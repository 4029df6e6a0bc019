/** Names bots and folders. */
import { Button, Group, Stack, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { api, parley, queryClient } from "../../shell/api.ts"
import { sentenceOf } from "../../shell/Problem.tsx"
import { useTexts } from "../../shell/texts.ts"
import type { AskedDialog, ListedBot } from "../askedDialog.ts"
import { dialogTexts } from "./dialogTexts.ts"

const route = getRouteApi("/home/")

const maxNameLength = 255

type Props = {
  initial: string
  action: string
  /** What the button beside says; absent: cancel. */
  cancel?: string
  close: () => void
  isPending: boolean
  error: unknown
  onName: (name: string) => void
}

export function NameForm(props: Props) {
  const { initial, action, close, isPending, error, onName } = props
  const t = useTexts(dialogTexts)
  const [name, setName] = useState(initial)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onName(name.trim())
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          maxLength={maxNameLength}
          error={error ? sentenceOf(error) : undefined}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            {props.cancel ?? t.cancel}
          </Button>
          <Button type="submit" loading={isPending} disabled={name.trim() === ""}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function RenameBotForm({ bot, close }: { bot: ListedBot; close: () => void }) {
  const t = useTexts(dialogTexts)
  const { id: botId } = bot
  const rename = useMutation({
    // An edit, so that others who work on the draft can go on, and undo knows it.
    mutationFn: async (name: string) => {
      const { revision } = (await parley.bot.get.query({ botId })).bot
      await parley.bot.edit.mutate({ botId, revision, edits: [{ type: "bot.set", name }] })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries(api.bot.pathFilter())
      close()
    },
  })
  return (
    <NameForm
      {...{ close, initial: bot.name, action: t.save }}
      isPending={rename.isPending}
      error={rename.error}
      onName={(name) => rename.mutate(name)}
    />
  )
}

type FolderProps = {
  asked: Extract<AskedDialog, { type: "newFolder" | "renameFolder" }>
  workspaceId: string
  close: () => void
}

export function FolderForm({ asked, workspaceId, close }: FolderProps) {
  const t = useTexts(dialogTexts)
  const navigate = route.useNavigate()
  const onSettled = () => queryClient.invalidateQueries(api.folder.pathFilter())
  const create = useMutation(
    api.folder.create.mutationOptions({
      onSuccess: async ({ folder }) => {
        await onSettled()
        close()
        await navigate({ search: (rest) => ({ ...rest, folder: folder.id }) })
      },
    }),
  )
  const rename = useMutation(
    api.folder.update.mutationOptions({
      onSuccess: async () => {
        await onSettled()
        close()
      },
    }),
  )
  const isNew = asked.type === "newFolder"
  return (
    <NameForm
      close={close}
      initial={isNew ? "" : asked.folder.name}
      action={isNew ? t.create : t.save}
      isPending={create.isPending || rename.isPending}
      error={create.error ?? rename.error}
      onName={(name) =>
        isNew
          ? create.mutate({ workspaceId, name, parentFolderId: asked.parentFolderId })
          : rename.mutate({ workspaceId, folderId: asked.folder.id, name })
      }
    />
  )
}
