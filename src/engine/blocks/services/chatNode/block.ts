/** ChatNode: says something to a bot there. */

import { pick } from "../../../foreignJson.ts"
import { nonEmpty } from "../../../presentMembers.ts"
import { bearer, json, request } from "../../api.ts"
import { mapItems, refusal, serviceBlock, withData } from "../service.ts"
import { type ChatNodeOptions, chatNodeBlockSchema } from "./schema.ts"

export const chatNodeBlock = serviceBlock(chatNodeBlockSchema, {
  "Send Message": {
    run: (action) => {
      const { botId, message, threadId } = action.options
      if (!botId) return refusal("No bot is given")
      if (!message) return refusal("No message is given")
      return request(action, {
        method: "POST",
        url: `https://api.public.chatnode.ai/v1/${encodeURIComponent(botId)}`,
        headers: [bearer()],
        body: json({ message, ...nonEmpty({ chat_session_id: threadId }) }),
      })
    },
    resume: {
      http: withData<ChatNodeOptions>("While asking ChatNode", ({ options }, data) => ({
        set: mapItems(options.responseMapping, "Message", {
          Message: pick(data, "message"),
          "Thread ID": pick(data, "chat_session_id"),
        }),
      })),
    },
  },
})
