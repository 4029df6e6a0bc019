/** Operations on published bots. */
import { router } from "../trpc.ts"
import { getProcedure } from "./get.ts"

export const publishedBotRouter = router({ get: getProcedure })
