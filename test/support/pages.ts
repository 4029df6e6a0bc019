/** Builds what browsers load, once for a run of the tests. */
import { buildPages } from "../../scripts/buildPages.mjs"

/** Called by the runner before the first test. */
export async function setup(): Promise<void> {
  await buildPages()
}
