/** Holds the data of a refusal to the table: what its reason has, and nothing else. */
import { expect } from "vitest"
import { z } from "zod"
import type { ParleyErrorCode } from "../../src/lib/errors.ts"
import { problemData } from "../../src/lib/problemData.ts"

export function expectData(reason: ParleyErrorCode, data: unknown): void {
  const schemas: Partial<Record<ParleyErrorCode, z.ZodObject>> = problemData
  const schema = schemas[reason]?.strict() ?? z.undefined()
  expect(schema.safeParse(data).error?.issues ?? [], `${reason} ${JSON.stringify(data)}`).toEqual(
    [],
  )
}
