/** What pages that are shown within a chat get: room, and leave to do what pages usually do. */

const usualHeight = 400

/** The height of a page, as CSS. */
export function openedHeight(height: number | string | undefined): string {
  const pixels = Number(height)
  return `${Number.isFinite(pixels) && pixels > 0 ? pixels : usualHeight}px`
}

/** They keep their own origin, and may not lead the page around them away. */
export const pagePermissions = {
  sandbox:
    "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads",
  allow: "autoplay; fullscreen; clipboard-write; payment",
  referrerpolicy: "strict-origin-when-cross-origin",
  loading: "lazy",
} as const
