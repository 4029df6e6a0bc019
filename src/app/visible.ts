/** Makes texts of strangers fit for a terminal: nothing in them commands it or turns its lines around. */

/** Control characters, but the ends of lines and tabs, and those that change the direction of text. */
const hidden = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The text with each such character as the escape that JSON has for it, which leaves JSON equal. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(hidden, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
