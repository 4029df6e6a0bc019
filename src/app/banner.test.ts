/** The banner names where things really are. */
import { expect, test } from "vitest"
import { bannerOf } from "./banner.ts"

const address = "http://127.0.0.1:3000"
const config = { databaseUrl: undefined, dataFolder: "/root/.parley" }

test("a database outside the data folder is named, with what that means for backups", () => {
  const databaseFolder = "/var/lib/parley/0123456789ab"
  const separate = bannerOf({ address, databaseFolder }, config)
  expect(separate).toContain("  Data       /root/.parley\n")
  expect(separate).toContain(`  Database   ${databaseFolder}\n`)
  expect(separate).toMatch(/copy of the data folder alone is not a backup: `npx parley backup`/)
  expect(bannerOf({ address }, config)).not.toMatch(/Database|backup/)
})

test("a database of DATABASE_URL is named as such, without its password", () => {
  const other = bannerOf({ address }, { ...config, databaseUrl: "postgres://me:hunter2@db/x" })
  expect(other).toContain("  Data       the database of DATABASE_URL\n")
  expect(other).not.toContain("hunter2")
})

test("people read the one name of this machine", () => {
  const link = "http://localhost:3000/signIn/link?code=c"
  expect(bannerOf({ address, signInLink: link }, config)).not.toMatch(/127\.0\.0\.1/)
  expect(bannerOf({ address }, config)).toContain("  http://localhost:3000/chat/demo\n")
})

test("with several users, the link and the commands are for one that is named", () => {
  const signInLink = "http://localhost:3000/signIn/link?code=c"
  const owner = { email: "ann@example.com", isOnly: false }
  const several = bannerOf({ address, signInLink, owner }, config)
  expect(several).toContain("As ann@example.com\n")
  expect(several).toContain("npx parley login --email ann@example.com\n")
  expect(several).toContain("npx parley token create --email ann@example.com\n")
  const alone = bannerOf({ address, signInLink, owner: { ...owner, isOnly: true } }, config)
  expect(alone).not.toContain("ann@example.com")
})
