/** Streams chats to the team. */

import { z } from "zod"
import { trackedStream } from "../openStream.ts"
import { tokenStream } from "../trpc.ts"
import {
  hearKeyedChat,
  hearSession,
  keyedHearingSchema,
  sessionHearingSchema,
} from "./hearMessages.ts"

const stream = tokenStream.meta({ scope: "results:read" })
const resuming = { lastEventId: z.string().nullish() }

export const messageStreams = {
  listen: stream
    .input(keyedHearingSchema.extend(resuming))
    .subscription(({ ctx, input, signal }) =>
      trackedStream(ctx, { ...input, signal }, hearKeyedChat),
    ),

  listenToSession: stream
    .input(sessionHearingSchema.extend(resuming))
    .subscription(({ ctx, input, signal }) =>
      trackedStream(ctx, { ...input, signal }, hearSession),
    ),
}
