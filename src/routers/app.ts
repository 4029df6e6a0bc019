/** Every procedure of the service. */
import { billingRouter } from "./billing/router.ts"
import { botRouter } from "./bot/router.ts"
import { chatRouter } from "./chat/router.ts"
import { credentialsRouter } from "./credentials/router.ts"
import { fileRouter } from "./file/router.ts"
import { publishedBotRouter } from "./publishedBot/router.ts"
import { resultRouter } from "./result/router.ts"
import { router } from "./trpc.ts"
import { userRouter } from "./user/router.ts"
import { workspaceRouter } from "./workspace/router.ts"

export const appRouter = router({
  workspace: workspaceRouter,
  bot: botRouter,
  publishedBot: publishedBotRouter,
  result: resultRouter,
  chat: chatRouter,
  file: fileRouter,
  credentials: credentialsRouter,
  user: userRouter,
  billing: billingRouter,
})

/** The type that first-party clients are typed by. */
export type AppRouter = typeof appRouter
