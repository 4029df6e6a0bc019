/** The HTTP layer as in production, in front of two procedures instead of the service's own. */
import type { WebhookCalls } from "../../src/chat/webhooks/webhookCalls.ts"
import type { FileStore } from "../../src/effects/files/fileStore.ts"
import type { Models } from "../../src/effects/models/models.ts"
import { listen } from "../../src/http/connections/listen.ts"
import { createConnectionCap } from "../../src/http/connections/sockets.ts"
import { createDispatch } from "../../src/http/dispatch.ts"
import { createEventEndpoint } from "../../src/http/pages/events.ts"
import { createFileEndpoints } from "../../src/http/pages/files.ts"
import { answerHealth } from "../../src/http/pages/health.ts"
import { createMetricsPage } from "../../src/http/pages/metrics.ts"
import { createStreamEndpoint } from "../../src/http/pages/stream.ts"
import { createLimits } from "../../src/http/rateLimit.ts"
import type { Services } from "../../src/routers/context.ts"
import { openLog } from "../../src/telemetry/log.ts"
import { openMetrics } from "../../src/telemetry/metrics.ts"
import { benchRouter } from "./httpRouter.ts"

const log = openLog("error")
const metrics = openMetrics()
const { registry } = metrics
// Whatever needs a database or a chat is never asked for anything here.
const services = {
  log,
  settings: { publicUrl: "http://localhost", allowedOrigins: [], defaultPlan: "FREE" },
  findCaller: async () => undefined,
  forgetToken: async () => {},
  limits: createLimits({ mode: "off", store: "memory", rates: {} }),
  metrics,
} as Partial<Services> as Services

const listener = await listen({
  dispatch: createDispatch({
    router: benchRouter,
    services,
    trustedProxies: 0,
    metrics,
    maxRequests: 1_000,
    endpoints: [
      ...createFileEndpoints({ files: {} as FileStore, services }),
      createStreamEndpoint({
        models: {} as Models,
        services,
        abortSignal: new AbortController().signal,
      }),
      createEventEndpoint({
        calls: {} as WebhookCalls,
        told: { listen: () => () => {} },
        cap: createConnectionCap(),
      }),
    ],
    pages: {
      "/healthz": answerHealth,
      "/metrics": createMetricsPage({
        read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
        publicUrl: "http://localhost",
      }),
    },
  }),
  host: "127.0.0.1",
  port: 0,
})
console.log(listener.address)
// An orderly end, so that profilers get to write down what they saw.
process.once("SIGTERM", () => void listener.stop(0).then(() => process.exit()))
