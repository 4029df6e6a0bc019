/** Finds the HTML that an author wrote into a text, whole or cut short. */

const tagStart = /<(?=[A-Za-z/!?]|$)/g
const attribute = /\s+[\w:.@-]+(?:\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'=<>`]+))?/.source
const wholeTag = new RegExp(`</?([A-Za-z][\\w-]*)(?:${attribute})*\\s*/?>`, "y")
const autolink = /<(?:[A-Za-z][\w+.-]*:|[^\s<>@:]+@)[^\s<>]*>/y

// What follows them is no text in which a value could be escaped.
const rawElements =
  /^(?:iframe|noembed|noframes|noscript|plaintext|script|style|textarea|title|xmp)$/i

/**
 * The text in which only whole tags are tags. The others may hold a value further on, among their
 * attributes, where no escape helps: they are shown as the text that they are in rich text.
 */
export function escapeOpenTags(text: string): string {
  return text.replace(tagStart, (sign, at: number) => (isWhole(text, at) ? sign : "&lt;"))
}

function isWhole(text: string, at: number): boolean {
  autolink.lastIndex = at
  if (autolink.test(text)) return true
  wholeTag.lastIndex = at
  const name = wholeTag.exec(text)?.[1]
  return name !== undefined && !rawElements.test(name)
}
