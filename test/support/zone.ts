/** A name server for tests that answers from a zone: records by type and name, which tests change as they go. */
import { createSocket } from "node:dgram"
import { whenOver } from "./whenOver.ts"

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const

/** Values by `TYPE name`; of a name that is not among them it says that it does not exist. */
export type Zone = Map<string, string[]>

export async function openZone(zone: Zone = new Map()) {
  const socket = createSocket("udp4")
  let asked = 0
  let isSilent = false
  socket.on("message", (question, from) => {
    asked += 1
    if (!isSilent) socket.send(answerTo(question, zone), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  whenOver(() => socket.close())
  return {
    zone,
    address: `127.0.0.1:${socket.address().port}`,
    /** How many questions it was asked. */
    asked: () => asked,
    /** Lets it answer nothing from now on, or again. */
    silence: (silent: boolean) => {
      isSilent = silent
    },
  }
}

/** RFC 1035, section 4: the question again, and the answers with a pointer to its name. */
function answerTo(question: Buffer, zone: Zone): Buffer {
  const end = question.indexOf(0, 12)
  const labels: string[] = []
  for (let at = 12; at < end; at += 1 + question.readUInt8(at)) {
    labels.push(question.toString("latin1", at + 1, at + 1 + question.readUInt8(at)))
  }
  const number = question.readUInt16BE(end + 1)
  const [type = "A"] = Object.entries(types).find(([, each]) => each === number) ?? []
  const name = labels.join(".").toLowerCase()
  const values = zone.get(`${type} ${name}`) ?? []
  const isKnown = [...zone.keys()].some((key) => key.endsWith(` ${name}`))
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(values.length, 6)
  head.writeUInt32BE(0, 8)
  const answers = values.map((value) => {
    const data = dataOf(type, value)
    const fixed = Buffer.from([0xc0, 12, 0, number, 0, 1, 0, 0, 0, 0, 0, 0])
    fixed.writeUInt16BE(data.length, 10)
    return Buffer.concat([fixed, data])
  })
  return Buffer.concat([head, question.subarray(12, end + 5), ...answers])
}

function dataOf(type: string, value: string): Buffer {
  if (type === "A") return Buffer.from(value.split(".").map(Number))
  const labels = type === "CNAME" ? value.split(".") : [value]
  const parts = labels.map((label) =>
    Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]),
  )
  return Buffer.concat([...parts, ...(type === "CNAME" ? [Buffer.from([0])] : [])])
}
