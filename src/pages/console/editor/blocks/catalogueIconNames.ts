/** The icons that the catalogue of blocks names; a test compares the two. */
export const catalogueIconNames = [
  ...[
    "app-window",
    "at-sign",
    "audio-lines",
    "blocks",
    "bot",
    "box",
    "bot-message-square",
    "calendar",
  ],
  ...["calendar-check", "chart-column", "chart-line", "chart-pie", "circle-alert"],
  ...["circle-question-mark", "clock", "code", "corner-down-right", "credit-card", "database"],
  ...["external-link", "file-text", "flag", "gallery-horizontal", "globe", "hash", "headset"],
  ...["hourglass", "image", "images", "list-checks", "mail", "mails", "megaphone"],
  ...["message-circle", "message-square-text", "messages-square", "phone", "play", "qr-code"],
  ...["reply", "ruler", "sheet", "shuffle", "sparkles", "split", "star", "sun", "target"],
  ...["terminal", "text-cursor-input", "timer", "undo-2", "upload", "variable", "video"],
  ...["volume-2", "webhook", "plug", "arrow-left-right", "cable", "workflow", "zap"],
] as const
