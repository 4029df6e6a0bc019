/** Tests which addresses flows may call, and which ones no setting allows. */
import { describe, expect, test } from "vitest"
import { BlockedError, createAddressRules } from "./addressRules.ts"

const metadata = [
  ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16"],
  ...["100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"],
]
const urlOf = (ip: string) => new URL(`http://${ip.includes(":") ? `[${ip}]` : ip}/`)

describe("addresses that operators allow", () => {
  const rules = createAddressRules(["0.0.0.0/0", "::/0", "100.64.0.0/10", ...metadata])

  test.each(metadata)("never include %s, which hands out credentials of the machine", (ip) => {
    expect(() => rules.checkIp(ip, false)).toThrow(BlockedError)
    expect(() => rules.checkIp(ip, true)).toThrow(BlockedError)
    expect(() => rules.checkUrl(urlOf(ip))).toThrow(BlockedError)
  })

  test("are those of their range, and no others", () => {
    const narrow = createAddressRules(["100.64.0.0/10"])
    for (const ip of ["100.64.0.1", "100.100.100.199", "100.100.100.201", "100.127.255.255"]) {
      expect(() => narrow.checkIp(ip, false)).not.toThrow()
    }
    for (const ip of ["10.0.0.1", "127.0.0.1", "192.168.0.1", "fd00::1"]) {
      expect(() => narrow.checkIp(ip, false)).toThrow(BlockedError)
    }
  })
})
