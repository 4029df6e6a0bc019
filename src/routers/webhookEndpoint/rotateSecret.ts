/** POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/rotateSecret */
import { z } from "zod"
import { updateEndpoint } from "../../db/events/endpoints.ts"
import { type EndpointSecrets, newEndpointSecret } from "../../effects/webhooks/signature.ts"
import { conflict } from "../../errors.ts"
import { tokenOperation } from "../trpc.ts"
import { endpointAddressMembers, endpointSecretSchema, requireEndpoint } from "./schema.ts"
import { sealedSecretsOf } from "./secrets.ts"

const bothMs = 24 * 3_600_000

/** Gives an endpoint another secret. */
export const rotateSecretProcedure = tokenOperation(
  "POST /api/v1/workspaces/{workspaceId}/webhookEndpoints/{endpointId}/rotateSecret",
  {
    operationId: "rotateWebhookSecret",
    admits: "workspaceAdmins",
    tag: "Webhooks",
    errorResponses: [409],
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "For ADMINs. For 24 hours what is sent has two signatures, of the new secret and of the one " +
      "before; one that was rotated out earlier stops signing at once.",
  },
)
  .input(z.object(endpointAddressMembers))
  .output(z.object({ secret: endpointSecretSchema }))
  .mutation(async ({ ctx, input: address }) => {
    const row = await requireEndpoint(ctx, address)
    const present = sealedSecretsOf(ctx.cipher, row)
    const secret = newEndpointSecret()
    const until = new Date(Date.now() + bothMs).toISOString()
    const former = present && { secret: present.secret, until }
    const secrets: EndpointSecrets = { secret, former }
    const unchanged = { ...address, nonce: row.nonce }
    const changed = await updateEndpoint(ctx.db, unchanged, ctx.cipher.seal(row.id, secrets))
    if (changed === undefined) {
      // 404 when it has gone meanwhile.
      await requireEndpoint(ctx, address)
      throw conflict("The secret was changed by somebody else: try again")
    }
    return { secret }
  })
