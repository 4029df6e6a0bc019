/** Amounts of money: as payment providers count them, and as people read them. */

/** Currencies without a smaller unit, as Stripe lists them. */
const zeroDecimalCurrencies = new Set([
  "BIF",
  "CLP",
  "DJF",
  "GNF",
  "JPY",
  "KMF",
  "KRW",
  "MGA",
  "PYG",
  "RWF",
  "UGX",
  "VND",
  "VUV",
  "XAF",
  "XOF",
  "XPF",
])

/** A sum in one currency. */
export type Amount = {
  value: number
  /** Three upper-case letters. */
  currency: string
}

/** The whole number of smallest units: cents, or yen. */
export function minorUnits({ value, currency }: Amount): number {
  return Math.round(zeroDecimalCurrencies.has(currency) ? value : value * 100)
}

/** The amount with its currency sign; euros in the French manner, others in the American one. */
export function amountLabel({ value, currency }: Amount): string {
  const locale = currency === "EUR" ? "fr-FR" : "en-US"
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(value)
}
