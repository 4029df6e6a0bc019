/** Evaluates the expression of a Set variable block: as code where possible, else as a text. */
import { type Failure, isFailure, type Script, type ScriptOutcome } from "../../../calls.ts"
import { clientScript, serverScript, withReturn } from "../../../variables/code.ts"
import { interpolate, isTainted, singleToken } from "../../../variables/interpolate.ts"
import { cannotRun, literalOf } from "../../../variables/plainCode.ts"
import type { Scope } from "../../../variables/scope.ts"
import type { SetVariableOptions } from "./schema.ts"

/** A value, and whether it contains words of a visitor. */
type Evaluated = { value: unknown; isPlain?: boolean }

/** The value where it is known without running anything, else the script to run. */
export function evaluate(
  options: SetVariableOptions,
  scope: Scope,
): Evaluated | { script: Script } {
  const { expressionToEvaluate: expression, isCode } = options
  if (!expression) return { value: undefined }
  if (singleToken(expression) !== undefined || isDigits(expression)) {
    return printed(expression, scope)
  }
  const { content, args } = clientScript(expression, scope)
  const literal = literalOf(content)
  if (literal) return literal
  const globals = Object.fromEntries(args.map(({ id }) => [id, true]))
  // An author who means it as code wants to read why it failed, so it has to be run.
  if (!isCode && cannotRun(content, globals)) return printed(expression, scope)
  return { script: serverScript(withReturn(expression), scope) }
}

/** The value that the script returned; when it failed, the expression as a text, and the reason. */
export function readOutcome(
  options: SetVariableOptions,
  outcome: ScriptOutcome | undefined,
  scope: Scope,
): Evaluated & { failure?: Failure } {
  if (!outcome || !isFailure(outcome)) return { value: outcome?.value }
  return { ...printed(options.expressionToEvaluate, scope), failure: outcome }
}

function printed(expression: string | undefined, scope: Scope): Evaluated {
  return { value: interpolate(expression, scope), isPlain: isTainted(expression, scope) }
}

// Order numbers and the like: as a number literal, `007` would lose its zeros.
function isDigits(expression: string): boolean {
  return /0[^.]./.test(expression) && !Number.isNaN(Number(expression))
}
