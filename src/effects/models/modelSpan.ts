/** Describes calls of models for spans, by the semantic conventions of OpenTelemetry for generative AI. */
import type { Attributes } from "@opentelemetry/api"
import {
  type Call,
  isFailure,
  type ModelMessage,
  type ModelUse,
  type Outcome,
} from "../../engine/calls.ts"
import { cut } from "../../lib/cut.ts"
import { defined } from "../../lib/presentMembers.ts"
import { isTracing } from "../../telemetry/tracing.ts"

/** The attributes of a call; without an outcome its reader left before the end. */
export type DescribeModelCall = (
  call: Call<"model">,
  use: ModelUse,
  outcome?: Outcome,
) => Attributes

/** Max characters of the texts of all messages of one attribute. */
const maxContentLength = 10_000

/** `hasContent`: questions and answers are attributes, too; the key and pictures never are. */
export function createModelSpans({ hasContent }: { hasContent: boolean }): DescribeModelCall {
  return (call, { provider, model, inputTokens, outputTokens }, outcome) => {
    if (!isTracing()) return {}
    return defined({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      "gen_ai.usage.input_tokens": inputTokens,
      "gen_ai.usage.output_tokens": outputTokens,
      "error.type": outcome && isFailure(outcome) ? (outcome.reason ?? "_OTHER") : undefined,
      ...(hasContent && contentOf(call, outcome)),
    })
  }
}

function contentOf({ messages }: Call<"model">, outcome: Outcome | undefined): Attributes {
  const said = messages.map(({ role, content }) => ({ role, text: textOf(content) }))
  const answer =
    outcome && "text" in outcome && typeof outcome.text === "string" ? outcome.text : undefined
  return defined({
    "gen_ai.input.messages": written(said),
    "gen_ai.output.messages":
      answer === undefined
        ? undefined
        : written([{ role: "assistant", text: answer }], { finish_reason: "stop" }),
  })
}

function textOf(content: ModelMessage["content"]): string {
  if (typeof content === "string") return content
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n\n")
}

/** The latest messages as JSON, as far as they fit. */
function written(messages: readonly { role: string; text: string }[], more: object = {}): string {
  let left = maxContentLength
  const kept = messages.toReversed().flatMap(({ role, text }) => {
    if (left <= 0) return []
    const content = cut(text, left)
    left -= content.length + 1
    return [{ role, parts: [{ type: "text", content }], ...more }]
  })
  return JSON.stringify(kept.reverse())
}
