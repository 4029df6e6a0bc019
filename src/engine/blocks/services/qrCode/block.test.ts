/** QR codes. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/scene.ts"
import { callOf } from "../service.ts"
import { qrCodeBlock } from "./block.ts"
import type { QrCodeBlock } from "./schema.ts"

const block: QrCodeBlock = {
  id: "b",
  type: "qr-code",
  options: { action: "Generate a QR Code", data: "{{A}}", saveUrlInVariableId: "vU" },
}

it("draws what the variable says, without any account", () => {
  const scene = testScene({ variables: { A: "hello" } })
  expect(callOf(qrCodeBlock.run(block, scene))).toEqual({ kind: "qrCode", text: "hello" })
})

it("keeps the address, and logs missing data and failures", () => {
  const scene = testScene()
  expect(qrCodeBlock.resume.qrCode(block, { url: "https://f.test/q.png" }, scene).set).toEqual([
    { variableId: "vU", value: "https://f.test/q.png" },
  ])
  expect(qrCodeBlock.run(block, scene).log?.[0]?.status).toBe("error")
  const failure = { failed: true as const, description: "too long" }
  expect(qrCodeBlock.resume.qrCode(block, failure, scene).log?.[0]?.description).toBe("too long")
})
