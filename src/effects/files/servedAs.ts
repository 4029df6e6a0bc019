/** Chooses the content type of a file by its extension: never one that a browser would execute. */
import { extensionOf } from "../../engine/mimeTypes.ts"

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
  pdf: "application/pdf",
  png: "image/png",
  tif: "image/tiff",
  txt: "text/plain; charset=utf-8",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
}

/** How a file is served; anything that might be executed is a download. */
export function servedAs(key: string): { contentType: string; isInline: boolean } {
  const extension = key.slice(key.lastIndexOf(".") + 1).toLowerCase()
  const known = Object.hasOwn(inlineTypes, extension) ? inlineTypes[extension] : undefined
  return { contentType: known ?? "application/octet-stream", isInline: known !== undefined }
}

/** The extension for the value of a `Content-Type`, ignoring its parameters. */
export function extensionOfType(contentType: string): string {
  return extensionOf(contentType.split(";")[0]?.trim() ?? "")
}
