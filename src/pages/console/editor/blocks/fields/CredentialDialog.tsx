/** The dialog of a credential: its name, its contents, and where they may go. */
import { Anchor, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core"
import { type ComponentType, type FormEvent, useState } from "react"
import { closeTexts } from "../../../shell/closeTexts.ts"
import { issueAt, Problem } from "../../../shell/Problem.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { useCatalogue } from "../../../shell/useCatalogue.ts"
import { useReturnedFocus } from "../../../shell/useReturnedFocus.ts"
import { FormProvider, type MemberProps } from "../blockForm.ts"
import { type Path, type Schema, withValue } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"
import { HostsField } from "./HostsField.tsx"

type Facts = { name: string; allowedHosts: string[] }
type Data = Record<string, unknown>

type Given = {
  title: string
  type: string
  initial: Facts
  /** Whether it has contents, which are never shown and stay unless others are given. */
  isStored?: boolean
  /** Shows the members of its data. */
  Field: ComponentType<MemberProps>
  isPending: boolean
  error: unknown
  /** `data` is absent when the stored contents stay. */
  onSave(credential: Facts & { data?: Data }): void
  onClose(): void
}

export function CredentialDialog({ title, type, initial, isStored = false, ...given }: Given) {
  const { Field, isPending, error, onSave, onClose } = given
  useReturnedFocus()
  const t = useTexts(blockTexts)
  const { close } = useTexts(closeTexts)
  const catalogue = useCatalogue()
  const schema: Schema = catalogue.credentials.find((each) => each.type === type)?.schema ?? {}
  const [name, setName] = useState(initial.name)
  const [allowedHosts, setHosts] = useState(initial.allowedHosts)
  const [data, setData] = useState<Data | undefined>(isStored ? undefined : {})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The dialog stands in a form of the page in the tree of React.
    event.stopPropagation()
    onSave({ name, allowedHosts, ...(data && { data }) })
  }
  const form = {
    value: data,
    isReadOnly: false,
    Field,
    flush: () => undefined,
    change: (path: Path, value: unknown) =>
      setData((before) => withValue(before, path, value) as Data),
  }
  // What is left out stays as it is.
  const shown = { ...schema, title: "", ...(isStored && { required: [] }) }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ "aria-label": close }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t.name}
            required
            data-autofocus
            value={name}
            error={issueAt(error, "credentials.name")}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {data === undefined ? (
            <Anchor
              component="button"
              type="button"
              size="sm"
              ta="start"
              onClick={() => setData({})}
            >
              {t.replaceContents}
            </Anchor>
          ) : (
            <FormProvider value={form}>
              {isStored && (
                <Text size="sm" c="dimmed">
                  {t.keptContents}
                </Text>
              )}
              <Field schema={shown} path={[]} value={data} isRequired />
            </FormProvider>
          )}
          <HostsField value={allowedHosts} error={error} onChange={setHosts} />
          {error != null && <Problem error={error} />}
          <Group justify="end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
