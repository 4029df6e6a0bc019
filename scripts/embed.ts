/**
 * Opens the published embed of Typebot in a browser, pointed straight at a service that it starts, and
 * chats with it: a text, a choice, an e-mail address, an upload, a streamed answer, the end.
 * `npx tsx scripts/embed.ts [version...]` ends with 1 when a step fails or the service refuses a request.
 * Needs the network once, for the embed; does nothing where no browser can start.
 */
import { join } from "node:path"
import { newToken } from "../src/routers/apiTokens.ts"
import { copyProduct, freePort, startProduct } from "./drills/product.ts"
import { chatOnPage, openBrowser } from "./embed/chat.ts"
import { flowOf } from "./embed/flow.ts"
import { startOutside } from "./embed/outside.ts"
import { openApi } from "./generators/api.ts"
import { npmTools } from "./generators/machine.ts"

/** The newest, and one of each generation before it. */
const usualVersions = ["0.10.7", "0.9.24", "0.8.24", "0.3.92"]

const versions = process.argv.length > 2 ? process.argv.slice(2) : usualVersions
const token = newToken()

const browser = await openBrowser().catch((error: Error) => {
  console.log(`No browser can start here, so nothing was tried: ${error.message.split("\n")[0]}`)
  process.exit(0)
})
const { folder, remove } = await copyProduct()
const outside = await startOutside()
const failures: string[] = []
try {
  const service = await startService()
  const publicId = await publishFlow(service.address)
  for (const version of versions) {
    const outcome = await chatWith(version, { publicId, apiHost: service.address }).catch(
      (error: Error) => {
        failures.push(version)
        return error.message
      },
    )
    console.log(`@typebot.io/js ${version}: ${outcome}`)
  }
  service.child.kill("SIGTERM")
  await service.ended
} finally {
  await browser.close()
  outside.close()
  await remove()
}
process.exit(failures.length > 0 ? 1 : 0)

async function startService() {
  const port = await freePort()
  return startProduct(folder, {
    PARLEY_BOOTSTRAP_EMAIL: "embed@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
    // Uploads go to the public address.
    PORT: String(port),
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
  })
}

/** Publishes the flow with an account at the model, and returns its public id. */
async function publishFlow(address: string): Promise<string> {
  const api = openApi(address, token)
  const data = { apiKey: "sk-none", baseUrl: outside.modelAddress }
  const credentials = { type: "openai", name: "Model", data }
  const account = { workspaceId: await api.workspaceId(), credentials }
  const { credentialsId } = await api.call("POST", "/credentials", account)
  return (await api.publish(flowOf(credentialsId))).publicId
}

/** Rejects when the chat does not come to its end, or a request was refused on the way. */
async function chatWith(version: string, page: { publicId: string; apiHost: string }) {
  const tools = await npmTools(`embed-${version}`, [`@typebot.io/js@${version}`])
  outside.show({ script: join(tools, "node_modules/@typebot.io/js/dist/web.js"), ...page })
  const pages = { address: outside.address, apiHost: page.apiHost }
  const { requests, refused } = await chatOnPage(browser, pages)
  if (refused.length > 0) throw new Error(`refused ${refused.join(", ")}`)
  return `ok after ${requests} requests`
}
