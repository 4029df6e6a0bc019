/** The style sheets of chats, in order of precedence. */
import { css as adapted } from "./adapted.css"
import { css as chat } from "./chat.css"
import { css as choices } from "./choices.css"
import { css as conversation } from "./conversation.css"
import { css as files } from "./files.css"
import { css as inputs } from "./inputs.css"
import { css as rating } from "./rating.css"

export const chatStyles = [chat, conversation, inputs, choices, rating, files, adapted].join("\n")
