/** The limits on uploads: their contradictions, and their defaults. */
import type { UploadBounds } from "../chat/uploads/uploadBounds.ts"

type Amount = { files: number; megabytes: number }

/** The part of the environment that concerns uploads; a bound that is absent has its default. */
export type UploadSettings = {
  PARLEY_UPLOAD_MAX_MB: number
  PARLEY_UPLOADS_PER_CHAT?: Amount | undefined
  PARLEY_UPLOADS_PER_ADDRESS?: Amount | undefined
}

const boundNames = ["PARLEY_UPLOADS_PER_CHAT", "PARLEY_UPLOADS_PER_ADDRESS"] as const

/** A bound below the largest upload would make that a promise that is not kept. */
export function smallUploads(settings: UploadSettings): string[] {
  const largest = settings.PARLEY_UPLOAD_MAX_MB
  return boundNames.flatMap((name) => {
    const { megabytes = largest } = settings[name] ?? {}
    const words = `${name} must allow at least the ${largest} MB of PARLEY_UPLOAD_MAX_MB.`
    return megabytes < largest ? [words] : []
  })
}

/** Unless told, ten of the largest uploads in a chat, and 200 by an address in an hour. */
export function uploadBoundsOf(settings: UploadSettings): UploadBounds {
  const largest = settings.PARLEY_UPLOAD_MAX_MB
  const perChat = settings.PARLEY_UPLOADS_PER_CHAT ?? { files: 50, megabytes: 10 * largest }
  const perAddress = settings.PARLEY_UPLOADS_PER_ADDRESS ?? {
    files: 1_000,
    megabytes: 200 * largest,
  }
  return { perChat: inBytes(perChat), perAddress: inBytes(perAddress) }
}

function inBytes({ files, megabytes }: Amount): UploadBounds["perChat"] {
  return { files, bytes: megabytes * 1024 * 1024 }
}
