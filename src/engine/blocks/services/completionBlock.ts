/** The block of a provider that completes chats, and perhaps fills variables. */
import type { z } from "zod"
import type { Action } from "../block.ts"
import { complete, completed, type Provider, textVariable } from "./completion.ts"
import type { CompletionOptions } from "./completionSchema.ts"
import { extract, extracted } from "./extraction.ts"
import type { ExtractionOptions } from "./extractionSchema.ts"
import {
  actWithCredential,
  callOf,
  needsAccount,
  type ServiceBlock,
  type Visit,
} from "./service.ts"
import { receiveStream, startStream } from "./streaming.ts"

type Options = CompletionOptions & ExtractionOptions & { action?: string | undefined }
type CompletionBlock = ServiceBlock<Options>

/** `completes`: name of the action. `extracts`: whether there is also "Generate variables". */
export function completionBlock<B extends CompletionBlock>(
  schema: z.ZodType<B>,
  provider: Provider,
  { completes = "Create chat completion", extracts = false } = {},
): Action<B, "model"> {
  const extraction = "Generate variables"
  const ask = {
    [completes]: (visit: Visit<Options>) => complete(visit, provider),
    ...(extracts ? { [extraction]: (visit: Visit<Options>) => extract(visit, provider) } : {}),
  }
  const target = ({ options }: CompletionBlock) =>
    options?.action === completes ? textVariable(options.responseMapping) : undefined
  return {
    kind: "action",
    schema,
    needsCredentials: needsAccount,
    run: (block, context) =>
      startStream(target(block), context) ??
      actWithCredential<Options, "model">(block, context, ask),
    resume: {
      model: (block, outcome, context) =>
        actWithCredential<Options, "model">(block, context, {
          [completes]: (visit) => completed(visit, outcome, { provider }),
          [extraction]: (visit) => extracted(visit, outcome, provider),
        }),
    },
    receive: (block, text) => receiveStream(target(block), text),
    stream: (block, context) =>
      target(block) ? callOf(actWithCredential<Options, "model">(block, context, ask)) : undefined,
    streamed: (block, outcome, context) => {
      const { set, log } = actWithCredential<Options, never>(block, context, {
        [completes]: (visit) => completed(visit, outcome, { provider, withoutText: true }),
      })
      return { ...(set ? { set } : {}), ...(log ? { log } : {}) }
    },
  }
}
