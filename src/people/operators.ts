/** Decides who may operate the service. */
import type { Db } from "../db/connection/openDatabase.ts"
import { isOperator } from "../db/people/operators.ts"
import type { Caller } from "./caller.ts"
import { hasScope, isTargeted } from "./grants.ts"

/**
 * The caller, if they are an operator, and their token is for that: without scopes, or with that of operators,
 * and for the whole account. Resolves to undefined for all others, who must not learn that there are operations
 * for operators.
 */
export async function operatorOf(ctx: {
  db: Db
  authenticate(takesCookie: boolean): Promise<Caller | undefined>
}): Promise<Caller | undefined> {
  const caller = await ctx.authenticate(true)
  if (caller === undefined || !isForOperations(caller)) return undefined
  return (await isOperator(ctx.db, caller.id)) ? caller : undefined
}

/** Whether the token of a caller has the operations of operators, if its owner is one. */
export function isForOperations(caller: Caller): boolean {
  return hasScope(caller, "operator") && !isTargeted(caller)
}
