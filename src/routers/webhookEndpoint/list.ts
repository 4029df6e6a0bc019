/** GET /api/v1/workspaces/{workspaceId}/webhookEndpoints */
import { z } from "zod"
import { listEndpoints } from "../../db/events/endpoints.ts"
import { requireWorkspace } from "../access.ts"
import { tokenOperation } from "../trpc.ts"
import { workspaceIdSchema } from "../workspace/schema.ts"
import { endpointSchema, presentEndpoint } from "./schema.ts"

/** Lists the endpoints of a workspace. */
export const listProcedure = tokenOperation(
  "GET /api/v1/workspaces/{workspaceId}/webhookEndpoints",
  {
    operationId: "listWebhookEndpoints",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    summary: "List webhook endpoints",
    description: "For ADMINs. Newest first, all at once.",
  },
)
  .input(z.object({ workspaceId: workspaceIdSchema }))
  .output(z.object({ endpoints: z.array(endpointSchema).describe("The endpoints") }))
  .query(async ({ ctx, input: { workspaceId } }) => {
    await requireWorkspace(ctx, workspaceId, "manage")
    return { endpoints: (await listEndpoints(ctx.db, workspaceId)).map(presentEndpoint) }
  })
