/** `parley types`: what it writes, and what `--check` says of files that no longer fit. */
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { typesCommand } from "../../src/cli/types.ts"
import { ask, bot, group } from "../support/bots.ts"
import { run } from "../support/runCommand.ts"
import { testFolder } from "../support/testFolder.ts"

const folder = await testFolder()

const file = join(folder, "signup.json")
const output = join(folder, "signup.ts")
const save = (...choices: string[]) =>
  writeFile(file, JSON.stringify({ name: "Sign up", ...bot(group("Plan", ask.choice(choices))) }))

test("the types are written to a file or to standard output, under the name of the bot or another", async () => {
  await save("Free", "Pro")
  const { out, code } = await run(typesCommand, file)
  expect(out).toContain("export type SignUp = {")
  expect(code).toBe(0)
  expect(await run(typesCommand, file, "-o", output, "--name", "Signup")).toEqual({
    out: "",
    err: `Wrote the types of ${file} to ${output}.\n`,
    code: 0,
  })
  expect(await readFile(output, "utf8")).toBe(out.replaceAll("SignUp", "Signup"))
})

test("--check passes while the file fits, and says how to refresh one that does not", async () => {
  await save("Free", "Pro")
  const check = () => run(typesCommand, file, "-o", output, "--name", "Signup", "--check")
  await run(typesCommand, file, "-o", output, "--name", "Signup")
  await writeFile(output, (await readFile(output, "utf8")).replaceAll("\n", "\r\n"))
  expect(await check()).toEqual({ out: "", err: `${output} is up to date.\n`, code: 0 })
  await save("Free", "Team")
  const before = await readFile(output, "utf8")
  const stale = {
    out: "",
    err: `${output} does not fit ${file}: run \`parley types ${file} -o ${output} --name Signup\`.\n`,
    code: 1,
  }
  expect(await check()).toEqual(stale)
  expect(await readFile(output, "utf8")).toBe(before)
  await rm(output)
  expect(await check()).toEqual(stale)
})

test("mistakes are sentences", async () => {
  await save("Free")
  const wrong = async (...words: string[]) => {
    const { err, code } = await run(typesCommand, ...words)
    expect(code).toBe(1)
    return err
  }
  expect(await wrong(file, "--check")).toBe("Name the file to check with -o.\n")
  expect(await wrong(file, "--name", "my type")).toContain('"my type" cannot be the name of a type')
  expect(await wrong(join(folder, "gone.json"))).toContain("There is no file")
  expect(await wrong(file, "-o", folder, "--check")).toContain("EISDIR")
  expect(await wrong(file, "-o", folder)).toBe(
    `The file ${folder} cannot be opened (EISDIR): name another one.\n`,
  )
})
