/** What one call may cost: flows, bodies, metadata, files and secrets have a budget or a lock. */
import { describe, test } from "vitest"
import type { Door } from "../support/siege/attack.ts"
import { attacksNamed, openSiege, titled } from "./siegeScene.ts"

const siege = await openSiege()

function harmless(subject: string, door: Door, ...names: string[]): void {
  describe(subject, () => {
    test.each(titled(attacksNamed(door, ...names)))("is harmless: %s", async (_, attack) => {
      await siege.expectHarmless(attack)
    })
  })
}

harmless(
  "a flow that costs too much",
  "anonymous preview",
  "40 regexes on 90 kB",
  "loop over one regex",
  "list × list Contains",
  "shown if a regex holds, 2,000 times",
  "2,000 × 900 kB in a text",
  "1,000 × 400 kB in image",
  "1,000 × 400 kB in choice",
  "1,000 × 400 kB in card",
  "1,000 × 400 kB in redirect",
  "1,000 × 400 kB in host avatar, only registering",
  "1,000 × 400 kB in a retry text",
  "card of a list of 10,000 with 40 kB each",
  "2,000 × Markdown of 5 kB",
)

harmless(
  "a value of a stranger",
  "prefilled at start",
  "40 regexes on 90 kB",
  "1,000 × 400 kB in text placeholder",
  "1.2 GB of body and headers for another server",
)

harmless("an answer of another server", "published bot", "answer of 900 kB, 1,000 times in a text")

harmless(
  "metadata",
  "tRPC",
  "metadata that stretches a list",
  "equal references of 2^40 leaves",
  "equal references in a circle",
  "BigInt of 900,000 digits",
)

harmless("bodies in flight", "bodies", "300 unfinished bodies of 3.9 MB")
harmless("files of one session", "uploads", "30 × 10 MB in one session")

harmless(
  "the secret of a tenant",
  "prefilled at start",
  "address of a model by a prefilled variable",
)
harmless(
  "the secret of a tenant",
  "preview with token",
  "flow of somebody who may only read the bot",
  "credential of another tenant in a bot of one's own",
)

harmless(
  "Markdown in values",
  "anonymous preview",
  "links that run code, in rich text",
  "links that run code, in Markdown",
  "address of a link in the flow",
  "rest of a link in Markdown",
)

harmless("checks", "REST", "checks of 5,000 regexes")
