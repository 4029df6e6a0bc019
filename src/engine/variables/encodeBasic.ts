/** Encodes logins of `Basic` authentication, which authors write as `Basic name:password`. */

/** The value of a header; that of `Authorization` in base64 if it is a login in clear. */
export function encodeBasic(name: string, value: string): string {
  if (name.toLowerCase() !== "authorization" || !value.startsWith("Basic ")) return value
  const login = value.slice("Basic ".length)
  if (!login.includes(":")) return value
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(login)))}`
}
