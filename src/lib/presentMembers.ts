/** Leaves out the members of an object that hold nothing. */

type Present<T, Nothing> = { [Name in keyof T]?: Exclude<T[Name], Nothing> }

/** The members that are not undefined. */
export function defined<T extends object>(members: T): Present<T, undefined> {
  return pickMembers(members, (value) => value !== undefined)
}

/** The members that are neither undefined or null nor an empty text or list. */
export function nonEmpty<T extends object>(members: T): Present<T, undefined | null> {
  return pickMembers(members, (value) => {
    const isEmpty = value === "" || (Array.isArray(value) && value.length === 0)
    return value !== undefined && value !== null && !isEmpty
  })
}

function pickMembers<T extends object, Nothing>(members: T, isKept: (value: unknown) => boolean) {
  const kept = Object.entries(members).filter(([, value]) => isKept(value))
  return Object.fromEntries(kept) as Present<T, Nothing>
}
