/** Chooses the content type of a file by its extension: never one that a browser would execute. */
import { allowedExtensions, extensionOf } from "../../engine/mimeTypes.ts"

/** Types that browsers may show from our origin, because they do not execute them. */
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
  otf: "font/otf",
  pdf: "application/pdf",
  png: "image/png",
  tif: "image/tiff",
  ttf: "font/ttf",
  txt: "text/plain; charset=utf-8",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
}

/** How a file is served; anything that might be executed is a download. */
export function servedAs(key: string): { contentType: string; isInline: boolean } {
  const extension = key.slice(key.lastIndexOf(".") + 1).toLowerCase()
  const known = Object.hasOwn(inlineTypes, extension) ? inlineTypes[extension] : undefined
  return { contentType: known ?? "application/octet-stream", isInline: known !== undefined }
}

type NamedFile = { fileName: string; fileType?: string | undefined }

/** Where Office is installed, browsers give these files the type of the program that opens them. */
const programs: Readonly<Record<string, string>> = { csv: "xls", rtf: "doc" }

/** The extension of a file by its type; for an unspecific type by its name, if that ending is known. */
export function extensionOfFile({ fileName, fileType }: NamedFile): string {
  const [type = ""] = fileType?.split(";") ?? []
  const byType = extensionOf(type.trim())
  const ending = fileName.slice(fileName.lastIndexOf(".") + 1).toLowerCase()
  if (Object.hasOwn(programs, ending) && programs[ending] === byType) return ending
  if (byType !== "bin") return byType
  return allowedExtensions([ending]).has(ending) ? ending : "bin"
}
