/** A flow with every member that seed.json knows, for the live half of the contract test. */

const at = { x: 1.5, y: -2 }

const box = {
  backgroundColor: "#ffffff",
  color: "#111111",
  blur: 2,
  opacity: 0.5,
  shadow: "none",
  border: {
    thickness: 1,
    color: "#222222",
    roundeness: "none",
    customRoundeness: 3,
    opacity: 0.9,
  },
}

export const theme = {
  general: {
    font: "Open Sans",
    background: { type: "Color", content: "{{Colour}}" },
    progressBar: {
      isEnabled: true,
      color: "#333333",
      backgroundColor: "#444444",
      placement: "Top",
      thickness: 4,
      position: "fixed",
    },
  },
  chat: {
    container: { ...box, maxWidth: "800px", maxHeight: "100%" },
    hostAvatar: { isEnabled: true, url: "{{Host}}" },
    guestAvatar: { isEnabled: true, url: "{{Guest}}" },
    hostBubbles: box,
    guestBubbles: box,
    buttons: box,
    inputs: { ...box, placeholderColor: "#555555" },
    roundness: "none",
    buttonsInput: { layout: "wrap" },
  },
  customCss: ".bubble { color: red }",
}

export const settings = {
  general: {
    isBrandingEnabled: true,
    isTypingEmulationEnabled: true,
    isInputPrefillEnabled: true,
    isHideQueryParamsEnabled: true,
    isNewResultOnRefreshEnabled: false,
    rememberUser: { isEnabled: true, storage: "session" },
    systemMessages: {
      invalidMessage: "Once more?",
      botClosed: "Closed",
      popupBlockedDescription: "A pop-up was blocked",
      popupBlockedButtonLabel: "Open it",
      fileUploadError: "Not uploaded",
      fileUploadSizeError: "Too large",
      whatsAppPictureChoiceSelectLabel: "Select",
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
    title: "Title",
    description: "Description",
    imageUrl: "https://example.com/image.png",
    favIconUrl: "https://example.com/icon.png",
    customHeadCode: "<meta name='a' content='b'>",
    googleTagManagerId: "GTM-1",
  },
  whatsApp: {
    isEnabled: true,
    startCondition: {
      logicalOperator: "OR",
      comparisons: [{ id: "c1", comparisonOperator: "Equal to", value: "hello" }],
    },
    sessionExpiryTimeout: 1.5,
  },
  publicShare: { isEnabled: true },
  security: { allowedOrigins: ["https://example.com"] },
}

export const resultsTablePreferences = {
  columnsOrder: ["vName", "createdAt"],
  columnsVisibility: { createdAt: false },
  columnsWidth: { vName: 180 },
}

const say = (id: string, text: string) => ({
  id,
  type: "text",
  content: { richText: [{ type: "p", children: [{ text }] }] },
})

/** A text, a client-side script, two things that fail and are logged, and an input with all options. */
const round = (number: number, last: object = {}) => [
  say(`t${number}`, "Hi {{Name}}"),
  { id: `c${number}`, type: "Code", options: { content: "alert({{Name}})" } },
  { id: `l${number}`, type: "Bot link", options: { botId: "nobody" } },
  {
    id: `s${number}`,
    type: "Code",
    options: { content: "throw new Error('no')", isExecutedOnClient: false },
  },
  {
    id: `i${number}`,
    type: "text input",
    options: {
      variableId: "vName",
      labels: { placeholder: "Type here", button: "Send" },
      isLong: true,
      audioClip: { isEnabled: true, saveVariableId: "vClip", visibility: "Auto" },
      attachments: { isEnabled: true, saveVariableId: "vFiles", visibility: "Auto" },
    },
    ...last,
  },
]

const group = (id: string, ...blocks: object[]) => ({
  id,
  title: id.toUpperCase(),
  graphCoordinates: at,
  blocks,
})

/** Rounds around an e-mail input; group `asksClient` waits for the client instead. */
export const flow = {
  version: "6",
  events: [{ id: "ev", type: "start", outgoingEdgeId: "e1", graphCoordinates: at }],
  groups: [
    group("first", ...round(1, { outgoingEdgeId: "e2" })),
    group(
      "second",
      { id: "mail", type: "email input", options: {} },
      ...round(2, { outgoingEdgeId: "e3" }),
    ),
    group("asksClient", {
      id: "ask",
      type: "Set variable",
      options: {
        variableId: "vName",
        expressionToEvaluate: "location.href",
        isExecutedOnClient: true,
      },
    }),
    // Version 6 has no use for a start block, but what is stored is kept.
    group("old", { id: "was", type: "start", label: "Start", outgoingEdgeId: "e2" }),
  ],
  edges: [
    { id: "e1", from: { eventId: "ev" }, to: { groupId: "first" } },
    {
      id: "e2",
      from: { blockId: "i1", itemId: "item", pathId: "path" },
      to: { groupId: "second", blockId: "mail" },
    },
    { id: "e3", from: { blockId: "i2" }, to: { groupId: "asksClient" } },
  ],
  variables: [
    { id: "vName", name: "Name", isSessionVariable: false, value: "Ann" },
    { id: "vClip", name: "Clip" },
    { id: "vFiles", name: "Files" },
    { id: "vHost", name: "Host", value: "https://example.com/host.png" },
    { id: "vGuest", name: "Guest", value: "https://example.com/guest.png" },
    { id: "vColour", name: "Colour", value: "#abcdef" },
  ],
  theme,
  settings,
}
