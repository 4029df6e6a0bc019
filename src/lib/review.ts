/** Decides which bots wait for the review of an operator. */

/** Highest risk level at which workspaces that were not reviewed may publish. */
export const maxRiskLevel = 80

type RiskFacts = {
  /** From 0 to 100; null: not assessed. */
  riskLevel: number | null
  /** Whether the operator has reviewed the workspace; null: not yet. */
  isVerified: boolean | null
}

export function needsReview({ riskLevel, isVerified }: RiskFacts): boolean {
  return (riskLevel ?? 0) > maxRiskLevel && isVerified !== true
}
