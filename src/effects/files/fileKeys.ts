/** Where a file lies in the store: a key made of checked segments, never of what a caller sent. */
import { createHash } from "node:crypto"
import { extensionOf } from "../../engine/blocks/inputs/mimeTypes.ts"
import { randomText } from "../../ids.ts"

/** Who a file belongs to. */
export type FileOwner = {
  botId: string
  /** Absent in previews, whose files are public and temporary. */
  resultId?: string | undefined
}

/** What a new file is and where it belongs. */
export type NewFile = FileOwner & {
  /** The input that asked for it; absent: made by a block. */
  blockId?: string | undefined
  /** Only whoever may read the result may read the file. Ignored in previews. */
  isPrivate?: boolean
  /** Without dot. */
  extension: string
}

/** What a key tells of its file. */
export type KeyFacts = FileOwner & {
  isPrivate: boolean
  blockId?: string | undefined
  name: string
}

/** A key that was never used: the name carries 190 random bits, so that it cannot be guessed. */
export function newFileKey(file: NewFile, now: Date): string {
  const name = `${randomText(32)}.${/^\w{1,10}$/.test(file.extension) ? file.extension : "bin"}`
  const block = file.blockId === undefined ? [] : ["blocks", segment(file.blockId)]
  if (file.resultId === undefined) {
    const day = now.toISOString().slice(0, 10)
    return ["public", "previews", day, "bots", segment(file.botId), ...block, name].join("/")
  }
  return [...folderOf(file, file.isPrivate === true), ...block, name].join("/")
}

/** The folders that hold everything of a result. */
export function resultFolders(owner: { botId: string; resultId: string }): string[] {
  return [folderOf(owner, false), folderOf(owner, true)].map((parts) => parts.join("/"))
}

/** The folder of what everybody may read of a bot, previews excepted. */
export function publicFolder(botId: string): string {
  return `public/bots/${segment(botId)}`
}

/** The folders that hold everything of a bot, previews excepted. */
export function botFolders(botId: string): string[] {
  return ["public", "private"].map((access) => `${access}/bots/${segment(botId)}`)
}

/** The folder that holds the previews of every day. */
export const previewsFolder = "public/previews"

const keyPattern =
  /^(public|private)\/(?:previews\/\d{4}-\d\d-\d\d\/)?bots\/([\w-]+)(?:\/results\/([\w-]+))?(?:\/blocks\/([\w-]+))?\/(\w+\.\w+)$/

/** What a key tells; undefined when it is not one of ours. */
export function readFileKey(key: string): KeyFacts | undefined {
  const [, access, botId, resultId, blockId, name] = keyPattern.exec(key) ?? []
  if (botId === undefined || name === undefined) return undefined
  return { isPrivate: access === "private", botId, resultId, blockId, name }
}

/** The key of a private file by what its address says. */
export function privateFileKey(file: {
  botId: string
  resultId: string
  blockId?: string | undefined
  name: string
}): string | undefined {
  const block = file.blockId === undefined ? [] : ["blocks", segment(file.blockId)]
  const key = [...folderOf(file, true), ...block, file.name].join("/")
  return readFileKey(key) && key
}

/** Whether a file was made in this chat, or is a public one of this bot. */
export function isOwnFile(facts: KeyFacts, owner: FileOwner): boolean {
  if (facts.botId !== segment(owner.botId)) return false
  if (!facts.isPrivate) return true
  return owner.resultId !== undefined && facts.resultId === owner.resultId
}

function folderOf(owner: FileOwner, isPrivate: boolean): string[] {
  const access = isPrivate ? "private" : "public"
  return [access, "bots", segment(owner.botId), "results", segment(owner.resultId ?? "")]
}

/** Ids from imported flows may hold anything; what is no plain word is replaced by its hash. */
function segment(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id
  return `h${createHash("sha256").update(id).digest("hex").slice(0, 32)}`
}

/** Types that a browser may show on our address: they cannot run anything there. */
const inlineTypes: Readonly<Record<string, string>> = {
  aac: "audio/aac",
  avif: "image/avif",
  bmp: "image/bmp",
  csv: "text/csv; charset=utf-8",
  gif: "image/gif",
  heic: "image/heic",
  heif: "image/heif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  m4a: "audio/mp4",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  ogg: "audio/ogg",
  ogv: "video/ogg",
  pdf: "application/pdf",
  png: "image/png",
  tif: "image/tiff",
  txt: "text/plain; charset=utf-8",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
}

/** How a file is given out: by its extension; whatever might run is bytes to keep. */
export function servedAs(key: string): { contentType: string; isInline: boolean } {
  const extension = key.slice(key.lastIndexOf(".") + 1).toLowerCase()
  const known = Object.hasOwn(inlineTypes, extension) ? inlineTypes[extension] : undefined
  return { contentType: known ?? "application/octet-stream", isInline: known !== undefined }
}

/** Extension for a MIME type as a caller sent it: parameters do not count. */
export function extensionOfType(contentType: string): string {
  return extensionOf(contentType.split(";")[0]?.trim() ?? "")
}
