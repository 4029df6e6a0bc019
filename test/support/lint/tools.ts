/** Examples for the rules about bots that assistants call. */
import { ask, bot, group, idOf } from "../bots.ts"
import { type Examples, hello } from "./examples.ts"

const tool = (general: object) => ({ settings: { general: { isTool: true, ...general } } })
const described = { toolDescription: "Finds orders by their number" }
const asking = group("A", ask.text({ saves: "Number" }))

/** By rule. */
export const tools: Record<string, Examples> = {
  "incomplete-tool": {
    fails: [
      [bot(tool({}), hello), "/settings/general"],
      [bot(tool({ toolDescription: "  " }), hello), "/settings/general"],
      [
        bot(
          {
            sessionVariables: ["Number"],
            ...tool({ ...described, toolVariableIds: [idOf("Number")] }),
          },
          asking,
        ),
        "/settings/general/toolVariableIds/0",
      ],
    ],
    passes: [
      bot(hello),
      bot(tool({ ...described, toolVariableIds: [idOf("Number")] }), asking),
      // Never filled in.
      bot(tool({ toolDescription: "Fills in {{names}}" }), hello),
    ],
  },
}
