/** Reads the header `Accept-Language` (RFC 9110, 12.5.4). */

/** What browsers send has some five entries. */
const maxEntries = 20

/** The language tags that a reader accepts, most wanted first. */
export function acceptedLanguages(header: string): string[] {
  const entries = header.split(",", maxEntries).map((entry) => {
    const [tag = "", weight = "q=1"] = entry.split(";").map((part) => part.trim())
    return { tag, weight: Number(/^q=([\d.]+)$/i.exec(weight)?.[1] ?? 0) }
  })
  const accepted = entries.filter(({ weight }) => weight > 0)
  return accepted.sort((one, other) => other.weight - one.weight).map(({ tag }) => tag)
}
