/** MCP tools. */
import { describe, expect, it } from "vitest"
import { type BlockOf, type OptionsOf, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { mcpBlock } from "./block.ts"

const blockOf = (options: OptionsOf<typeof mcpBlock>): BlockOf<typeof mcpBlock> =>
  mcpBlock.schema.parse({
    id: "b",
    type: "mcp",
    options: { credentialsId: "c", action: "Call Tool", tool: "find_{{N}}", ...options },
  })

const variables = { N: "Ann", L: ["a", null], A: undefined, D: undefined, O: undefined }

describe("21.21 an MCP block", () => {
  it("calls the tool by its name as written, with the values of its arguments", () => {
    const block = blockOf({
      arguments: [
        { name: "who", value: "Dr. {{N}}" },
        { name: "{{N}}", value: "{{N}}" },
        { name: "tags", value: "{{L}}" },
        { name: "gone", value: "{{A}}" },
        { name: "empty", value: "" },
        { value: "no name" },
      ],
    })
    expect(callOf(mcpBlock.run(block, testScene({ variables })))).toEqual({
      kind: "mcpTool",
      credential: { id: "c", type: "mcp" },
      tool: "find_{{N}}",
      arguments: [
        ["who", "Dr. Ann"],
        ["{{N}}", "Ann"],
        ["tags", ["a", null]],
      ],
    })
  })

  it("needs an account and a tool", () => {
    const descriptionOf = (options: OptionsOf<typeof mcpBlock>) =>
      mcpBlock.run(blockOf(options), testScene()).log?.[0]?.description
    expect(descriptionOf({ credentialsId: "" })).toBe("mcp has no account to use")
    expect(descriptionOf({ tool: "" })).toBe("No tool is given")
  })

  const mapped = blockOf({
    responseMapping: [
      { variableId: "vA" },
      { item: "Data", variableId: "vD" },
      { item: "Outcome", variableId: "vO" },
    ],
  })
  const setBy = (outcome: Parameters<typeof mcpBlock.resume.mcpTool>[1]) =>
    Object.fromEntries(
      mcpBlock.resume
        .mcpTool(mapped, outcome, testScene({ variables }))
        .set?.map(({ variableId, value }) => [variableId, value]) ?? [],
    )

  it("keeps the text, the structured content, and how the call ended", () => {
    const data = { n: 1 }
    expect(setBy({ text: "Found", data })).toEqual({ vA: "Found", vD: data, vO: "ok" })
  })

  it("keeps JSON in the text as data where the tool has no structured content", () => {
    expect(setBy({ text: '{"n":[2]}' })).toMatchObject({ vD: { n: [2] } })
    expect(setBy({ text: "Found" })).toEqual({ vA: "Found", vO: "ok" })
  })

  it("logs a failure, goes on, and keeps that it failed", () => {
    const failure = {
      failed: true as const,
      description: "Late",
      details: "x",
      isInternal: true as const,
    }
    expect(setBy(failure)).toEqual({ vO: "failed" })
    const step = mcpBlock.resume.mcpTool(mapped, failure, testScene({ variables }))
    expect(step.next).toBeUndefined()
    expect(step.log).toEqual([
      {
        status: "error",
        description: "Late",
        details: "x",
        context: "While calling the tool",
        isInternal: true,
      },
    ])
  })
})
