/** Decides who shares what: parties take turns, networks of clients count as one, and none gets all there is. */
import ipaddr from "ipaddr.js"

/**
 * Who work is counted for. Owners take turns, and within an owner its parts do. So neither a thousand
 * workspaces of one user nor a thousand addresses of strangers get more turns than one owner.
 */
export type Party = Readonly<{ owner: string; part: string }>

/** Work without a token, all of it together. */
const strangers = "strangers"

/** A caller with a token or a session; what they do in their workspaces counts together. */
export function userParty(userId: string, part = ""): Party {
  return { owner: `user ${userId}`, part }
}

/**
 * The chats of a workspace count for its creator, for good: handing a workspace over neither frees
 * a share nor takes one from its new ADMIN. Workspaces of former versions without members are on their own.
 */
export function workspaceParty(workspace: {
  workspaceId: string
  creatorId: string | null | undefined
}): Party {
  const { workspaceId, creatorId } = workspace
  return creatorId ? userParty(creatorId, workspaceId) : userParty(`of ${workspaceId}`)
}

/** A caller of whom only the address is known yet. */
export function addressParty(address: string): Party {
  return { owner: `address ${networkOf(address)}`, part: "" }
}

/** A caller without a token: one of all strangers, who take turns by address. */
export function strangerParty(address: string): Party {
  return { owner: strangers, part: networkOf(address) }
}

/**
 * Whether the parts of a party belong to different people, so that none of them may take the whole share.
 */
export function isCrowd({ owner }: Pick<Party, "owner">): boolean {
  return owner === strangers
}

/** Providers give one customer a whole network of IPv6 addresses. */
export const customerBits = 64

/** An IPv4 address as it is, of an IPv6 address its /64 network; other texts are returned unchanged. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString()
  const parts = parsed.parts.map((part, index) => (index * 16 < customerBits ? part : 0))
  return `${new ipaddr.IPv6(parts).toString()}/${customerBits}`
}
