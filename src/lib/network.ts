/** The network of a client: providers give one customer a whole network of IPv6 addresses. */
import ipaddr from "ipaddr.js"

const customerBits = 64

/** An IPv4 address as it is, of an IPv6 address its /64 network; other texts are returned unchanged. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const parts = parsed.parts.map((part, index) => (index * 16 < customerBits ? part : 0))
  return `${new ipaddr.IPv6(parts).toString()}/${customerBits}`
}
