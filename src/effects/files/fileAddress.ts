/** Builds and parses permanent addresses of files: public ones serve the file, private ones need a token. */
import { type FileFolders, type NewFile, privateFileKey, readFileKey } from "./fileKeys.ts"
import { readFormerPath } from "./formerKeys.ts"

/** The path of all files, below the public address of the service. */
export const filesPath = "/files/"

export const publicFilesPath = `${filesPath}public/`

/** What addresses depend on. */
export type AddressSettings = {
  /** Public address of the service, without a trailing slash. */
  publicUrl: string
  folders: FileFolders
}

export function fileAddress({ publicUrl }: AddressSettings, key: string, file: NewFile): string {
  if (!readFileKey(key)?.isPrivate) return `${publicUrl}${filesPath}${key}`
  const [folder, name] = key.split("/").slice(-2)
  return `${publicUrl}/api/v1/bots/${encodeURIComponent(file.botId)}/files/${folder}/${name}`
}

/** The key of the file at an address. Returns undefined for other addresses. */
export function keyOfAddress(
  { publicUrl, folders }: AddressSettings,
  url: string,
): string | undefined {
  if (!url.startsWith(`${publicUrl}/`)) return undefined
  const path = url.slice(publicUrl.length).split(/[?#]/)[0] ?? ""
  if (!path.startsWith(filesPath)) return privatePathOf(folders, path)?.key
  const key = path.slice(filesPath.length)
  return readFileKey(key) && key
}

/** Parses the path of a private file. Returns undefined for other paths. */
export function privatePathOf(folders: FileFolders, path: string): PrivatePath | undefined {
  try {
    const [, bot, folder, name] = privatePattern.exec(path) ?? []
    if (bot === undefined || folder === undefined || name === undefined) return readFormerPath(path)
    const botId = decodeURIComponent(bot)
    const key = privateFileKey(folders, { botId, folder, name })
    return key === undefined ? undefined : { botId, key }
  } catch {
    // A malformed percent escape.
    return undefined
  }
}

export type PrivatePath = { botId: string; key: string }

const privatePattern = /^\/api\/v1\/bots\/([^/]+)\/files\/([0-9a-f]{32})\/([\w.]+)$/
