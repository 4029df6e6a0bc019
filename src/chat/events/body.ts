/** What receivers get of an event that was taken from the outbox. */
import type { TakenEvent } from "../../db/events/outbox.ts"

/** The body, which is the same for every receiver and attempt. */
export function bodyOf(event: TakenEvent, publicId: string | undefined): string {
  const { type, createdAt, workspaceId, botId, payload, sequence } = event
  return JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data: {
      workspaceId,
      botId,
      ...(publicId !== undefined && { publicId }),
      ...payload,
      ...(sequence !== null && { sequence }),
    },
  })
}
