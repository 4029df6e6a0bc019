/** The limits on uploads: their contradictions, and their defaults. */
import type { UploadBounds } from "../chat/uploads/uploadBounds.ts"

type Amount = { files: number; megabytes: number }

/** The settings that concern uploads; a bound that is absent has its default. */
type UploadSettings = {
  maxUploadMegabytes: number
  uploadsPerChat?: Amount | undefined
  uploadsPerAddress?: Amount | undefined
}

/** A bound below the largest upload would make that a promise that is not kept. */
export function smallUploads(settings: UploadSettings): string[] {
  const { maxUploadMegabytes: largest, uploadsPerChat, uploadsPerAddress } = settings
  return Object.entries({
    PARLEY_UPLOADS_PER_CHAT: uploadsPerChat,
    PARLEY_UPLOADS_PER_ADDRESS: uploadsPerAddress,
  })
    .filter(([, bound]) => bound && bound.megabytes < largest)
    .map(([name]) => `${name} must allow at least the ${largest} MB of PARLEY_UPLOAD_MAX_MB.`)
}

/** By default ten of the largest uploads in a chat, and 200 by an address in an hour. */
export function uploadBoundsOf(settings: UploadSettings): UploadBounds {
  const { maxUploadMegabytes: largest, uploadsPerChat, uploadsPerAddress } = settings
  return {
    perChat: inBytes(uploadsPerChat ?? { files: 50, megabytes: 10 * largest }),
    perAddress: inBytes(uploadsPerAddress ?? { files: 1_000, megabytes: 200 * largest }),
  }
}

function inBytes({ files, megabytes }: Amount): UploadBounds["perChat"] {
  return { files, bytes: megabytes * 1024 * 1024 }
}
