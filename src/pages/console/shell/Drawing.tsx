/** Draws the lines of an icon. */

/** `content` is what `icons:` modules have, and never what people write. */
export function Drawing({ content, size }: { content: string; size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 24 ? 1.5 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: content }}
    />
  )
}
