/** Every procedure of the service. */
import { getUsageProcedure } from "./billing/getUsage.ts"
import { botRouter } from "./bot/router.ts"
import { chatRouter } from "./chat/router.ts"
import { conversationRouter } from "./conversation/router.ts"
import { credentialsRouter } from "./credentials/router.ts"
import { generateUploadUrlProcedure } from "./file/generateUploadUrl.ts"
import { getProcedure as getPublishedBotProcedure } from "./publishedBot/get.ts"
import { resultRouter } from "./result/router.ts"
import { router } from "./trpc.ts"
import { userRouter } from "./user/router.ts"
import { versionRouter } from "./version/router.ts"
import { webhookEndpointRouter } from "./webhookEndpoint/router.ts"
import { workspaceRouter } from "./workspace/router.ts"

export const appRouter = router({
  workspace: workspaceRouter,
  bot: botRouter,
  publishedBot: router({ get: getPublishedBotProcedure }),
  version: versionRouter,
  result: resultRouter,
  chat: chatRouter,
  conversation: conversationRouter,
  file: router({ generateUploadUrl: generateUploadUrlProcedure }),
  credentials: credentialsRouter,
  webhookEndpoint: webhookEndpointRouter,
  user: userRouter,
  billing: router({ getUsage: getUsageProcedure }),
})

/** The type that clients are typed by. */
export type AppRouter = typeof appRouter

export type { UnknownBlockType } from "../engine/blocks/registry.ts"
