/** Addresses of bots. */
import { expect, test } from "vitest"
import { isCustomDomain, isPublicId, plainDomain, publicIdFrom } from "./publicIds.ts"

const id = "abcdefghijklmnopqrstuvwx"

test("a public id is made from the letters and digits of a name", () => {
  expect(publicIdFrom("My bot", id)).toBe("my-bot-rstuvwx")
  expect(publicIdFrom("  Olá, Ärger & Co. №2 ", id)).toBe("ola-arger-co-no2-rstuvwx")
  expect(publicIdFrom("你好", id)).toBe("bot-rstuvwx")
  expect(publicIdFrom("", id)).toBe("bot-rstuvwx")
})

test("a public id made from any name is allowed", () => {
  for (const name of ["-", "a--b", "x".repeat(400), `${"x".repeat(199)} y`, "ÅÄÖ", "9 lives"]) {
    expect(isPublicId(publicIdFrom(name, id))).toBe(true)
  }
})

test("a custom domain is a host, perhaps with a path", () => {
  const allowed = [
    "a.co",
    "sub.my-host.example",
    "a.co/Path",
    "a.xn--p1ai",
    "a.co/some/long_path-1",
    "a.co/",
  ]
  const refused = [
    "A.co",
    "a",
    "a.c",
    "-a.co",
    "a-.co",
    "a.co:80",
    "a.co/?q",
    "a..co",
    `${"a".repeat(64)}.co`,
  ]
  expect(allowed.filter((domain) => !isCustomDomain(domain))).toEqual([])
  expect(refused.filter(isCustomDomain)).toEqual([])
})

test("spellings of one domain have one plain form", () => {
  const spellings = [
    [
      "x.example/help",
      "X.EXAMPLE/help",
      "x.example//help/",
      " x.example./help ",
      "x.Example/help//",
    ],
    ["xn--4ca.example", "ä.example", "Ä.example.", "a\u0308.example/", "XN--4CA.example"],
  ]
  for (const [plain = "", ...others] of spellings) {
    for (const other of [plain, ...others]) expect(plainDomain(other)).toBe(plain)
    expect(isCustomDomain(plain)).toBe(true)
  }
  expect(plainDomain("x.example/Help")).not.toBe(plainDomain("x.example/help"))
})
