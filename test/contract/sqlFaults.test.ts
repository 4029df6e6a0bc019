/** scripts/sqlFaults.ts takes out each condition of the SQL functions, and knows the tests of each function. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { harmless, sqlFaultsIn, testsOfFunctions } from "../../scripts/drills/sqlConditions.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const schema = readFileSync(`${root}/schema/current.sql`, "utf8")
const functions = [...schema.matchAll(/^CREATE OR REPLACE FUNCTION public\.(\w+)/gm)]

test("every SQL function has its tests", () => {
  expect(Object.keys(testsOfFunctions).sort()).toEqual(functions.map(([, name]) => name))
  const missing = Object.values(testsOfFunctions)
    .flat()
    .filter((file) => !existsSync(`${root}/${file}`))
  expect(missing).toEqual([])
})

test("each condition is taken out, within parentheses and cases too", () => {
  const source = [
    "if a = 1 then b; elsif not found then c; end if;",
    "select case when d then 1 else 2 end from t where (e and (f or g)) or h order by i;",
    "perform from t where j for update;",
    "insert into t values (1) on conflict (k) do nothing;",
  ].join("\n")
  expect(sqlFaultsIn(source).map(({ line, what }) => `${line}: ${what}`)).toEqual([
    ...['1: "a = 1" is true', '1: "a = 1" is false'],
    ...['1: "not found" is true', '1: "not found" is false'],
    ...[
      '2: "d" is true',
      '2: "d" is false',
      '2: "e" is true',
      '2: "f" is false',
      '2: "g" is false',
    ],
    ...['2: "h" is false', '3: "j" is true', '3: "j" is false', '3: without "for update"'],
    '4: without "on conflict (k) do nothing"',
  ])
})

test("what is harmless is still there", () => {
  for (const [name, faults] of Object.entries(harmless)) {
    const source = schema.split(`FUNCTION public.${name}(`)[1]?.split("$function$;")[0] ?? ""
    expect(sqlFaultsIn(source).map(({ what }) => what)).toEqual(expect.arrayContaining(faults))
  }
})
