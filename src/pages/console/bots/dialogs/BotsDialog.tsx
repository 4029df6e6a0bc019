/** The dialog that was asked for. */
import { useTexts } from "../../shell/texts.ts"
import { useReturnedFocus } from "../../shell/useReturnedFocus.ts"
import type { ListedWorkspace } from "../../shell/useWorkspace.ts"
import type { AskedDialog } from "../askedDialog.ts"
import { DialogFrame } from "./DialogFrame.tsx"
import { dialogTexts } from "./dialogTexts.ts"
import { MoveForm } from "./MoveForm.tsx"
import { FolderForm, RenameBotForm } from "./NameForm.tsx"
import { NewBot } from "./NewBot.tsx"
import { RemoveBots, RemoveFolder } from "./Removal.tsx"

type Props = {
  asked: AskedDialog
  workspace: ListedWorkspace
  /** Called when what was asked for is done. */
  onDone: () => void
  onClosed: () => void
}

export function BotsDialog({ asked, workspace, onDone, onClosed }: Props) {
  useReturnedFocus()
  const t = useTexts(dialogTexts)
  return (
    <DialogFrame
      title={titleOf(asked, t)}
      size={asked.type === "newBot" ? "56rem" : "28rem"}
      onClosed={onClosed}
    >
      {(close) => {
        const shared = { workspaceId: workspace.id, close }
        const end = () => {
          onDone()
          close()
        }
        switch (asked.type) {
          case "newBot":
            return <NewBot {...asked} {...shared} />
          case "renameBot":
            return <RenameBotForm bot={asked.bot} close={close} />
          case "newFolder":
          case "renameFolder":
            return <FolderForm asked={asked} {...shared} />
          case "moveBots":
          case "moveFolder":
            return <MoveForm asked={asked} {...shared} onDone={end} />
          case "removeBots":
            return <RemoveBots bots={asked.bots} close={close} onDone={end} />
          case "removeFolder":
            return <RemoveFolder folder={asked.folder} {...shared} />
        }
      }}
    </DialogFrame>
  )
}

function titleOf(asked: AskedDialog, t: (typeof dialogTexts)["en"]): string {
  switch (asked.type) {
    case "newBot":
    case "renameBot":
    case "newFolder":
    case "renameFolder":
      return t[asked.type]
    case "moveBots":
      return t.moveBots(asked.bots.length)
    case "moveFolder":
      return t.moveFolder(asked.folder.name)
    case "removeBots":
      return t.removeBots(asked.bots.map(({ name }) => name))
    case "removeFolder":
      return t.removeFolder(asked.folder.name)
  }
}
