/** Holds refusals to the statuses that the document declares, which the service itself does not do. */
import { readFileSync } from "node:fs"

/** What the document says of an operation's responses. */
type Operation = { name: string; place: RegExp; statuses: ReadonlySet<string> }

/** Throws when an operation refuses with a status that it does not declare. */
export function requireDocumented(operation: Operation | undefined, status: number): void {
  // A 500 is a bug, which some tests make, and no part of the document.
  if (operation === undefined || status < 400 || status === 500) return
  if (operation.statuses.has(String(status))) return
  const message = `${operation.name} answers ${status}, which \`openapi.json\` does not declare`
  // Tests that expect a refusal would only see that this is none of those they know.
  console.error(message)
  throw new Error(message)
}

/** The operation with this id; undefined: only tRPC has the procedure. */
export function operationNamed(operationId: string | undefined): Operation | undefined {
  return operations.find(({ name }) => name === operationId)
}

/** The operation that takes this request; undefined: there is none. */
export function operationAt(method: string, pathname: string): Operation | undefined {
  return operations.find(({ place }) => place.test(`${method} ${pathname}`))
}

type Declared = { operationId: string; responses: Record<string, unknown> }

const operations = readOperations()

function readOperations(): Operation[] {
  const text = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Declared>> }
  const parameter = /\{[^}]*\}/g
  const parameters = (path: string) => path.match(parameter)?.length ?? 0
  return Object.entries(paths)
    .sort(([one], [other]) => parameters(one) - parameters(other))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, responses }]) => ({
        name: operationId,
        place: new RegExp(`^${method} ${path.replaceAll(parameter, "[^/]+")}$`, "i"),
        statuses: new Set(Object.keys(responses)),
      })),
    )
}
