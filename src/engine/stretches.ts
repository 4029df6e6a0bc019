/** Cuts long texts into stretches. */

/** How long stretches are, unless told otherwise. */
export const stretchLength = 65_536

/** The stretches of a text, the last one shorter; no surrogate pair is parted. None: it is empty. */
export function* stretchesOf(text: string, length = stretchLength): Generator<string, void, void> {
  for (let from = 0; from < text.length; ) {
    const near = from + length
    const isParted = near < text.length && (text.charCodeAt(near - 1) & 0xfc00) === 0xd800
    const to = isParted && length > 1 ? near - 1 : near
    yield text.slice(from, to)
    from = to
  }
}
