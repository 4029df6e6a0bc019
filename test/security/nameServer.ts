/** A name server for tests, which answers with IPv4 addresses, or never. */
import { createSocket } from "node:dgram"
import { whenOver } from "../support/whenOver.ts"

/** What it says of a name that has been asked so many times before; undefined lets the caller wait. */
type Answer = (name: string, asked: number) => string | null | undefined

const typeA = 1

/** Opens one for the tests of a file. An answer of null means that there is no such name. */
export async function openNameServer(answer: Answer) {
  const socket = createSocket("udp4")
  let asked = 0
  socket.on("message", (question, from) => {
    const { name, type } = read(question)
    const address = type === typeA ? answer(name, asked++) : undefined
    if (type === typeA && address === undefined) return
    socket.send(answerOf(question, address), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  whenOver(() => socket.close())
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** How often an IPv4 address was asked for. */
    asked: () => asked,
  }
}

function endOfName(question: Buffer): number {
  return question.indexOf(0, 12)
}

function read(question: Buffer): { name: string; type: number } {
  const end = endOfName(question)
  const labels: string[] = []
  for (let at = 12; at < end; at += 1 + (question[at] ?? 0)) {
    labels.push(question.toString("latin1", at + 1, at + 1 + (question[at] ?? 0)))
  }
  return { name: labels.join("."), type: question.readUInt16BE(end + 1) }
}

const noSuchName = 3

/** A response that repeats the question, with at most one answer and a lifetime of zero (RFC 1035, section 4). */
function answerOf(question: Buffer, address: string | null | undefined): Buffer {
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180 + (address === null ? noSuchName : 0), 2)
  head.writeUInt16BE(address ? 1 : 0, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  const asked = question.subarray(12, endOfName(question) + 5)
  if (!address) return Buffer.concat([head, asked])
  const pointer = [0xc0, 12]
  const record = [...pointer, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]
  return Buffer.concat([head, asked, Buffer.from(record)])
}
