/** Blink: reads users, sends cards to their feeds, and opens pages in its app. */
import type { Action, Step } from "../../block.ts"
import { actWithCredential, needsAccount, refusal, type Visit } from "../service.ts"
import { sendFeedEvent, sentFeedEvent } from "./feedEvent.ts"
import { type BlinkBlock, type BlinkOptions, blinkBlockSchema } from "./schema.ts"
import { getUsers, gotUsers } from "./users.ts"

export const blinkBlock: Action<BlinkBlock, "http"> = {
  kind: "action",
  schema: blinkBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) =>
    actWithCredential<BlinkOptions, "http">(block, context, {
      "Get Users": getUsers,
      "Send Feed Event": sendFeedEvent,
      Redirect: redirect,
    }),
  resume: {
    http: (block, outcome, context) =>
      actWithCredential<BlinkOptions, "http">(block, context, {
        "Get Users": (visit) => gotUsers(visit, outcome),
        "Send Feed Event": (visit) => sentFeedEvent(visit, outcome),
      }),
  },
}

/** Leaves the frame of the chat where the app allows it, else opens a window. */
const redirectCode = `try {
  window.top.location.href = url
} catch {
  window.open(url, "_blank")
}`

function redirect({ options }: Visit<BlinkOptions>): Step {
  const { url } = options
  if (!url) return refusal("No address is given")
  if (!/^(https?|blink):/i.test(url)) return refusal("The address cannot be opened")
  const codeToExecute = { args: { url }, content: redirectCode }
  return { act: [{ type: "codeToExecute", codeToExecute }] }
}
