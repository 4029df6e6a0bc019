/** Reads members of blocks, whose types have different ones and may be unknown to this page. */

type Path = readonly (string | number)[]

/** The value at a path; undefined: there is none. */
export function valueAt(value: unknown, ...path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string | number, unknown>)[name]
        : undefined,
    value,
  )
}

/** The text at a path; "": there is none. */
export function textAt(value: unknown, ...path: Path): string {
  const found = valueAt(value, ...path)
  return typeof found === "string" ? found : typeof found === "number" ? String(found) : ""
}

export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Whether a block says a text of its author. */
export function isSaid(block: unknown): boolean {
  return Array.isArray(valueAt(block, "content", "richText"))
}

/** Whether an item is a share of the people, and says nothing of its own. */
export function isShare(item: unknown): boolean {
  return textAt(item, "path") !== ""
}
