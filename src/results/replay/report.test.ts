/** Reports on many replays: one entry per cause, the most frequent first. */
import { expect, test } from "vitest"
import type { Replayed } from "./difference.ts"
import { joinReports, reportOf } from "./report.ts"

const seen = (blockId: string, excerpt: string, isReadOtherwise = false): Replayed => {
  const place = { groupTitle: "A", blockId }
  const after = { ...place, excerpt: "New" }
  return { difference: { kind: "text", before: { ...place, excerpt }, after }, isReadOtherwise }
}

test("conversations are counted by cause, for any replies, and a few are listed", () => {
  const replays: Replayed[] = [
    seen("rare", "Hi"),
    ...["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"].map((name) => seen("b1", name, name < "C")),
    { isSame: true },
    { obstacle: "steered" },
  ]
  const reports = replays.map((replayed, index) => reportOf(`r${index}`, replayed))
  const half = [joinReports(reports.slice(0, 4)), joinReports(reports.slice(4))]
  for (const report of [joinReports(reports), joinReports(half)]) {
    expect(report).toEqual({
      conversations: 9,
      unchanged: 1,
      differences: [
        {
          ...{ kind: "text", conversations: 6, answersChanged: 2 },
          before: { groupTitle: "A", blockId: "b1", excerpt: "Ann" },
          after: { groupTitle: "A", blockId: "b1", excerpt: "New" },
          examples: ["r1", "r2", "r3", "r4", "r5"],
        },
        expect.objectContaining({ conversations: 1, examples: ["r0"] }),
      ],
      notReplayed: [{ reason: "steered", conversations: 1, examples: ["r8"] }],
    })
  }
})
