/** The style sheets of chats, in order of precedence. */
import { css as chat } from "./chat.css"
import { css as choices } from "./choices.css"
import { css as conversation } from "./conversation.css"
import { css as files } from "./files.css"
import { css as forcedColors } from "./forcedColors.css"
import { css as inputs } from "./inputs.css"
import { css as motion } from "./motion.css"
import { css as narrow } from "./narrow.css"
import { css as notices } from "./notices.css"
import { css as rating } from "./rating.css"

/** The last three override the others: on narrow screens, and for people who prefer no motion or few colours. */
export const chatStyles = [
  chat,
  conversation,
  notices,
  inputs,
  choices,
  rating,
  files,
  narrow,
  motion,
  forcedColors,
].join("\n")
