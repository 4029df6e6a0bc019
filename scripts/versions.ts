/**
 * Publishes, rolls back, unpublishes, restores and changes one bot with eight callers at once, and
 * counts afterwards: no draft was lost to a restore, and the history has every change once, in an order
 * that explains what is live. `npx tsx scripts/versions.ts [--seconds 60] [--callers 8]`; ends with 1
 * on any discrepancy.
 */
import { newToken } from "../src/routers/apiTokens.ts"
import { copyProduct, numberGiven, startProduct } from "./drills/product.ts"
import { type Call, changeBot } from "./drills/versionCallers.ts"
import { flowSaying } from "./drills/versionFlow.ts"
import { judgeVersions } from "./drills/versionJudge.ts"

const seconds = numberGiven("seconds", 60)
const callers = numberGiven("callers", 8)
const token = newToken()

const { folder, remove } = await copyProduct()
let isWrong = true
try {
  const run = await startProduct(folder, {
    PARLEY_BOOTSTRAP_EMAIL: "versions@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_WORKERS: "2",
  })
  isWrong = await drill(run.address)
  run.child.kill("SIGTERM")
  await run.ended
} finally {
  await remove()
}
process.exit(isWrong ? 1 : 0)

async function drill(address: string): Promise<boolean> {
  const call: Call = async (method, path, body) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { body: listed } = await call("GET", "/workspaces")
  const [workspace] = listed.workspaces as { id: string }[]
  const bot = { version: "6.1", name: "Versions", ...flowSaying("first") }
  const { body: made } = await call("POST", "/bots/import", { workspaceId: workspace?.id, bot })
  const botId = (made.bot as { id: string }).id
  await call("POST", `/bots/${botId}/publish`)
  const until = performance.now() + seconds * 1_000
  const told = await Promise.all(
    Array.from({ length: callers }, (_, index) =>
      changeBot(
        { call, botId, name: `caller ${index}`, random: Math.random },
        () => performance.now() > until,
      ),
    ),
  )
  const changes = told.flatMap((each) => each.changes)
  const counts = (["patch", "publish", "rollback", "restore", "unpublish"] as const).map(
    (kind) => `${changes.filter((change) => change.kind === kind).length} ${kind}`,
  )
  console.log(
    `${callers} callers, ${seconds} s: ${changes.length} changes acknowledged: ${counts.join(", ")}`,
  )
  const wrong = await judgeVersions(call, botId, told)
  for (const sentence of wrong.slice(0, 20)) console.log(sentence)
  console.log(`${wrong.length} discrepancies`)
  return wrong.length > 0
}
