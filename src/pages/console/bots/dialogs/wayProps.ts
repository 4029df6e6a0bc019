/** What each way of making a bot is given. */
import type { Outputs } from "../../shell/api.ts"

export type Template = Outputs["template"]["list"]["templates"][number]

export type WayProps = {
  workspaceId: string
  folderId: string | undefined
  back: () => void
  onMade: (bot: { id: string }) => void
}
