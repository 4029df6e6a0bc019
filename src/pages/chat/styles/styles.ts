/** The style sheets of chats, in the order in which they count. */
import { css as chat } from "./chat.css"
import { css as choices } from "./choices.css"
import { css as conversation } from "./conversation.css"
import { css as files } from "./files.css"
import { css as inputs } from "./inputs.css"
import { css as motion } from "./motion.css"
import { css as narrow } from "./narrow.css"
import { css as notices } from "./notices.css"
import { css as rating } from "./rating.css"

/** Last come those that take back, on narrow screens and for people who want no motion. */
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
].join("\n")
