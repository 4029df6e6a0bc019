/** Fills in the variables of all texts in a structure, such as the options of a block. */
import { spend } from "../budget/fuel.ts"
import { interpolate, partUnits, type Scope } from "./interpolate.ts"
import { interpolateUrl } from "./interpolateUrl.ts"

/**
 * A copy with every text property interpolated, at any depth. Texts that are elements of a list stay literal.
 * `dropsEmpty` removes properties that become `""`. In members named as addresses, visitor input stays one
 * part.
 */
export function interpolateStructure<T>(value: T, scope: Scope, how?: { dropsEmpty: boolean }): T
export function interpolateStructure(
  value: unknown,
  scope: Scope,
  how = { dropsEmpty: false },
): unknown {
  if (typeof value === "string") return interpolate(value, scope)
  if (typeof value !== "object" || value === null) return value
  spend(scope.fuel, partUnits)
  if (Array.isArray(value)) {
    spend(scope.fuel, value.length)
    return value.map((element: unknown) =>
      typeof element === "string" ? element : interpolateStructure(element, scope, how),
    )
  }
  const members: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    const filled =
      typeof member === "string" && isAddressName(key)
        ? interpolateUrl(member, scope)
        : interpolateStructure(member as unknown, scope, how)
    if (how.dropsEmpty && filled === "") continue
    members.push([key, filled])
  }
  // fromEntries defines own members, so __proto__ is safe.
  return Object.fromEntries(members)
}

/** Whether a member's name marks addresses: `url`, `imageUrl`, `pictureSrc`, `link`, `href`. */
function isAddressName(name: string): boolean {
  return /(?:^u|U)rl$|(?:^s|S)rc$|(?:^l|L)ink$|(?:^h|H)ref$/.test(name)
}
