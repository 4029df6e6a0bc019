/** Checks the limits on uploads, and fills in their defaults. */
import type { UploadBounds } from "../chat/uploads/uploadBounds.ts"

type Amount = { files: number; megabytes: number }

/** The settings of uploads; an absent bound has its default. */
type UploadSettings = {
  maxUploadMegabytes: number
  uploadsPerChat?: Amount | undefined
  uploadsPerAddress?: Amount | undefined
}

/** A sentence for each bound that is below the largest upload, which could then never be used. */
export function smallUploads(settings: UploadSettings): string[] {
  const { maxUploadMegabytes: largest, uploadsPerChat, uploadsPerAddress } = settings
  return Object.entries({
    PARLEY_UPLOADS_PER_CHAT: uploadsPerChat,
    PARLEY_UPLOADS_PER_ADDRESS: uploadsPerAddress,
  })
    .filter(([, bound]) => bound && bound.megabytes < largest)
    .map(([name]) => `${name} must allow at least the ${largest} MB of PARLEY_UPLOAD_MAX_MB.`)
}

/** By default, ten of the largest uploads in a chat, and 200 from one address in an hour. */
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
