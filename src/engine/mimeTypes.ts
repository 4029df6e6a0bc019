/** The extension of a MIME type, and the extensions that a list of types allows. */
import { groupBy } from "../lib/groupBy.ts"

/** Extension by MIME type. The `text` types are ours, so that text files can be allowed. */
const extensions: Readonly<Record<string, string>> = {
  "audio/aac": "aac",
  "audio/mp3": "mp3",
  "audio/mp4": "m4a",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/webm": "webm",
  "font/otf": "otf",
  "font/ttf": "ttf",
  "font/woff": "woff",
  "font/woff2": "woff2",
  "image/avif": "avif",
  "image/bmp": "bmp",
  "image/gif": "gif",
  "image/heic": "heic",
  "image/heif": "heif",
  "image/jpeg": "jpeg",
  "image/jpg": "jpg",
  "image/png": "png",
  "image/svg+xml": "svg",
  "image/tiff": "tif",
  "image/webp": "webp",
  "image/wmf": "wmf",
  "video/mp4": "mp4",
  "video/mpeg": "mpeg",
  "video/ogg": "ogv",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "application/gzip": "gz",
  "application/javascript": "js",
  "application/json": "json",
  "application/msword": "doc",
  "application/pdf": "pdf",
  "application/rtf": "rtf",
  "application/vnd.android.package-archive": "apk",
  "application/vnd.apple.installer+xml": "mpkg",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/x-7z-compressed": "7z",
  "application/x-executable": "exe",
  "application/x-font-ttf": "ttf",
  "application/x-rar-compressed": "rar",
  "application/x-sh": "sh",
  "application/x-tar": "tar",
  "application/xml": "xml",
  "application/zip": "zip",
  "text/calendar": "ics",
  "text/css": "css",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
  "text/plain": "txt",
  "text/tab-separated-values": "tsv",
  "text/vcard": "vcf",
}

/** Different endings of the same kind of file. */
const synonyms = [
  ["jpg", "jpeg", "jpe"],
  ["tif", "tiff"],
]

/** Extension of files of that MIME type, without dot; `bin` for an unknown type. */
export function extensionOf(mimeType: string): string {
  const type = mimeType.toLowerCase()
  return Object.hasOwn(extensions, type) ? (extensions[type] ?? "bin") : "bin"
}

/**
 * The extensions that a list of types allows. An entry is a MIME type, a wildcard such as
 * `image/*`, or an extension with or without dot; unknown entries allow nothing.
 */
export function allowedExtensions(types: readonly string[]): Set<string> {
  const allowed = new Set(types.flatMap((type) => extensionsOf(type.trim().toLowerCase())))
  for (const group of synonyms) {
    if (group.some((extension) => allowed.has(extension))) {
      for (const extension of group) allowed.add(extension)
    }
  }
  return allowed
}

function extensionsOf(entry: string): string[] {
  if (entry.endsWith("/*")) return families.get(entry.slice(0, -2)) ?? []
  if (entry.includes("/")) return Object.hasOwn(extensions, entry) ? [extensionOf(entry)] : []
  const extension = entry.replace(/^\./, "")
  return knownExtensions.has(extension) ? [extension] : []
}

/** Extensions by the first half of their types, such as `image`. */
const families = new Map(
  [...groupBy(Object.entries(extensions), ([type]) => type.split("/")[0] ?? "")].map(
    ([family, types]) => [family, types.map(([, extension]) => extension)],
  ),
)

const knownExtensions = new Set([...Object.values(extensions), ...synonyms.flat()])
