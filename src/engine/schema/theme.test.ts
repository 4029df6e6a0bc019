/** Themes and settings keep all members as sent, and refuse unusable values. */
import { expect, test } from "vitest"
import { resultsTablePreferencesSchema } from "./resultsTablePreferences.ts"
import { settingsSchema } from "./settings.ts"
import { themeSchema } from "./theme.ts"

const border = {
  thickness: 1,
  color: "#fff",
  roundeness: "custom",
  customRoundeness: 5,
  opacity: 0.5,
}
const box = { backgroundColor: "#fff", color: "#000", blur: 0, opacity: 0.5, shadow: "2xl", border }
const avatar = { isEnabled: true, url: "{{Avatar}}" }

test("a theme keeps every member under its spelling", () => {
  const theme = {
    general: {
      font: { type: "Custom", family: "F", css: "@font-face{}", url: "u" },
      background: { type: "Color", content: "#fff" },
      progressBar: {
        isEnabled: true,
        color: "#fff",
        backgroundColor: "#000",
        placement: "Top",
        thickness: 4,
        position: "fixed",
      },
    },
    chat: {
      container: { ...box, maxWidth: "800px", maxHeight: "100%" },
      hostAvatar: avatar,
      guestAvatar: avatar,
      hostBubbles: box,
      guestBubbles: box,
      buttons: box,
      inputs: { ...box, placeholderColor: "#999" },
      roundness: "none",
      buttonsInput: { layout: "wrap" },
    },
    customCss: ".a{}",
  }
  expect(themeSchema.parse(theme)).toEqual(theme)
  expect(themeSchema.parse({ general: { font: "Inter" } })).toEqual({ general: { font: "Inter" } })
  const google = { general: { font: { type: "Google", family: "Inter" } } }
  expect(themeSchema.parse(google)).toEqual(google)
})

test("settings keep every member under its spelling", () => {
  const settings = {
    general: {
      isBrandingEnabled: true,
      isTypingEmulationEnabled: true,
      isInputPrefillEnabled: true,
      isHideQueryParamsEnabled: true,
      isNewResultOnRefreshEnabled: true,
      rememberUser: { isEnabled: true, storage: "session" },
      systemMessages: {
        invalidMessage: "a",
        botClosed: "b",
        popupBlockedTitle: "c",
        popupBlockedDescription: "d",
        popupBlockedButtonLabel: "e",
        fileUploadError: "f",
        fileUploadSizeError: "g",
        networkErrorTitle: "h",
        networkErrorMessage: "i",
        whatsAppPictureChoiceSelectLabel: "j",
      },
    },
    typingEmulation: {
      enabled: true,
      speed: 400,
      maxDelay: 3,
      delayBetweenBubbles: 0.5,
      isDisabledOnFirstMessage: true,
    },
    metadata: {
      title: "t",
      description: "d",
      imageUrl: "i",
      favIconUrl: "f",
      customHeadCode: "<meta>",
      googleTagManagerId: "GTM",
      allowIndexing: true,
    },
    whatsApp: {
      isEnabled: true,
      startCondition: {
        logicalOperator: "OR",
        comparisons: [{ id: "c", comparisonOperator: "Equal to", value: "hi" }],
      },
      sessionExpiryTimeout: 0.5,
      isWebhookForwardingEnabled: true,
      webhookForwardingEventTypes: ["errorStatuses"],
      errorAndMarketingStatusWebhookForwardUrl: "u",
    },
    publicShare: { isEnabled: true },
    security: { allowedOrigins: ["https://a.b"] },
  }
  expect(settingsSchema.parse(settings)).toEqual(settings)
})

test("13.2 defaults are not filled in and unknown members are dropped", () => {
  expect(themeSchema.parse({ chat: {}, other: 1 })).toEqual({ chat: {} })
  expect(settingsSchema.parse({ general: { other: 1 } })).toEqual({ general: {} })
})

test("too much code and impossible numbers are refused", () => {
  const long = "x".repeat(100_001)
  expect(themeSchema.safeParse({ customCss: long }).success).toBe(false)
  expect(settingsSchema.safeParse({ metadata: { customHeadCode: long } }).success).toBe(false)
  expect(themeSchema.safeParse({ chat: { buttons: { opacity: 2 } } }).success).toBe(false)
  expect(settingsSchema.safeParse({ typingEmulation: { delayBetweenBubbles: 6 } }).success).toBe(
    false,
  )
})

test("an empty list of column widths is read as an empty map", () => {
  const preferences = { columnsOrder: ["a"], columnsVisibility: { a: false } }
  expect(resultsTablePreferencesSchema.parse({ ...preferences, columnsWidth: [] })).toEqual({
    ...preferences,
    columnsWidth: {},
  })
  expect(resultsTablePreferencesSchema.parse({})).toEqual({
    columnsOrder: [],
    columnsVisibility: {},
    columnsWidth: {},
  })
  expect(
    resultsTablePreferencesSchema.safeParse({ ...preferences, columnsWidth: ["a"] }).success,
  ).toBe(false)
})
