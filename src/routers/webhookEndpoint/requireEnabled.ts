/** Finds an endpoint that something can be delivered to. */
import type { EndpointRow } from "../../db/events/endpoints.ts"
import { badRequest } from "../../errors.ts"
import type { Asker } from "../access.ts"
import { requireEndpoint } from "./schema.ts"

/** 400 while the endpoint is disabled. */
export async function requireEnabled(
  asker: Asker,
  address: { workspaceId: string; endpointId: string },
): Promise<EndpointRow> {
  const row = await requireEndpoint(asker, address)
  if (!row.isEnabled) throw badRequest("The webhook endpoint is disabled: enable it first")
  return row
}
