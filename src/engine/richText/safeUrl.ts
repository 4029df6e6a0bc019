/** Refuses addresses that would run code or forge a page when somebody follows them. */

const dangerous = /^(?:javascript|vbscript|data):/i

/**
 * The address, or undefined when it is a `javascript:`, `vbscript:` or `data:` one, for links,
 * embeds and redirects. Browsers skip white space and control characters in a scheme (WHATWG URL),
 * so they are skipped here too.
 */
export function safeUrl(url: string): string | undefined {
  return dangerous.test(firstVisible(url)) ? undefined : url
}

/** Longest of the schemes, with its colon. */
const schemeLength = "javascript:".length

function firstVisible(url: string): string {
  let start = ""
  for (const sign of url) {
    if (sign > " ") start += sign
    if (start.length >= schemeLength) break
  }
  return start
}
