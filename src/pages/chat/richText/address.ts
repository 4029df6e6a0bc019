/** Decides which addresses a page may link to or load: only those that cannot run code. */

/** An address without a scheme, such as `example.com/page`. */
const host = /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/

const followed = new Set(["http:", "https:", "mailto:", "tel:", "sms:"])
const loaded = new Set(["http:", "https:"])

/** The address of a link. Returns undefined when it must not be followed. */
export function linkAddress(text: unknown): string | undefined {
  return addressWith(followed, text)
}

/** The address of a picture, clip or page. Returns undefined when it must not be loaded. */
export function mediaAddress(text: unknown): string | undefined {
  return addressWith(loaded, text)
}

/** Whether an address is that of a picture, by the ending of its path. */
export function isPicture(address: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif)$/i.test(parse(address)?.pathname ?? "")
}

function addressWith(schemes: ReadonlySet<string>, text: unknown): string | undefined {
  if (typeof text !== "string") return undefined
  const trimmed = text.trim()
  if (!trimmed) return undefined
  const url = parse(trimmed) ?? (host.test(trimmed) ? parse(`https://${trimmed}`) : undefined)
  return url && schemes.has(url.protocol) ? url.href : undefined
}

/** Parses absolute addresses only: relative ones would refer to the page that embeds the chat. */
function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
