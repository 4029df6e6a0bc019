/** The tables of webhook events, as Kysely sees them. */
import type { Generated } from "kysely"
import type { DefaultTimestamp, Json, NullableTimestamp } from "./columnTypes.ts"

/** Why an endpoint was disabled: it answered 410, or failed for five days. */
export type DisabledReason = "gone" | "failing"

export type DeliveryState = "pending" | "delivered" | "failed"

export type EventTables = {
  /** `webhook_endpoints`: subscriptions to events; one without a url is of a listener that fetches them. */
  webhookEndpoints: {
    id: string
    workspaceId: string
    url: string | null
    types: string[]
    botIds: string[] | null
    description: string | null
    isEnabled: Generated<boolean>
    disabledReason: DisabledReason | null
    data: Buffer | null
    nonce: Buffer | null
    keyId: number | null
    failingSince: NullableTimestamp
    lastSuccessAt: NullableTimestamp
    lastFailureAt: NullableTimestamp
    lastFailure: string | null
    expiresAt: NullableTimestamp
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `outbox`: events that were not handed out yet; those of bots have their own id as result id. */
  outbox: {
    resultId: string
    id: string
    workspaceId: string
    botId: string
    type: string
    sequence: number | null
    payload: Json<Record<string, unknown>>
    createdAt: DefaultTimestamp
  }

  /** `event_bodies`: what every receiver of an event gets. */
  eventBodies: {
    id: string
    resultId: string
    body: string
    createdAt: DefaultTimestamp
    /** Null in rows that are not counted, which versions before 0.2.0 may have left. */
    workspaceId: string | null
    /** What the event takes with its deliveries; null: the row is not counted. */
    bytes: number | null
  }

  /** `event_tallies`: at least what the events of a workspace take. */
  eventTallies: {
    workspaceId: string
    bytes: number
  }

  /** `deliveries`: one event for one endpoint; ids rise in the order in which deliveries begin. */
  deliveries: {
    endpointId: string
    id: string
    eventId: string
    resultId: string
    type: string
    /** Null: that of its event. */
    body: string | null
    state: Generated<DeliveryState>
    attempts: Generated<number>
    nextAt: NullableTimestamp
    attemptedAt: NullableTimestamp
    status: number | null
    durationMs: number | null
    answer: string | null
    error: string | null
    createdAt: DefaultTimestamp
  }
}
