/** Makes ids of elements; `crypto.randomUUID` is missing on pages without TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("")
}
