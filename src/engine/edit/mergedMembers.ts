/** The members of themes and settings that merges distinguish. */

const wordsOf = (names: string): readonly string[] => names.split(" ")

/**
 * Two levels of names: two edits conflict when both change the same member of the second level, such as
 * `theme.chat.inputs`. A test compares them with the schemas. They are listed, because an edit that removes
 * an object of the first level conflicts with those that add anything to it.
 */
export const mergedMembers: Readonly<
  Record<"theme" | "settings", Readonly<Record<string, readonly string[]>>>
> = {
  theme: {
    general: ["font", "background", "progressBar"],
    chat: wordsOf(
      "container hostAvatar guestAvatar hostBubbles guestBubbles buttons inputs roundness buttonsInput",
    ),
    customCss: [],
  },
  settings: {
    general: wordsOf(
      "language isBrandingEnabled isTypingEmulationEnabled isInputPrefillEnabled " +
        "isHideQueryParamsEnabled isNewResultOnRefreshEnabled isRestartEnabled isTool toolDescription " +
        "toolVariableIds rememberUser systemMessages",
    ),
    typingEmulation: wordsOf("enabled speed maxDelay delayBetweenBubbles isDisabledOnFirstMessage"),
    metadata: wordsOf(
      "title description imageUrl favIconUrl customHeadCode googleTagManagerId allowIndexing",
    ),
    whatsApp: wordsOf(
      "isEnabled startCondition sessionExpiryTimeout isWebhookForwardingEnabled " +
        "webhookForwardingEventTypes errorAndMarketingStatusWebhookForwardUrl",
    ),
    sessions: ["idleAfter", "expiresAfter", "collectSeconds", "retentionDays"],
    publicShare: ["isEnabled"],
    security: ["allowedOrigins"],
  },
}
