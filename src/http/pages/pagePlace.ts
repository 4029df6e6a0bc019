/** Reads the public id of a page's path, and addresses of pictures that authors set. */

/** The public id of a segment; undefined: no bot can have it. */
export function publicIdIn(segment: string): string | undefined {
  try {
    const publicId = decodeURIComponent(segment)
    // PostgreSQL has no such character in texts.
    return publicId.includes("\0") ? undefined : publicId
  } catch {
    return undefined
  }
}

/** Max characters: the address is in pages and headers. */
const maxAddressLength = 2_000

export function webAddress(text: string | null | undefined): string | undefined {
  const isWeb = text != null && text.length <= maxAddressLength && /^https?:\/\//i.test(text)
  return isWeb && URL.canParse(text) ? new URL(text).href : undefined
}

/** Where the service serves the icon of a bot. */
export const iconPath = (publicId: string) => `/chat/${encodeURIComponent(publicId)}/icon`
