/** ElevenLabs. */
import { expect, it } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { elevenlabsBlock } from "./block.ts"

type ElevenlabsBlock = BlockOf<typeof elevenlabsBlock>

const block: ElevenlabsBlock = {
  id: "b",
  type: "elevenlabs",
  options: {
    credentialsId: "c",
    action: "Convert text to speech",
    text: "Hi {{N}}",
    voiceId: "v/1",
    modelId: "m",
    saveUrlInVariableId: "vA",
  },
}

it("21.11 asks for an MP3 that is kept as a file", () => {
  const call = callOf(elevenlabsBlock.run(block, testScene({ variables: { N: "Ann" } })))
  expect(call).toMatchObject({
    request: {
      url: "https://api.elevenlabs.io/v1/text-to-speech/v%2F1",
      body: { text: '{"text":"Hi Ann","model_id":"m"}' },
    },
    savesFile: { contentType: "audio/mpeg", extension: "mp3" },
  })
})

it("21.11 keeps the address", () => {
  const answer = { status: 200, text: "", fileUrl: "https://f.test/a.mp3" }
  expect(elevenlabsBlock.resume.http(block, answer, testScene()).set).toEqual([
    { variableId: "vA", value: "https://f.test/a.mp3" },
  ])
})

it("21.11 logs missing options", () => {
  const bare: ElevenlabsBlock = { ...block, options: { ...block.options, text: "{{Unset}}" } }
  expect(elevenlabsBlock.run(bare, testScene()).log?.[0]?.status).toBe("error")
})
