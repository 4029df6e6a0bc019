/** Blink: reads users, sends cards to their feeds, and opens pages in its app. */
import { type ActionContext, refusal, type ServiceStep, serviceBlock } from "../service.ts"
import { sendFeedEvent } from "./feedEvent.ts"
import { type BlinkOptions, blinkBlockSchema } from "./schema.ts"
import { getUsers } from "./users.ts"

export const blinkBlock = serviceBlock(blinkBlockSchema, {
  catalogue: {
    label: "Blink",
    description: "Reads users of Blink, posts to their feeds, or opens a page in its app",
    category: "communication",
    icon: "megaphone",
    messengers: "reduced",
  },
  actions: {
    "Get Users": getUsers,
    "Send Feed Event": sendFeedEvent,
    Redirect: { run: redirect },
  },
})

/** Leaves the frame of the chat where the app allows it, else opens a window. */
const redirectCode = `try {
  window.top.location.href = url
} catch {
  window.open(url, "_blank")
}`

function redirect({ options }: ActionContext<BlinkOptions>): ServiceStep {
  const { url } = options
  if (!url) return refusal("No address is given")
  if (!/^(https?|blink):/i.test(url)) return refusal("The address cannot be opened")
  const codeToExecute = { args: { url }, content: redirectCode }
  return { act: [{ type: "codeToExecute", codeToExecute }] }
}
