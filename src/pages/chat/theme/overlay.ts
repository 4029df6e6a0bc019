/** Lays parts of one theme over another. */
export function overlay<T>(under: T, over: unknown): T {
  if (over === undefined) return under
  if (!isObject(under) || !isObject(over)) return over as T
  const laid = Object.entries(over).map(([name, part]) => [name, overlay(under[name], part)])
  return { ...under, ...Object.fromEntries(laid) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
