/** Makes a credential of one type. */

import { Button, Group, Modal, Stack, TextInput } from "@mantine/core"
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { type ComponentType, type FormEvent, useState } from "react"
import { api, type Inputs } from "../../../shell/api.ts"
import { closeTexts } from "../../../shell/closeTexts.ts"
import { issueAt, Problem } from "../../../shell/Problem.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { useReturnedFocus } from "../../../shell/useReturnedFocus.ts"
import { FormProvider, type MemberProps } from "../blockForm.ts"
import { type Path, type Schema, withValue } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"
import { HostsField } from "./HostsField.tsx"

type Given = {
  type: string
  workspaceId: string
  /** The host that the block at hand calls. */
  host?: string | undefined
  /** Shows the members of its data. */
  Field: ComponentType<MemberProps>
  onClose(): void
  onMade(id: string): void
}
type CredentialType = Inputs["credentials"]["create"]["credentials"]["type"]

export function NewCredential({ type, workspaceId, host, Field, onClose, onMade }: Given) {
  useReturnedFocus()
  const t = useTexts(blockTexts)
  const { close } = useTexts(closeTexts)
  const queries = useQueryClient()
  const { data: catalogue } = useSuspenseQuery(api.catalogue.list.queryOptions({}))
  const schema: Schema = catalogue.credentials.find((each) => each.type === type)?.schema ?? {}
  const [name, setName] = useState("")
  const [allowedHosts, setHosts] = useState(host === undefined ? [] : [host])
  const [data, setData] = useState<Record<string, unknown>>({})
  const create = useMutation(
    api.credentials.create.mutationOptions({
      onSuccess: async ({ credentialsId }) => {
        await queries.invalidateQueries({ queryKey: api.credentials.list.queryKey() })
        onMade(credentialsId)
      },
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog stands in a form of the page in the tree of React.
    event.stopPropagation()
    const credentials = { name, type: type as CredentialType, data, allowedHosts }
    create.mutate({ workspaceId, credentials })
  }
  const form = {
    value: data,
    isReadOnly: false,
    Field,
    flush: () => undefined,
    change: (path: Path, value: unknown) =>
      setData((before) => withValue(before, path, value) as Record<string, unknown>),
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t.newCredential}: ${type}`}
      closeButtonProps={{ "aria-label": close }}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t.name}
            required
            data-autofocus
            value={name}
            error={issueAt(create.error, "credentials.name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <FormProvider value={form}>
            <Field schema={{ ...schema, title: "" }} path={[]} value={data} isRequired />
          </FormProvider>
          <HostsField value={allowedHosts} error={create.error} onChange={setHosts} />
          {create.error && <Problem error={create.error} />}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
