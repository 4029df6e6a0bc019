/** A part of a text in base64, and how many characters of its group of four are before it. */
type Base64Part = { part: string; lead: number }

/**
 * The characters that stand for a text alone wherever it is in base64: with none, one or two bytes before it in
 * its group of three.
 */
export function base64Parts(text: string): Base64Part[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].map((before) => {
    const lead = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64")
    return { part: encoded.slice(lead, end), lead }
  })
}
