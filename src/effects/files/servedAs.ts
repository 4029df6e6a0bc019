/** As what files are given out and kept: types that run nothing in a browser, by extension. */
import { extensionOf } from "../../engine/mimeTypes.ts"

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
