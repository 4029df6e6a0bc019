/** A service with the console, and browsers in which its first user is signed in. */
import type { BrowserContext, Page } from "playwright-core"
import { buildConsole } from "../../scripts/buildConsole.mjs"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { newSignInLink } from "../../src/people/signIn.ts"
import { openViewer } from "../pages/browser.ts"
import { pageServer } from "../pages/pageServer.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { onceForRun } from "../support/onceForRun.ts"
import { insertPerson } from "../support/people.ts"
import type { TestServer } from "../support/server.ts"
import { whenOver } from "../support/whenOver.ts"

export const viewer = await openViewer()

type Options = Parameters<NonNullable<typeof viewer>["open"]>[0]

type BotRights = Readonly<Record<string, "READ" | "WRITE">>

export type Console = {
  server: TestServer
  databaseUrl: string
  /**
   * Opens a view in a context of its own, as that user; `/` is the list of bots. It is closed with the test, unless it
   * is for all tests of the file.
   */
  open(path: string, options?: Options & { email?: string; forAll?: boolean }): Promise<Page>
  /** Opens a view in another page of a context. */
  openBeside(context: BrowserContext, path: string): Promise<Page>
  /** Adds a user, in no workspace. */
  addUser(email: string): Promise<void>
  /** Adds a user who may read or change some bots, by their ids, and is a guest of a workspace or of none. */
  addGuest(email: string, rights: BotRights, workspaceId?: string): Promise<void>
  /** The link by which a user signs in. */
  linkFor(email: string): Promise<string>
}

/** Starts it; to be called at the top level of a file, whose tests are skipped where no browser starts. */
export async function openConsole(variables: Record<string, string> = {}): Promise<Console> {
  await onceForRun("console", buildConsole)
  const url = await testDatabaseUrl()
  const server = await pageServer({ DATABASE_URL: url, ...variables })
  const db = await openDatabase({ url, poolSize: 1 })
  whenOver(() => db.close())
  const linkFor = async (email: string) => {
    const userId = (await findUserByEmail(db, email))?.id ?? ""
    return await newSignInLink(db, { userId, serviceUrl: server.address })
  }
  const addressOf = (path: string) => `${server.address}/console${path}`
  return {
    server,
    databaseUrl: url,
    linkFor,
    addUser: async (email) => void (await insertPerson(db, { email })),
    async addGuest(email, rights, workspaceId) {
      const { id: userId } = await insertPerson(db, { email })
      const rows = Object.entries(rights).map(([botId, type]) => ({ botId, userId, type }))
      await db.kysely.insertInto("botCollaborators").values(rows).execute()
      const member = workspaceId && { workspaceId, userId, role: "GUEST" as const }
      if (member) await db.kysely.insertInto("workspaceMembers").values(member).execute()
    },
    async open(path, { email = "ann@example.com", forAll = false, ...options } = {}) {
      if (!viewer) throw new Error("No browser starts here")
      const page = await (forAll ? viewer.openForAll(options) : viewer.open(options))
      await page.goto(`${await linkFor(email)}&next=${encodeURIComponent(`/console${path}`)}`)
      await page.click("button")
      await page.waitForURL(addressOf(path))
      return page
    },
    async openBeside(context, path) {
      const page = await context.newPage()
      await page.goto(addressOf(path))
      return page
    },
  }
}
