/** How the console looks: light, dark, or as the system. */
import type { IconName } from "./iconNames.ts"
import { defineTexts } from "./texts.ts"

export const looks = {
  light: "sun",
  dark: "moon",
  auto: "monitor",
} as const satisfies Record<string, IconName>

export const lookTexts = defineTexts({
  en: { light: "Light", dark: "Dark", auto: "As the system" },
  de: { light: "Hell", dark: "Dunkel", auto: "Wie das System" },
})
