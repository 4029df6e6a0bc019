/** QR codes. */
import { expect, it } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { qrCodeBlock } from "./block.ts"

type QrCodeBlock = BlockOf<typeof qrCodeBlock>

const block: QrCodeBlock = {
  id: "b",
  type: "qr-code",
  options: { action: "Generate a QR Code", data: "{{A}}", saveUrlInVariableId: "vU" },
}

it("21.12 draws the variable's text, without an account", () => {
  const context = testScene({ variables: { A: "hello" } })
  expect(callOf(qrCodeBlock.run(block, context))).toEqual({ kind: "qrCode", text: "hello" })
})

it("21.12 keeps the address, and logs missing data and failures", () => {
  const context = testScene()
  expect(qrCodeBlock.resume.qrCode(block, { url: "https://f.test/q.png" }, context).set).toEqual([
    { variableId: "vU", value: "https://f.test/q.png" },
  ])
  expect(qrCodeBlock.run(block, context).log?.[0]?.status).toBe("error")
  const failure = { failed: true as const, description: "too long" }
  expect(qrCodeBlock.resume.qrCode(block, failure, context).log?.[0]?.description).toBe("too long")
})
