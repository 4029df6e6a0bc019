/** What Markdown says, as plain text. */

const marks =
  /\\([!-/:-@[-`{-~])|\*\*|~~|<\/?u>|(?<!\w)_|_(?!\w)|!?\[((?:[^\]\\]|\\.)*)\]\(([^()\s]*)\)/g

/** Without the marks; links as `label (address)`. */
export function plainOf(markdown: string): string {
  return markdown.replace(marks, (_, escaped: string, label: string, address: string) => {
    if (escaped !== undefined) return escaped
    if (label === undefined) return ""
    const shown = plainOf(label)
    return shown === address || address === "" ? shown : `${shown} (${address})`
  })
}
