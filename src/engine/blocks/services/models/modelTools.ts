/** Makes an author's functions and the tools of MCP servers callable for a model. */

import { nonEmpty } from "../../../../lib/presentMembers.ts"
import type { McpServerAsk, ModelTool } from "../../../calls.ts"
import { serverScript } from "../../../variables/code.ts"
import { interpolate, type Scope } from "../../../variables/interpolate.ts"
import type { McpServerOption, ToolOption } from "./schemas.ts"

/** Functions with a name and code. Takes unfilled options, because code keeps its tokens. */
export function toolsOf(tools: readonly ToolOption[] | undefined, scope: Scope): ModelTool[] {
  return (tools ?? []).flatMap(({ name: written, description, parameters, code }) => {
    const name = interpolate(written, scope)
    if (!name || !code) return []
    return {
      name,
      ...nonEmpty({ description: interpolate(description, scope) }),
      parameters: parametersOf(parameters, scope),
      script: serverScript(code, scope),
    }
  })
}

/** The servers with a credential. Takes unfilled options: visitors choose none. */
export function mcpServersOf(servers: readonly McpServerOption[] | undefined): McpServerAsk[] {
  return (servers ?? []).flatMap(({ credentialsId: id, tools }) =>
    id ? [{ credential: { id, type: "mcp" }, ...nonEmpty({ tools }) }] : [],
  )
}

function parametersOf(parameters: ToolOption["parameters"], scope: Scope): object {
  const named = (parameters ?? []).flatMap((parameter) => {
    const name = interpolate(parameter.name, scope)
    return name ? [{ ...parameter, name }] : []
  })
  const properties = named.map(({ name, type = "string", description, values }) => {
    const shape = type === "enum" ? { type: "string", enum: values ?? [] } : { type }
    return [name, { ...shape, ...nonEmpty({ description: interpolate(description, scope) }) }]
  })
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required: named.filter(({ required }) => required !== false).map(({ name }) => name),
    additionalProperties: false,
  }
}
