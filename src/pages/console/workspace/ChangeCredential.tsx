/** Changes the name of a credential, its contents, and where they may go. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { CredentialDialog } from "../editor/blocks/fields/CredentialDialog.tsx"
import { Field } from "../editor/blocks/fields/Field.tsx"
import { api, type Outputs } from "../shell/api.ts"

type Given = {
  credential: Outputs["credentials"]["list"]["credentials"][number]
  onClose(): void
}

export function ChangeCredential({ credential, onClose }: Given) {
  const queries = useQueryClient()
  const update = useMutation(
    api.credentials.update.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries(api.credentials.list.pathFilter())
        onClose()
      },
    }),
  )
  return (
    <CredentialDialog
      title={`${credential.name}: ${credential.type}`}
      type={credential.type}
      initial={credential}
      isStored
      Field={Field}
      isPending={update.isPending}
      error={update.error}
      onSave={(credentials) => update.mutate({ credentialsId: credential.id, credentials })}
      onClose={onClose}
    />
  )
}
