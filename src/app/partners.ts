/** Which environment variables only make sense together. */

const partners = [
  ["PARLEY_SMTP_URL", "PARLEY_SMTP_FROM"],
  ["PARLEY_GOOGLE_CLIENT_ID", "PARLEY_GOOGLE_CLIENT_SECRET"],
  [
    "PARLEY_S3_ENDPOINT",
    "PARLEY_S3_BUCKET",
    "PARLEY_S3_ACCESS_KEY_ID",
    "PARLEY_S3_SECRET_ACCESS_KEY",
  ],
] as const

/** A sentence for each variable that is absent although one of its partners is there. */
export function missingPartners(
  environment: Readonly<Partial<Record<(typeof partners)[number][number], unknown>>>,
): string[] {
  return partners.flatMap((names) => {
    const missing = names.filter((name) => environment[name] === undefined)
    if (missing.length === 0 || missing.length === names.length) return []
    const given = names.find((name) => environment[name] !== undefined)
    return missing.map((name) => `${name} must be set when ${given} is.`)
  })
}
