/** Addresses of files: public ones lead to the file, private ones ask for a token, both last. */
import type { FileFolders } from "./fileFolders.ts"
import { type NewFile, privateFileKey, readFileKey } from "./fileKeys.ts"
import { readFormerPath } from "./formerKeys.ts"

/** Path, below the public address, of everything that is kept. */
export const filesPath = "/files/"

/** Path of everything that everybody may read. */
export const publicFilesPath = `${filesPath}public/`

/** What addresses are made of. */
export type AddressParts = {
  /** Where the service is reached from outside, without a slash at the end. */
  publicUrl: string
  folders: FileFolders
}

/** The lasting address of a file. */
export function fileAddress({ publicUrl }: AddressParts, key: string, file: NewFile): string {
  if (!readFileKey(key)?.isPrivate) return `${publicUrl}${filesPath}${key}`
  const [folder, name] = key.split("/").slice(-2)
  return `${publicUrl}/api/v1/bots/${encodeURIComponent(file.botId)}/files/${folder}/${name}`
}

/** The key behind an address; undefined: it is none of ours. */
export function keyOfAddress(
  { publicUrl, folders }: AddressParts,
  url: string,
): string | undefined {
  if (!url.startsWith(`${publicUrl}/`)) return undefined
  const path = url.slice(publicUrl.length).split(/[?#]/)[0] ?? ""
  return path.startsWith(filesPath)
    ? publicKeyOf(path.slice(filesPath.length))
    : privatePathOf(folders, path)?.key
}

/** What the path of a private file says; undefined: it is another path. */
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

/** A private file as its path names it. */
export type PrivatePath = { botId: string; key: string }

const privatePattern = /^\/api\/v1\/bots\/([^/]+)\/files\/([0-9a-f]{32})\/([\w.]+)$/

function publicKeyOf(key: string): string | undefined {
  return readFileKey(key) && key
}
