/** What workspaces use of their plans. */
import { router } from "../trpc.ts"
import { getUsageProcedure } from "./getUsage.ts"

export const billingRouter = router({ getUsage: getUsageProcedure })
