/** Changes the name of a credential, and where its secrets may go. */
import { Button, Group, Modal, Stack, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { blockTexts } from "../editor/blocks/blockTexts.ts"
import { HostsField } from "../editor/blocks/fields/HostsField.tsx"
import { api, type Outputs } from "../shell/api.ts"
import { closeTexts } from "../shell/closeTexts.ts"
import { issueAt, Problem } from "../shell/Problem.tsx"
import { useTexts } from "../shell/texts.ts"
import { useReturnedFocus } from "../shell/useReturnedFocus.ts"

type Given = {
  credential: Outputs["credentials"]["list"]["credentials"][number]
  onClose(): void
}

export function ChangeCredential({ credential, onClose }: Given) {
  useReturnedFocus()
  const t = useTexts(blockTexts)
  const { close } = useTexts(closeTexts)
  const queries = useQueryClient()
  const [name, setName] = useState(credential.name)
  const [allowedHosts, setHosts] = useState(credential.allowedHosts)
  const update = useMutation(
    api.credentials.update.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries(api.credentials.list.pathFilter())
        onClose()
      },
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ credentialsId: credential.id, credentials: { name, allowedHosts } })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${credential.name}: ${credential.type}`}
      closeButtonProps={{ "aria-label": close }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t.name}
            required
            data-autofocus
            value={name}
            error={issueAt(update.error, "credentials.name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <HostsField value={allowedHosts} error={update.error} onChange={setHosts} />
          {update.error && <Problem error={update.error} />}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={update.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
