/** Names the rule of the database that a write broke. */
import pg from "pg"

/**
 * The unique, foreign-key or check constraint that a failed statement names, such as
 * `bots_public_id_key`; undefined for every other error.
 */
export function violatedConstraint(error: unknown): string | undefined {
  // Appendix A of the PostgreSQL manual: class 23 is integrity constraint violation.
  const isViolation = error instanceof pg.DatabaseError && error.code?.startsWith("23") === true
  return isViolation ? error.constraint : undefined
}
