/** Starts a service that knows its own public address. */
import { freePort } from "../support/freePort.ts"
import { type TestServer, testServer } from "../support/server.ts"

/** Settings without simulated typing, so that tests do not wait for it. */
export const swift = { typingEmulation: { enabled: false } }

/**
 * Starts the service; to be called at the top level of a test file. Uploads are signed for the public
 * address, so the port must be known beforehand.
 */
export async function pageServer(variables: Record<string, string> = {}): Promise<TestServer> {
  const port = await freePort()
  return await testServer({
    PORT: String(port),
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    ...variables,
  })
}
