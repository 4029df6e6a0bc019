/** Makes and parses keys of stored files: opaque folders and a random name, nothing that a caller sent. */
import { createHmac } from "node:crypto"
import { randomText } from "../../lib/ids.ts"
import { formerBotFolders, formerResultFolders, readFormerKey } from "./formerKeys.ts"

export type NewFile = FileOwner & {
  /** Whether only readers of the result may read the file. Ignored in previews. */
  isPrivate?: boolean
  /** Without the dot. */
  extension: string
}

/** A new key. Its name has 190 random bits, so it cannot be guessed. */
export function newFileKey(folders: FileFolders, file: NewFile, now: Date): string {
  const name = nameWith(file.extension)
  const { botId, resultId, isPrivate } = file
  const bot = folders.ofBot(botId)
  if (resultId === undefined) {
    return [previewsFolder, now.toISOString().slice(0, 10), bot, name].join("/")
  }
  const access = isPrivate === true ? "private" : "public"
  return [access, bot, folders.ofResult({ botId, resultId }), name].join("/")
}

/** A new key of a file of authors: beside the copies that a bot has of the files of another one. */
export function newAuthorKey(
  folders: FileFolders,
  owner: { workspaceId: string; botId: string | null },
  extension: string,
): string {
  const { workspaceId, botId } = owner
  const folder =
    botId === null ? workspaceFolder(folders, workspaceId) : publicFolder(folders, botId)
  return `${folder}/${nameWith(extension)}`
}

export function workspaceFolder(folders: FileFolders, workspaceId: string): string {
  return `public/${folders.ofWorkspace(workspaceId)}`
}

function nameWith(extension: string): string {
  return `${randomText(32)}.${/^\w{1,10}$/.test(extension) ? extension : "bin"}`
}

/** The folders that hold all files of a result. */
export function resultFolders(
  folders: FileFolders,
  owner: { botId: string; resultId: string },
): string[] {
  const own = `${folders.ofBot(owner.botId)}/${folders.ofResult(owner)}`
  return [`public/${own}`, `private/${own}`, ...formerResultFolders(owner)]
}

/** The folder of a bot's public files, without those of previews. */
export function publicFolder(folders: FileFolders, botId: string): string {
  return `public/${folders.ofBot(botId)}`
}

/** Every folder that may hold public files of a bot, without those of previews. */
export function publicFolders(folders: FileFolders, botId: string): string[] {
  return [publicFolder(folders, botId), formerBotFolders(botId)[0]]
}

/** The folders that hold all files of a bot, without those of previews. */
export function botFolders(folders: FileFolders, botId: string): string[] {
  const own = folders.ofBot(botId)
  return [`public/${own}`, `private/${own}`, ...formerBotFolders(botId)]
}

/** The folder of previews, with one folder per day. */
export const previewsFolder = "public/previews"

const keyPattern =
  /^(public|private)\/(?:previews\/\d{4}-\d\d-\d\d\/)?([0-9a-f]{32})(?:\/([0-9a-f]{32}))?\/(\w+\.\w+)$/

/** Parses a key. Returns undefined for anything else. */
export function readFileKey(key: string): { isPrivate: boolean; name: string } | undefined {
  const [, access, , , name] = keyPattern.exec(key) ?? []
  if (name !== undefined) return { isPrivate: access === "private", name }
  return readFormerKey(key)
}

/** The key of a private file, made from the parts of its address. */
export function privateFileKey(
  folders: FileFolders,
  file: { botId: string; folder: string; name: string },
): string | undefined {
  const key = `private/${folders.ofBot(file.botId)}/${file.folder}/${file.name}`
  return readFileKey(key) && key
}

/** Whether a file belongs to this chat or is a public file of this bot. */
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

export type FileOwner = {
  botId: string
  /** Absent in previews, whose files are public and temporary. */
  resultId?: string | undefined
}

/** Names of folders: 128 bits that cannot be computed without the key. */
export type FileFolders = ReturnType<typeof createFileFolders>

/** Creates the names. `key` must never change, because stored files are found by it. */
export function createFileFolders(key: Buffer) {
  const name = (...ids: string[]) =>
    createHmac("sha256", key).update(JSON.stringify(ids)).digest("hex").slice(0, 32)
  return {
    ofBot: (botId: string) => name("bot", botId),
    ofWorkspace: (workspaceId: string) => name("workspace", workspaceId),
    ofResult: ({ botId, resultId }: { botId: string; resultId: string }) =>
      name("result", botId, resultId),
  }
}
