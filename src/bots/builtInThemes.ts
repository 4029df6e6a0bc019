/**
 * The themes that every workspace can start from. Texts have the contrast of WCAG 2.2 AA on the chat page:
 * `src/pages/chat/theme/builtInThemes.test.ts` computes it for all that the page draws.
 */
import type { Flow } from "../engine/bot.ts"

type Theme = Flow["theme"]

/** A theme that nobody can change. */
export type BuiltInTheme = { id: string; name: string; theme: Theme }

/** Colours of one side of the conversation, or of something to press. */
type Paint = { fill: string; text: string }

type Palette = {
  /** Behind the messages; absent: light or dark, as the visitor's device is. */
  page?: Paint
  /** What the bot says; absent: a shade of grey that suits the page. */
  host?: Paint
  /** What visitors say, and what they press. */
  accent: Paint
  /** Fields; absent: those of the page. */
  field?: Paint & { hint: string; line: string }
}

const white = "#ffffff"

/** A theme made of a few colours. The font must be on the visitor's device: nothing is loaded from others. */
function painted({ page, host, accent, field }: Palette, more: Theme = {}): Theme {
  const box = ({ fill, text }: Paint) => ({ backgroundColor: fill, color: text })
  return {
    general: {
      background: page ? { type: "Color", content: page.fill } : { type: "None" },
      progressBar: { color: accent.fill },
      ...more.general,
    },
    chat: {
      ...(page && { container: { color: page.text } }),
      ...(host && { hostBubbles: box(host) }),
      guestBubbles: box(accent),
      buttons: box(accent),
      ...(field && {
        inputs: {
          ...box(field),
          placeholderColor: field.hint,
          border: { color: field.line, thickness: 1 },
        },
      }),
      ...more.chat,
    },
  }
}

/** A white card in front of a coloured page. */
function onCard(behind: string, palette: Palette): Theme {
  const border = { roundeness: "large" } as const
  const container = {
    ...({ backgroundColor: white, color: "#1c2230", shadow: "xl", border } as const),
    ...{ maxWidth: "640px", maxHeight: "88%" },
  }
  const background = { type: "Color", content: behind } as const
  return painted(palette, {
    general: { background },
    chat: { container, roundness: "large" },
  })
}

/** In the order in which editors show them. */
export const builtInThemes: readonly BuiltInTheme[] = [
  {
    id: "light-or-dark",
    name: "Light or dark",
    theme: painted(
      { accent: { fill: "#445de0", text: white } },
      { general: { progressBar: { color: "#5573f5" } } },
    ),
  },
  {
    id: "light-or-dark-green",
    name: "Light or dark, green",
    theme: painted(
      { accent: { fill: "#1f7a4d", text: white } },
      { general: { progressBar: { color: "#2a9a63" } } },
    ),
  },
  {
    id: "black-and-white",
    name: "Black and white",
    theme: painted(
      {
        page: { fill: white, text: "#000000" },
        host: { fill: "#f0f0f0", text: "#000000" },
        accent: { fill: "#000000", text: white },
        field: { fill: white, text: "#000000", hint: "#4d4d4d", line: "#000000" },
      },
      { chat: { roundness: "none" } },
    ),
  },
  {
    id: "ocean",
    name: "Ocean",
    theme: painted({
      page: { fill: "#f3f9fc", text: "#0f2b3a" },
      host: { fill: "#dceef6", text: "#0f2b3a" },
      accent: { fill: "#0b6a94", text: white },
      field: { fill: white, text: "#0f2b3a", hint: "#4b6573", line: "#5b8499" },
    }),
  },
  {
    id: "forest",
    name: "Forest",
    theme: painted({
      page: { fill: "#f6faf4", text: "#1b2d20" },
      host: { fill: "#e0eddc", text: "#1b2d20" },
      accent: { fill: "#2b6b3f", text: white },
      field: { fill: white, text: "#1b2d20", hint: "#52645a", line: "#6f8b79" },
    }),
  },
  {
    id: "sand",
    name: "Warm sand",
    theme: painted({
      page: { fill: "#fbf8f2", text: "#33291c" },
      host: { fill: "#f1e7d6", text: "#33291c" },
      accent: { fill: "#9a4a1c", text: white },
      field: { fill: white, text: "#33291c", hint: "#6b6053", line: "#98836a" },
    }),
  },
  {
    id: "rose",
    name: "Rose",
    theme: painted(
      {
        page: { fill: "#fff7f9", text: "#3a1822" },
        host: { fill: "#fbe3ea", text: "#3a1822" },
        accent: { fill: "#a82352", text: white },
        field: { fill: white, text: "#3a1822", hint: "#735560", line: "#ab7b8a" },
      },
      { chat: { roundness: "large" } },
    ),
  },
  {
    id: "lavender-card",
    name: "Card on lavender",
    theme: onCard("#d9d2f0", {
      host: { fill: "#efebfa", text: "#271f3f" },
      accent: { fill: "#5b3fb0", text: white },
      field: { fill: white, text: "#271f3f", hint: "#5f5876", line: "#8579ab" },
    }),
  },
  {
    id: "sunset-card",
    name: "Card on sunset",
    theme: onCard("#f2a679", {
      host: { fill: "#fdeee4", text: "#3b1d10" },
      accent: { fill: "#b13a12", text: white },
      field: { fill: white, text: "#3b1d10", hint: "#6f574c", line: "#a98168" },
    }),
  },
  {
    id: "newspaper",
    name: "Newspaper",
    theme: painted(
      {
        page: { fill: "#fbfaf6", text: "#1d1b18" },
        host: { fill: "#fbfaf6", text: "#1d1b18" },
        accent: { fill: "#33302b", text: "#fbfaf6" },
        field: { fill: "#fbfaf6", text: "#1d1b18", hint: "#5c5850", line: "#7c776d" },
      },
      { general: { font: "Georgia" }, chat: { roundness: "none" } },
    ),
  },
  {
    id: "night",
    name: "Night",
    theme: painted({
      page: { fill: "#14171e", text: "#eceff6" },
      host: { fill: "#262b36", text: "#eceff6" },
      accent: { fill: "#8fb4ff", text: "#101522" },
      field: { fill: "#1b1f28", text: "#eceff6", hint: "#a7b0c2", line: "#77829a" },
    }),
  },
  {
    id: "midnight",
    name: "Midnight blue",
    theme: painted(
      {
        page: { fill: "#0d1830", text: "#e6ecf8" },
        host: { fill: "#1b2a4a", text: "#e6ecf8" },
        accent: { fill: "#f5c451", text: "#1f1803" },
        field: { fill: "#13203c", text: "#e6ecf8", hint: "#a9b6cf", line: "#7386ab" },
      },
      { chat: { roundness: "large" } },
    ),
  },
  {
    id: "ember",
    name: "Ember",
    theme: painted({
      page: { fill: "#1c1413", text: "#f7ece8" },
      host: { fill: "#33231f", text: "#f7ece8" },
      accent: { fill: "#ff9f6e", text: "#2a1208" },
      field: { fill: "#241a18", text: "#f7ece8", hint: "#c7aca3", line: "#97786d" },
    }),
  },
  {
    id: "terminal",
    name: "Terminal",
    theme: painted(
      {
        page: { fill: "#0b100c", text: "#c9f5d0" },
        host: { fill: "#0b100c", text: "#c9f5d0" },
        accent: { fill: "#59e07a", text: "#06210d" },
        field: { fill: "#0f1711", text: "#c9f5d0", hint: "#8fc29a", line: "#5f9a6c" },
      },
      { general: { font: "Courier New" }, chat: { roundness: "none" } },
    ),
  },
]

/** Finds a theme that is built in. */
export function builtInTheme(id: string): BuiltInTheme | undefined {
  return builtInThemes.find((each) => each.id === id)
}
