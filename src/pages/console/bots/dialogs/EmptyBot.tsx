/** Names a bot that begins from nothing. */
import { useMutation } from "@tanstack/react-query"
import { api } from "../../shell/api.ts"
import { useTexts } from "../../shell/texts.ts"
import { dialogTexts } from "./dialogTexts.ts"
import { NameForm } from "./NameForm.tsx"
import type { WayProps } from "./wayProps.ts"

export function EmptyBot({ workspaceId, folderId, back, onMade }: WayProps) {
  const t = useTexts(dialogTexts)
  const create = useMutation(
    api.bot.create.mutationOptions({ onSuccess: ({ bot }) => onMade(bot) }),
  )
  return (
    <NameForm
      initial={t.unnamed}
      action={t.create}
      cancel={t.back}
      close={back}
      isPending={create.isPending}
      error={create.error}
      onName={(name) => create.mutate({ workspaceId, bot: { name, folderId: folderId ?? null } })}
    />
  )
}
