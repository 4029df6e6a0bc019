/** The icons of the chat itself. */
import type { VNode } from "preact"

const outline = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 2,
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
} as const

/** Makes an icon from its path in a box of 24 by 24. */
function icon(path: string, paint: object = outline): () => VNode {
  return () => (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path {...paint} d={path} />
    </svg>
  )
}

export const StarIcon = icon(
  "M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5-4.7-4.6 6.5-.9z",
  { fill: "currentColor" },
)

export const SearchIcon = icon("M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12l4.5 4.5")

export const ClipIcon = icon(
  "M20 11.5l-8.2 8.2a5 5 0 0 1-7-7L13 4.4a3.3 3.3 0 0 1 4.7 4.7l-8.2 8.2a1.7 1.7 0 0 1-2.4-2.4l7.6-7.5",
)

export const FileIcon = icon("M14 3H5.5v18h13V7.5zm0 0v4.5h4.5M9 13h6M9 17h6")

export const CheckIcon = icon("M5 12.5l4.5 4.5L19 7.5")

export const CloseIcon = icon("M6 6l12 12M18 6L6 18")

export const SpeechIcon = icon(
  "M21 11.500a8.4 8.4 0 0 1-12.2 7.500L3.5 20.5 5 15.300A8.4 8.4 0 1 1 21 11.500z",
)

export const MicrophoneIcon = icon(
  "M12 3.5a2.8 2.8 0 0 1 2.8 2.8v5a2.8 2.8 0 0 1-5.6 0v-5A2.8 2.8 0 0 1 12 3.5zM6 11.5a6 6 0 0 0 12 0M12 17.5v3",
)

export const UploadIcon = icon(
  "M12 16V4m0 0L7.5 8.5M12 4l4.5 4.5M4 16v3a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 19v-3",
)

export const BotIcon = icon(
  "M12 3.5v3M6.5 6.5h11a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2zM9.5 11.5v1M14.5 11.5v1M9.5 15.5c1.5 1 3.5 1 5 0",
)

export const PersonIcon = icon(
  "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5",
)
