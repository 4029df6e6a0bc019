/**
 * The themes that every workspace can start from. Texts have the contrast of WCAG 2.2 AA on the chat page:
 * `src/pages/chat/theme/builtInThemes.test.ts` computes it for all that the page draws.
 */
import type { Flow } from "../engine/bot.ts"

type Theme = Flow["theme"]

export type BuiltInTheme = { id: string; name: string; theme: Theme }

/** A theme in a few colours. The font must be on the visitor's device: nothing is loaded from others. */
type Palette = {
  id: string
  name: string
  /** Messages of visitors, and buttons. */
  accent: { fill: string; text: string }
  /** The page, messages of the bot, and texts on both; absent: light or dark, from the visitor's device. */
  tones?: { text: string; page?: string; host: string }
  /** Fields, which have the same text. */
  field?: { fill: string; hint: string; line: string }
  /** Absent: as buttons. */
  progress?: string
  font?: string
  roundness?: "none" | "large"
  /** The colour of the page behind a white card with the messages. */
  behind?: string
}

const white = "#ffffff"

function painted({ accent, tones, field, progress, font, roundness, behind }: Palette): Theme {
  const pressed = { backgroundColor: accent.fill, color: accent.text }
  const page = behind ?? tones?.page
  return {
    general: {
      background: page ? { type: "Color", content: page } : { type: "None" },
      progressBar: { color: progress ?? accent.fill },
      ...(font && { font }),
    },
    chat: {
      ...(tones?.page && { container: { color: tones.text } }),
      ...(tones && { hostBubbles: { backgroundColor: tones.host, color: tones.text } }),
      guestBubbles: pressed,
      buttons: pressed,
      ...(field && {
        inputs: {
          backgroundColor: field.fill,
          color: tones?.text,
          placeholderColor: field.hint,
          border: { color: field.line, thickness: 1 },
        },
      }),
      ...(behind && { container: card }),
      ...(roundness && { roundness }),
    },
  }
}

const card = {
  backgroundColor: white,
  color: "#1c2230",
  shadow: "xl",
  border: { roundeness: "large" },
  maxWidth: "640px",
  maxHeight: "88%",
} as const

const palettes: readonly Palette[] = [
  {
    id: "light-or-dark",
    name: "Light or dark",
    progress: "#5573f5",
    accent: { fill: "#445de0", text: white },
  },
  {
    id: "light-or-dark-green",
    name: "Light or dark, green",
    progress: "#2a9a63",
    accent: { fill: "#1f7a4d", text: white },
  },
  {
    id: "black-and-white",
    name: "Black and white",
    roundness: "none",
    accent: { fill: "#000000", text: white },
    tones: { text: "#000000", page: white, host: "#f0f0f0" },
    field: { fill: white, hint: "#4d4d4d", line: "#000000" },
  },
  {
    id: "ocean",
    name: "Ocean",
    accent: { fill: "#0b6a94", text: white },
    tones: { text: "#0f2b3a", page: "#f3f9fc", host: "#dceef6" },
    field: { fill: white, hint: "#4b6573", line: "#5b8499" },
  },
  {
    id: "forest",
    name: "Forest",
    accent: { fill: "#2b6b3f", text: white },
    tones: { text: "#1b2d20", page: "#f6faf4", host: "#e0eddc" },
    field: { fill: white, hint: "#52645a", line: "#6f8b79" },
  },
  {
    id: "sand",
    name: "Warm sand",
    accent: { fill: "#9a4a1c", text: white },
    tones: { text: "#33291c", page: "#fbf8f2", host: "#f1e7d6" },
    field: { fill: white, hint: "#6b6053", line: "#98836a" },
  },
  {
    id: "rose",
    name: "Rose",
    roundness: "large",
    accent: { fill: "#a82352", text: white },
    tones: { text: "#3a1822", page: "#fff7f9", host: "#fbe3ea" },
    field: { fill: white, hint: "#735560", line: "#ab7b8a" },
  },
  {
    id: "lavender-card",
    name: "Card on lavender",
    roundness: "large",
    behind: "#d9d2f0",
    accent: { fill: "#5b3fb0", text: white },
    tones: { text: "#271f3f", host: "#efebfa" },
    field: { fill: white, hint: "#5f5876", line: "#8579ab" },
  },
  {
    id: "sunset-card",
    name: "Card on sunset",
    roundness: "large",
    behind: "#f2a679",
    accent: { fill: "#b13a12", text: white },
    tones: { text: "#3b1d10", host: "#fdeee4" },
    field: { fill: white, hint: "#6f574c", line: "#a98168" },
  },
  {
    id: "newspaper",
    name: "Newspaper",
    font: "Georgia",
    roundness: "none",
    accent: { fill: "#33302b", text: "#fbfaf6" },
    tones: { text: "#1d1b18", page: "#fbfaf6", host: "#fbfaf6" },
    field: { fill: "#fbfaf6", hint: "#5c5850", line: "#7c776d" },
  },
  {
    id: "night",
    name: "Night",
    accent: { fill: "#8fb4ff", text: "#101522" },
    tones: { text: "#eceff6", page: "#14171e", host: "#262b36" },
    field: { fill: "#1b1f28", hint: "#a7b0c2", line: "#77829a" },
  },
  {
    id: "midnight",
    name: "Midnight blue",
    roundness: "large",
    accent: { fill: "#f5c451", text: "#1f1803" },
    tones: { text: "#e6ecf8", page: "#0d1830", host: "#1b2a4a" },
    field: { fill: "#13203c", hint: "#a9b6cf", line: "#7386ab" },
  },
  {
    id: "ember",
    name: "Ember",
    accent: { fill: "#ff9f6e", text: "#2a1208" },
    tones: { text: "#f7ece8", page: "#1c1413", host: "#33231f" },
    field: { fill: "#241a18", hint: "#c7aca3", line: "#97786d" },
  },
  {
    id: "terminal",
    name: "Terminal",
    font: "Courier New",
    roundness: "none",
    accent: { fill: "#59e07a", text: "#06210d" },
    tones: { text: "#c9f5d0", page: "#0b100c", host: "#0b100c" },
    field: { fill: "#0f1711", hint: "#8fc29a", line: "#5f9a6c" },
  },
]

/** The themes, in the order in which editors show them. */
export const builtInThemes: readonly BuiltInTheme[] = palettes.map((palette) => {
  const { id, name } = palette
  return { id, name, theme: painted(palette) }
})

export function builtInTheme(id: string): BuiltInTheme | undefined {
  return builtInThemes.find((each) => each.id === id)
}
