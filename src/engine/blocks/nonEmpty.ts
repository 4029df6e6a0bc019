/** Leaves out the members of an object that hold nothing. */

type NonEmpty<T> = { [Name in keyof T]?: Exclude<T[Name], undefined | null> }

/** The members that are neither undefined or null nor an empty text or list. */
export function nonEmpty<T extends object>(members: T): NonEmpty<T> {
  const kept = Object.entries(members).filter(([, value]) => {
    return value !== undefined && value !== null && value !== "" && !isEmptyList(value)
  })
  return Object.fromEntries(kept) as NonEmpty<T>
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
