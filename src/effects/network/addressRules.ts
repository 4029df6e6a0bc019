/** Decides which addresses flows may call: public ones, and those that the operator allows. */
import ipaddr from "ipaddr.js"
import { plainHost } from "../../lib/plainHost.ts"

/** The network guard has blocked a request; the message states the rule and no part of the request. */
export class BlockedError extends Error {
  override name = "BlockedError"
}

/** The rules; hosts and addresses have the form of the URL standard. */
export type AddressRules = ReturnType<typeof createAddressRules>

type Ip = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Ip, number]

/** Makes the rules. An entry is a host, a host with a port, an IP address, or a range in CIDR notation. */
export function createAddressRules(allowHosts: readonly string[]) {
  const ranges: Range[] = []
  const hosts = new Set<string>()
  for (const entry of allowHosts) {
    const range = readRange(entry)
    if (range) ranges.push(range)
    else hosts.add(readHost(entry))
  }
  /** Whether the operator allows this host by name, regardless of its IP address. */
  const isListed = (host: string, port: number) => {
    const name = bareHost(host)
    return hosts.has(name) || hosts.has(`${name}:${port}`)
  }
  /** Throws a BlockedError for an IP address that must not be connected to. */
  const checkIp = (text: string, isHostListed: boolean) => {
    const ip = ipaddr.parse(text)
    if (metadataIps.has(ip.toNormalizedString())) throw notPublic()
    const isAllowed = isHostListed || ranges.some((range) => isWithin(ip, range))
    if (!isAllowed && !isPublic(ip)) throw notPublic()
  }
  return {
    isListed,
    checkIp,
    /** Throws a BlockedError if the address breaks a rule, before its host is resolved. */
    checkUrl(url: URL) {
      if (url.protocol !== "http:" && url.protocol !== "https:") {
        throw new BlockedError("Only addresses with http:// or https:// can be called")
      }
      if (url.username !== "" || url.password !== "") {
        throw new BlockedError("The address must not contain a user name or a password")
      }
      const host = bareHost(url.hostname)
      if (metadataHosts.has(host)) throw notPublic()
      if (ipaddr.isValid(host)) checkIp(host, isListed(host, portOf(url)))
    },
  }
}

/** The port of a URL, or its default. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port)
  return url.protocol === "https:" ? 443 : 80
}

const notPublic = () => new BlockedError("The address is not a public one")

/** A host in plain form, and without the brackets of an IPv6 address. */
export function bareHost(host: string): string {
  return plainHost(withoutBrackets(host))
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1")
}

function readRange(entry: string): Range | undefined {
  const plain = withoutBrackets(entry)
  if (ipaddr.isValidCIDR(plain)) return ipaddr.parseCIDR(plain)
  // `isValid` takes `1` and `0x7f.1` for addresses, but they can only be meant as names.
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return undefined
  const ip = ipaddr.parse(plain)
  return [ip, ip.kind() === "ipv4" ? 32 : 128]
}

function readHost(entry: string): string {
  const url = URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : undefined
  const isPlain = url && `${url.pathname}${url.search}${url.hash}${url.username}` === "/"
  if (!isPlain) throw new Error(`"${entry}" is not a host, a host with a port, or a range of IPs`)
  // The parser drops port 80, so the port is read from the entry itself.
  const port = /:(\d+)$/.exec(entry)?.[1]
  return bareHost(url.hostname) + (port === undefined ? "" : `:${Number(port)}`)
}

function isWithin(ip: Ip, [start, bits]: Range): boolean {
  return ip.kind() === start.kind() && ip.match(start, bits)
}

// The only public part of IPv6 (RFC 4291, section 2.4): other ranges map, translate or are local.
const globalUnicast: Range = [ipaddr.parse("2000::"), 3]
const documentation: Range = [ipaddr.parse("3fff::"), 20]

function isPublic(ip: Ip): boolean {
  if (ip.range() !== "unicast") return false
  return ip.kind() === "ipv4" || (isWithin(ip, globalUnicast) && !isWithin(ip, documentation))
}

/**
 * The metadata services of clouds, which hand out credentials of the machine: EC2, ECS, EKS, Azure,
 * Alibaba, Oracle, Google. Not even the operator can allow them.
 */
const metadataIps = new Set(
  [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
  ].map((ip) => ipaddr.parse(ip).toNormalizedString()),
)

const metadataHosts = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "instance-data",
  "instance-data.ec2.internal",
])
