/** Makes a credential of one type. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { ComponentType } from "react"
import { api, type Inputs } from "../../../shell/api.ts"
import { useTexts } from "../../../shell/texts.ts"
import type { MemberProps } from "../blockForm.ts"
import { blockTexts } from "../blockTexts.ts"
import { CredentialDialog } from "./CredentialDialog.tsx"

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
  const t = useTexts(blockTexts)
  const queries = useQueryClient()
  const create = useMutation(
    api.credentials.create.mutationOptions({
      onSuccess: async ({ credentialsId }) => {
        await queries.invalidateQueries({ queryKey: api.credentials.list.queryKey() })
        onMade(credentialsId)
      },
    }),
  )
  return (
    <CredentialDialog
      title={`${t.newCredential}: ${type}`}
      type={type}
      initial={{ name: "", allowedHosts: host === undefined ? [] : [host] }}
      Field={Field}
      isPending={create.isPending}
      error={create.error}
      onSave={({ data = {}, ...facts }) =>
        create.mutate({
          workspaceId,
          credentials: { ...facts, type: type as CredentialType, data },
        })
      }
      onClose={onClose}
    />
  )
}
