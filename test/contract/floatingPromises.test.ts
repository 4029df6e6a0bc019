/** No promise is left alone: each is awaited, returned, handled, or left on purpose with `void`. */
import { fileURLToPath } from "node:url"
import { type Expression, type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast"
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIdentifier,
  isParenthesizedExpression,
  isPropertyAccessExpression,
} from "typescript/unstable/ast/is"
import { API, type Project, type Type } from "typescript/unstable/sync"
import { afterAll, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "")
const api = new API({ cwd: root })
afterAll(() => api.close())

/** The files of each project: what browsers run has one of its own. */
const projects = openProjects({
  "tsconfig.json": ["src", "scripts", "test"],
  "src/pages/tsconfig.json": ["src/pages"],
})

type OpenProject = { project: Project; files: string[] }

function openProjects(folders: Record<string, readonly string[]>): OpenProject[] {
  const configs = Object.keys(folders).map((path) => `${root}/${path}`)
  const snapshot = api.updateSnapshot({ openProjects: configs })
  return Object.entries(folders).map(([path, within]) => {
    const project = snapshot.getProject(`${root}/${path}`)
    if (!project) throw new Error("The project cannot be read")
    const files = project.program
      .getSourceFileNames()
      .filter((name) => within.some((folder) => name.startsWith(`${root}/${folder}/`)))
    return { project, files }
  })
}

it("no promise is left alone", () => {
  const [service, pages] = projects
  expect(service?.files.length).toBeGreaterThan(500)
  expect(pages?.files.length).toBeGreaterThan(50)
  const found = projects.flatMap(({ project, files }) =>
    files.flatMap((name) => floatingIn(project, name)),
  )
  expect(found).toEqual([])
})

/** Where promises are left alone in a file, as `path:line`. */
function floatingIn(project: Project, name: string): string[] {
  const file = project.program.getSourceFile(name)
  if (!file) throw new Error(`There is no ${name}`)
  const left = leftIn(file)
  const types = left.length > 0 ? project.checker.getTypeAtLocation(left) : []
  const floating = left.filter((_, index) => isPromise(types[index]))
  return floating.map((node) => {
    const line = file.text.slice(0, node.getStart(file)).split("\n").length
    return `${name.slice(root.length + 1)}:${line}`
  })
}

/** The calls whose values nobody takes, unless they handle a failure themselves. */
function leftIn(file: SourceFile): Expression[] {
  const left: Expression[] = []
  const visit = (node: Node): void => {
    if (isExpressionStatement(node)) left.push(...valuesOf(node.expression))
    node.forEachChild(visit)
  }
  visit(file)
  return left.filter((each) => isCallExpression(each) && !handles(each) && !isOfVitest(each))
}

/**
 * Whether an expression is a test, a group of them, or an ordinary `expect(…).to…(…)`, which are no
 * promises, and whose types take longer to find out than those of everything else.
 */
function isOfVitest(node: Expression): boolean {
  if (isCallExpression(node)) {
    const { expression } = node
    if (!isIdentifier(expression)) return isOfVitest(expression)
    return /^(?:describe|expect|it|test)$/.test(expression.text)
  }
  return (
    isPropertyAccessExpression(node) &&
    !/^(?:rejects|resolves)$/.test(node.name.text) &&
    isOfVitest(node.expression)
  )
}

/** What an expression may come to: the branches of a choice, or itself. */
function valuesOf(node: Expression): Expression[] {
  if (isParenthesizedExpression(node)) return valuesOf(node.expression)
  if (isConditionalExpression(node)) {
    return [...valuesOf(node.whenTrue), ...valuesOf(node.whenFalse)]
  }
  if (isBinaryExpression(node) && choices.has(node.operatorToken.kind)) return valuesOf(node.right)
  return [node]
}

const choices: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
])

/** Whether an expression is `….catch(…)`, `….then(…, …)`, or one of these before `.finally(…)`. */
function handles(node: Expression): boolean {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return false
  const { name, expression } = node.expression
  if (name.text === "finally") return handles(expression)
  return name.text === "catch" || (name.text === "then" && node.arguments.length > 1)
}

function isPromise(type: Type | undefined): boolean {
  if (type?.isUnionType()) return type.getTypes().some(isPromise)
  // `PromiseLike` and `PromiseWithChild`, too.
  return type?.getSymbol()?.name.startsWith("Promise") ?? false
}
