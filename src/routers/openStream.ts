/** Opens streams: each counts for the address of its caller, and ends with the service. */
import { tracked } from "@trpc/server"
import type { Context } from "./context.ts"

/** Opens one; `left` aborts when its caller leaves. 429 when too many are open. */
export function openStream(
  { live, ip }: Pick<Context, "live" | "ip">,
  left: AbortSignal | undefined,
) {
  const release = live.admit(ip)
  const ending = new AbortController()
  const abort = () => ending.abort()
  // `AbortSignal.any` would keep every stream for as long as the service lives.
  const signals = [live.stopping, left]
  for (const signal of signals) {
    if (signal?.aborted) abort()
    signal?.addEventListener("abort", abort)
  }
  return {
    /** Aborts when the caller has left, or the service stops. */
    signal: ending.signal,
    /** To be called when the stream is over, however it ended. */
    close() {
      release()
      for (const signal of signals) signal?.removeEventListener("abort", abort)
    },
  }
}

/** What a subscription asks for. */
type Asked = { lastEventId?: string | null | undefined; signal: AbortSignal | undefined }

/** Opens a stream as a subscription, whose clients resume after the last event that they got. */
export async function* trackedStream<Input extends object, Data>(
  ctx: Context,
  { lastEventId, signal: left, ...input }: Input & Asked,
  hear: (
    ctx: Context,
    asked: Omit<Input & Asked, keyof Asked> & { lastId: string | undefined; signal: AbortSignal },
  ) => AsyncGenerator<{ id: string; data: Data }, void>,
) {
  const { signal, close } = openStream(ctx, left)
  try {
    const hearing = { ...input, lastId: lastEventId ?? undefined, signal }
    for await (const { id, data } of hear(ctx, hearing)) yield tracked(id, data)
  } finally {
    close()
  }
}
