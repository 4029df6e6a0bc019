/** MCP: calls a tool of a server that speaks the Model Context Protocol, and stores its result. */

import { readJson } from "../../../../lib/foreignJson.ts"
import { spend } from "../../../budget/fuel.ts"
import type { McpToolAsk } from "../../../calls.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate, tokenValue } from "../../../variables/interpolate.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import {
  type ActionOf,
  actionOption,
  calling,
  credentialsOption,
  itemMappingSchema,
  mapItems,
  outcomeItem,
  refusal,
  serviceBlock,
} from "../serviceBlock.ts"

const mcpBlockSchema = blockSchemaOf("mcp", {
  options: optional.named("McpOptions", "Options of a call of a tool", {
    credentialsId: credentialsOption,
    action: actionOption(["Call Tool"]),
    tool: optional.hinted("Name of the tool", { tool: true }),
    arguments: optional.entries("Arguments of the tool; empty ones are left out", {
      name: optional.hinted("Name of the argument", { argument: true }),
      value: optional.template("Value; a list or an object as JSON, or a variable with a list"),
    }),
    responseMapping: itemMappingSchema(["Text", "Data", outcomeItem]),
  }),
}).meta({ id: "McpBlock" })

type McpAction = ActionOf<typeof mcpBlockSchema>

export const mcpBlock = serviceBlock(mcpBlockSchema, {
  catalogue: {
    label: "MCP tool",
    description: "Calls a tool of an MCP server and keeps its result",
    category: "ai",
    icon: "plug",
  },
  // Visitors must not choose which tool is called, or with which arguments.
  unfilled: ["tool", "name"],
  actions: {
    "Call Tool": {
      activity: "While calling the tool",
      run: (action) => {
        const { credential, raw } = action
        if (!raw.tool) return refusal("No tool is given")
        return calling({
          kind: "mcpTool",
          credential,
          tool: raw.tool,
          arguments: argumentsOf(action),
        })
      },
      resume: {
        mcpTool: ({ options }, { text, data = jsonIn(text) }) => ({
          set: mapItems(options.responseMapping, "Text", { Text: text, Data: data }),
        }),
      },
    },
  },
})

function argumentsOf({ raw, context }: McpAction): McpToolAsk["arguments"] {
  return (raw.arguments ?? []).flatMap(({ name, value }): McpToolAsk["arguments"] => {
    const list = tokenValue(value, context)
    const given = Array.isArray(list) ? list : interpolate(value, context)
    if (!name || given.length === 0) return []
    spend(context.fuel, given.length)
    return [[name, given]]
  })
}

/** The value of a text that is JSON; undefined: words. */
function jsonIn(text: string): unknown {
  const value = readJson(text)
  return value === text ? undefined : value
}
