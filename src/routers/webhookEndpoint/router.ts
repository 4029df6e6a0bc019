/** Operations on webhook endpoints and their deliveries. */
import { router } from "../trpc.ts"
import { createProcedure } from "./create.ts"
import { deleteProcedure } from "./delete.ts"
import { fetchEventsProcedure } from "./fetchEvents.ts"
import { getProcedure } from "./get.ts"
import { listProcedure } from "./list.ts"
import { listDeliveriesProcedure } from "./listDeliveries.ts"
import { redeliverProcedure } from "./redeliver.ts"
import { redeliverSpanProcedure } from "./redeliverSpan.ts"
import { rotateSecretProcedure } from "./rotateSecret.ts"
import { testProcedure } from "./test.ts"
import { updateProcedure } from "./update.ts"

export const webhookEndpointRouter = router({
  create: createProcedure,
  list: listProcedure,
  get: getProcedure,
  update: updateProcedure,
  delete: deleteProcedure,
  rotateSecret: rotateSecretProcedure,
  test: testProcedure,
  listDeliveries: listDeliveriesProcedure,
  redeliver: redeliverProcedure,
  redeliverSpan: redeliverSpanProcedure,
  fetchEvents: fetchEventsProcedure,
})
