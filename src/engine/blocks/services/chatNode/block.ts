/** ChatNode: sends a message to one of its bots. */
import { pick } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { bearer, json, request, segment } from "../../api.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import {
  actionOption,
  credentialsOption,
  itemMappingSchema,
  mapItems,
  refusal,
  serviceBlock,
} from "../serviceBlock.ts"

const chatNodeBlockSchema = blockSchemaOf("chat-node", {
  options: optional.named("ChatNodeOptions", "Message to a bot at ChatNode", {
    credentialsId: credentialsOption,
    action: actionOption(["Send Message"]),
    botId: optional.template("Id of the bot at ChatNode"),
    threadId: optional.template("Id of the conversation to continue"),
    message: optional.template("Message of the user"),
    responseMapping: itemMappingSchema(["Message", "Thread ID"]),
  }),
}).meta({ id: "ChatNodeBlock" })

export const chatNodeBlock = serviceBlock(chatNodeBlockSchema, {
  catalogue: {
    label: "ChatNode",
    description: "Passes a message to a ChatNode bot and keeps its answer",
    category: "ai",
    icon: "message-circle",
  },
  actions: {
    "Send Message": {
      activity: "While asking ChatNode",
      run: (action) => {
        const { botId, message, threadId } = action.options
        if (!botId) return refusal("No bot is given")
        if (!message) return refusal("No message is given")
        return request(action, {
          method: "POST",
          url: `https://api.public.chatnode.ai/v1/${segment(botId)}`,
          headers: [bearer()],
          body: json({ message, ...nonEmpty({ chat_session_id: threadId }) }),
        })
      },
      resume: {
        http: ({ options }, { data }) => ({
          set: mapItems(options.responseMapping, "Message", {
            Message: pick(data, "message"),
            "Thread ID": pick(data, "chat_session_id"),
          }),
        }),
      },
    },
  },
})
