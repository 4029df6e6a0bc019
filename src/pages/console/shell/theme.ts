/** The look of the console: one accent, quiet greys, small steps. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core"

const accent: MantineColorsTuple = [
  "#eef1fd",
  "#dbe1fa",
  "#b4c0f5",
  "#8b9df1",
  "#687fee",
  "#526ced",
  "#4561e6",
  "#3550d8",
  "#2b45bd",
  "#1f389f",
]

/** Close to black and a little blue, so that cards stand out from the page in the dark, too. */
const dark: MantineColorsTuple = [
  "#d5d8e0",
  "#b3b8c4",
  "#8f95a5",
  "#6a7080",
  "#454b59",
  "#323743",
  "#252a34",
  "#1b1f28",
  "#14171e",
  "#0f1116",
]

/** White on its filled shades can be read. */
const red: MantineColorsTuple = [
  "#fff5f5",
  "#ffe3e3",
  "#ffc9c9",
  "#ffa8a8",
  "#ff8787",
  "#f25c5c",
  "#dc2f2f",
  "#d12b2b",
  "#bd2525",
  "#a31f1f",
]

export const theme = createTheme({
  colors: { accent, dark, red },
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 6 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: "600" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
  // Plain objects, so that the first view does not load what only others show.
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
    Badge: { defaultProps: { variant: "light", tt: "none", fw: 500 } },
    Button: { defaultProps: { fw: 500 } },
    // Every view begins at the same edge.
    Container: { defaultProps: { size: "72rem", px: { base: "md", sm: "xl" }, py: "xl" } },
    Menu: { defaultProps: { shadow: "md", withinPortal: true } },
    Modal: { defaultProps: { centered: true, overlayProps: { blur: 2 } } },
    Paper: { defaultProps: { radius: "md" } },
    Popover: { defaultProps: { shadow: "md" } },
    // Reached by keyboard, what does not fit is scrolled by its arrows.
    TableScrollContainer: {
      defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } },
    },
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
})

/** Where the kit's colours of quiet texts have too little contrast (WCAG 2.2, 1.4.3), those that have enough. */
export const contrasts: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5d6472",
    "--mantine-color-placeholder": "#6b7280",
    "--mantine-color-error": "#c0262d",
    "--mantine-color-green-light-color": "#1c6630",
    "--mantine-color-yellow-light-color": "#7d5200",
    "--mantine-color-orange-light-color": "#8f4300",
    "--mantine-color-red-light-color": "#a61e24",
    "--mantine-color-gray-light-color": "#495057",
  },
  dark: {
    "--mantine-color-dimmed": "#9aa1b1",
    "--mantine-color-placeholder": "#8e95a5",
    "--mantine-color-error": "#ff9a9a",
  },
})
