/** The second step to a bot from a starter: what it does, its name, and a chat to try it. */
import { useMutation } from "@tanstack/react-query"
import { parley } from "../../shell/api.ts"
import { useTexts } from "../../shell/texts.ts"
import classes from "./dialogs.module.css"
import { dialogTexts } from "./dialogTexts.ts"
import { NameForm } from "./NameForm.tsx"
import type { Template, WayProps } from "./wayProps.ts"

export function StarterStep({
  template,
  workspaceId,
  folderId,
  back,
  onMade,
}: WayProps & { template: Template }) {
  const t = useTexts(dialogTexts)
  const make = useMutation({
    mutationFn: async (name: string) => {
      const { bot } = await parley.bot.import.mutate({ workspaceId, fromTemplate: template.id })
      if (name !== bot.name)
        await parley.bot.edit.mutate({
          botId: bot.id,
          revision: bot.revision,
          edits: [{ type: "bot.set", name }],
        })
      if (folderId !== undefined)
        await parley.folder.moveBots.mutate({ workspaceId, botIds: [bot.id], folderId })
      return bot
    },
    onSuccess: onMade,
  })
  return (
    <div className={classes.step}>
      <img src={template.picture} alt="" width={320} height={200} />
      <div>
        <p>{template.description}</p>
        <NameForm
          initial={template.name}
          action={t.useStarter}
          cancel={t.back}
          close={back}
          isPending={make.isPending}
          error={make.error}
          onName={(name) => make.mutate(name)}
        />
      </div>
    </div>
  )
}
