/** Where a file lies in the store: a key made of folders without meaning, never of what a caller sent. */
import { randomText } from "../../shared/ids.ts"
import type { FileFolders, FileOwner } from "./fileFolders.ts"
import { formerBotFolders, formerResultFolders, readFormerKey } from "./formerKeys.ts"

/** What a new file is and where it belongs. */
export type NewFile = FileOwner & {
  /** Only whoever may read the result may read the file. Ignored in previews. */
  isPrivate?: boolean
  /** Without dot. */
  extension: string
}

/** What a key tells of its file. */
export type KeyFacts = { isPrivate: boolean; name: string }

/** A key that was never used: the name carries 190 random bits, so that it cannot be guessed. */
export function newFileKey(folders: FileFolders, file: NewFile, now: Date): string {
  const name = `${randomText(32)}.${/^\w{1,10}$/.test(file.extension) ? file.extension : "bin"}`
  const { botId, resultId, isPrivate } = file
  const bot = folders.ofBot(botId)
  if (resultId === undefined) {
    return [previewsFolder, now.toISOString().slice(0, 10), bot, name].join("/")
  }
  const access = isPrivate === true ? "private" : "public"
  return [access, bot, folders.ofResult({ botId, resultId }), name].join("/")
}

/** The folders that hold everything of a result. */
export function resultFolders(
  folders: FileFolders,
  owner: { botId: string; resultId: string },
): string[] {
  const own = `${folders.ofBot(owner.botId)}/${folders.ofResult(owner)}`
  return [`public/${own}`, `private/${own}`, ...formerResultFolders(owner)]
}

/** The folder of what everybody may read of a bot, previews excepted. */
export function publicFolder(folders: FileFolders, botId: string): string {
  return `public/${folders.ofBot(botId)}`
}

/** Every folder in which such files of a bot may lie. */
export function publicFolders(folders: FileFolders, botId: string): string[] {
  return [publicFolder(folders, botId), formerBotFolders(botId)[0]]
}

/** The folders that hold everything of a bot, previews excepted. */
export function botFolders(folders: FileFolders, botId: string): string[] {
  const own = folders.ofBot(botId)
  return [`public/${own}`, `private/${own}`, ...formerBotFolders(botId)]
}

/** The folder that holds the previews of every day. */
export const previewsFolder = "public/previews"

const keyPattern =
  /^(public|private)\/(?:previews\/\d{4}-\d\d-\d\d\/)?([0-9a-f]{32})(?:\/([0-9a-f]{32}))?\/(\w+\.\w+)$/

/** What a key tells; undefined when it is not one of ours. */
export function readFileKey(key: string): KeyFacts | undefined {
  const [, access, , , name] = keyPattern.exec(key) ?? []
  if (name !== undefined) return { isPrivate: access === "private", name }
  return readFormerKey(key)
}

/** The key of a private file by what its address says. */
export function privateFileKey(
  folders: FileFolders,
  file: { botId: string; folder: string; name: string },
): string | undefined {
  const key = `private/${folders.ofBot(file.botId)}/${file.folder}/${file.name}`
  return readFileKey(key) && key
}

/** Whether a file was made in this chat, or is a public one of this bot. */
export function isOwnFile(folders: FileFolders, key: string, owner: FileOwner): boolean {
  const { botId, resultId } = owner
  const [, access, bot, result] = keyPattern.exec(key) ?? []
  if (access !== undefined) {
    if (bot !== folders.ofBot(botId)) return false
    if (access === "public") return true
    return resultId !== undefined && result === folders.ofResult({ botId, resultId })
  }
  return readFormerKey(key)?.isOwn(owner) ?? false
}
