/** The countries that phone numbers can be of. */
import { getCountries, getCountryCallingCode } from "libphonenumber-js"
import { expect, test } from "vitest"
import { listCountries } from "./countries.ts"

test("all countries of libphonenumber are there, with their calling codes", () => {
  const listed = listCountries("en").map(({ id, callingCode }) => [id, callingCode])
  const known = getCountries().map((id) => [id, getCountryCallingCode(id)])
  expect(listed.sort()).toEqual(known.sort())
})

test("they are named and sorted in the language of the locale", () => {
  const germany = { id: "DE", name: "Deutschland", callingCode: "49" }
  const austria = { id: "AT", name: "Österreich", callingCode: "43" }
  const countries = listCountries("de")
  expect(countries).toEqual(expect.arrayContaining([germany, austria]))
  const names = countries.map(({ name }) => name)
  expect(names.indexOf("Österreich")).toBeLessThan(names.indexOf("Pakistan"))
})
