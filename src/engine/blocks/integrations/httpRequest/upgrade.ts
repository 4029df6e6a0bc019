/** Brings HTTP request blocks of older versions up to date. */
import type { HttpOptions } from "./schema.ts"

type RequestBlock = { webhookId?: string | undefined; options?: HttpOptions | undefined }

/** Version 3 to 4: the request moves into the block; one that was stored apart is not known here. */
function from3<B extends RequestBlock>(block: B): B {
  const { webhookId, ...rest } = block
  const webhook = block.options?.webhook ?? { id: webhookId ?? "", method: "POST" as const }
  return { ...rest, options: { ...block.options, webhook } } as B
}

/** Versions 4 and 5 to the latest: the request has no id any more. */
function from5<B extends RequestBlock>(block: B): B {
  const { webhookId: _, ...rest } = block
  if (block.options?.webhook === undefined) return rest as B
  const { id: __, ...webhook } = block.options.webhook
  return { ...rest, options: { ...block.options, webhook } } as B
}

/** What the four blocks that make HTTP requests share. */
export const upgradeHttpRequest = { from3, from5 }
