/** POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/redeliver */
import { z } from "zod"
import { redeliver } from "../../db/events/deliveries.ts"
import { badRequest } from "../../errors.ts"
import { firstUuidAt } from "../../ids.ts"
import { tokenOperation } from "../trpc.ts"
import { requireEnabled } from "./requireEnabled.ts"
import { endpointAddressMembers } from "./schema.ts"

const timeSchema = (description: string) => z.iso.datetime({ offset: true }).describe(description)

/** Has the deliveries of a time made again. */
export const redeliverSpanProcedure = tokenOperation(
  "POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/redeliver",
  {
    operationId: "redeliverWebhooks",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    summary: "Deliver the events of a time again",
    description:
      "For ADMINs. All that were handed out to the endpoint in the time are sent again, those that " +
      "it took as well, in their order and under the same `webhook-id`. 400 while it is disabled.",
  },
)
  .input(
    z.object({
      ...endpointAddressMembers,
      since: timeSchema("Beginning of the time, included"),
      until: timeSchema("End of the time, not included"),
    }),
  )
  .output(z.object({ count: z.int().describe("How many will be sent") }))
  .mutation(async ({ ctx, input: { since, until, ...address } }) => {
    await ctx.limit("heavyManagement", ctx.user.tokenId)
    const { id: endpointId } = await requireEnabled(ctx, address)
    const [fromMs, beforeMs] = [Date.parse(since), Date.parse(until)]
    if (fromMs >= beforeMs) throw badRequest("`since` must be before `until`")
    const span = { fromId: firstUuidAt(fromMs), beforeId: firstUuidAt(beforeMs) }
    return { count: await redeliver(ctx.db, { endpointId, ...span }) }
  })
