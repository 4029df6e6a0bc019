/** Refuses addresses that would run code or forge a page when followed. */

const dangerous = /^(?:javascript|vbscript|data):/i

/** Control characters and white space. */
const skipped = /[^!-\uffff]/g

/**
 * The address, or undefined when it is a `javascript:`, `vbscript:` or `data:` one, for links,
 * embeds and redirects. Browsers skip white space and control characters in a scheme (WHATWG URL),
 * so they are skipped here too.
 */
export function safeUrl(url: string): string | undefined {
  return dangerous.test(url.replace(skipped, "")) ? undefined : url
}
