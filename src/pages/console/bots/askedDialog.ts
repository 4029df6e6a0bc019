/** The dialogs of the list of bots, which are loaded when one is asked for. */
import { createContext, use } from "react"
import type { Outputs } from "../shell/api.ts"

export type ListedBot = Outputs["bot"]["list"]["bots"][number]
export type Folder = Outputs["folder"]["list"]["folders"][number]

/** The bots that are selected, by their ids. */
export type Selected = ReadonlyMap<string, ListedBot>

/** A dialog, and what it is about. */
export type AskedDialog =
  | { type: "newBot"; start?: "empty" | "file"; file?: File; folderId?: string | undefined }
  | { type: "renameBot"; bot: ListedBot }
  | { type: "moveBots"; bots: readonly ListedBot[] }
  | { type: "removeBots"; bots: readonly ListedBot[] }
  | { type: "newFolder"; parentFolderId: string | null }
  | { type: "renameFolder"; folder: Folder }
  | { type: "moveFolder"; folder: Folder }
  | { type: "removeFolder"; folder: Folder }

/** Opens a dialog. */
export const AskContext = createContext<(asked: AskedDialog) => void>(() => {})

export function useAsk(): (asked: AskedDialog) => void {
  return use(AskContext)
}
