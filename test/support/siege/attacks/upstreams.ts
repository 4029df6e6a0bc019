/** Servers that flows call and that mean harm, and flows that call where they must not. */

import { bounded, served, tooExpensive, without } from "../attack.ts"
import type { FlowAttack } from "../doors.ts"
import { type Block, block, idOf, many, say } from "../flow.ts"
import { upstreamMark } from "../target.ts"

const call = (path: string, bodyPath = "data", more: object = {}): Block =>
  block("Webhook", {
    webhook: { url: `${upstreamMark}${path}`, method: "GET", ...more },
    responseVariableMapping: [{ id: "m", variableId: idOf("V"), bodyPath }],
  })

const paths: readonly (readonly [name: string, path: string])[] = [
  ["answer of 900 kB", "/text/900000"],
  ["answer of 9 MB", "/text/9000000"],
  ["answer of 50 MB", "/text/50000000"],
  ["packed answer of 200 MB", "/packed/200000000"],
  ["answer that never ends", "/endless"],
  ["answer that redirects forever", "/around"],
  ["answer that redirects inside", "/inside"],
  ["answer of 50,000 levels", "/deep/50000"],
  ["answer of 200,000 members", "/members/200000"],
  ["answer of 5,000 headers", "/headers/5000"],
  ["answer that is no HTTP", "/nonsense"],
]

const from = (name: string, path: string): FlowAttack => ({
  name,
  blocks: () => [call(path), say("Got it"), block("text input")],
  parts: () => ({ names: ["V"] }),
  judge: bounded,
  doors: ["preview with token", "published bot"],
  crowd: 2,
})

export const upstreams: FlowAttack[] = [
  ...paths.map(([name, path]) => from(name, path)),
  {
    name: "answer of 900 kB, 1,000 times in a text",
    blocks: () => [call("/text/900000"), say("{{V}}".repeat(1_000))],
    parts: () => ({ names: ["V"] }),
    judge: tooExpensive,
    doors: ["preview with token", "published bot"],
  },
  {
    name: "answer of 900 kB, Markdown 20 times",
    blocks: () => [call("/markdown/900000"), say("{{V}} ".repeat(20))],
    parts: () => ({ names: ["V"] }),
    judge: bounded,
    doors: ["preview with token", "published bot"],
  },
  {
    name: "1.2 GB of body and headers for another server",
    blocks: () => [
      block("Webhook", {
        isCustomBody: true,
        webhook: {
          url: `${upstreamMark}/text/10`,
          method: "POST",
          body: `{"a":"${"{{V}}".repeat(2_000)}"}`,
          headers: many(50, (index) => ({ id: `h${index}`, key: `x${index}`, value: "{{V}}" })),
        },
      }),
    ],
    values: () => ({ V: "x".repeat(600_000) }),
    judge: tooExpensive,
    doors: ["preview with token", "prefilled at start", "published bot"],
  },
  {
    name: "path of an answer that runs code",
    blocks: () => [call("/text/1000", "(() => { while (true) {} })()"), say("{{V}}")],
    parts: () => ({ names: ["V"] }),
    judge: bounded,
    doors: ["published bot"],
  },
  {
    name: "flow that calls the service's own machine",
    blocks: () => [
      block("Webhook", { webhook: { url: "http://169.254.169.254/latest/", method: "GET" } }),
      block("Webhook", { webhook: { url: "http://[::1]:5432/", method: "GET" } }),
      say("done"),
    ],
    judge: without(/ami-id|SECRET/),
    doors: ["preview with token", "published bot"],
  },
  {
    name: "honest call",
    blocks: () => [call("/text/2000"), say("Got {{V}}")],
    parts: () => ({ names: ["V"] }),
    judge: served,
    doors: ["published bot"],
    isControl: true,
  },
]
