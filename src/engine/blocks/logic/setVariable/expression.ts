/** Evaluates the expression of a Set variable block: code where it can be, else a text. */
import { type Failure, isFailure, type Script, type ScriptOutcome } from "../../../calls.ts"
import { clientScript, serverScript, withReturn } from "../../../variables/code.ts"
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import { cannotRun, literalOf } from "../../../variables/plainCode.ts"
import type { Scope } from "../../../variables/scope.ts"
import type { SetVariableOptions } from "./schema.ts"

/** The value where it is known without running anything, else the script to run. */
export function evaluate(
  options: SetVariableOptions,
  scope: Scope,
): { value: unknown } | { script: Script } {
  const { expressionToEvaluate: expression, isCode } = options
  if (!expression) return { value: undefined }
  if (singleToken(expression) !== undefined || isDigits(expression)) {
    return { value: interpolate(expression, scope) }
  }
  const { content, args } = clientScript(expression, scope)
  const literal = literalOf(content)
  if (literal) return literal
  const globals = Object.fromEntries(args.map(({ id }) => [id, true]))
  // An author who means it as code wants to read why it failed, so it has to be run.
  if (!isCode && cannotRun(content, globals)) return { value: interpolate(expression, scope) }
  return { script: serverScript(withReturn(expression), scope, "program") }
}

/** The value that a run script gave; the expression as a text, and why, when it failed. */
export function readOutcome(
  options: SetVariableOptions,
  outcome: ScriptOutcome | undefined,
  scope: Scope,
): { value: unknown; failure?: Failure } {
  if (!outcome || !isFailure(outcome)) return { value: outcome?.value }
  return { value: interpolate(options.expressionToEvaluate, scope), failure: outcome }
}

// Order numbers and the like: as a number literal, `007` would lose its zeros.
function isDigits(expression: string): boolean {
  return /0[^.]./.test(expression) && !Number.isNaN(Number(expression))
}
