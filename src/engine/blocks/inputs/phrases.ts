/** Searches a text for many phrases at once, in time linear in the length of text and phrases. */
import { foldCase } from "../../../lib/foldCase.ts"

/** A text as numbered pieces: words, white space, and single other characters. */
type Sentence = {
  /** The number of each piece in turn; `spent` once a phrase has used it up. */
  pieces: Int32Array
  numberOf: Map<string, number>
  /** Per number, whether the piece is a word. */
  isWord: boolean[]
}

const spent = -1

/** Reads a text, ignoring case and the amount of white space. */
export function readSentence(text: string): Sentence {
  const read = piecesOf(text)
  const pieces = new Int32Array(read.length)
  const numberOf = new Map<string, number>()
  const isWord: boolean[] = []
  for (const [place, piece] of read.entries()) {
    const known = numberOf.get(piece)
    pieces[place] = known ?? numberOf.size
    if (known !== undefined) continue
    numberOf.set(piece, numberOf.size)
    isWord.push(/^[\p{L}\p{N}\p{M}]/u.test(piece))
  }
  return { pieces, numberOf, isWord }
}

function piecesOf(text: string): string[] {
  const found = foldCase(text.trim()).match(/[\p{L}\p{N}\p{M}]+|\s+|./gsu)
  return (found ?? []).map((piece) => (piece.trim() ? piece : " "))
}

/**
 * Uses up every place where a phrase stands without a word touching it, longer phrases first, and
 * returns the indices of the phrases that were found. A phrase that occurs twice in the list is found
 * once; an empty one never.
 */
export function spendPhrases(sentence: Sentence, phrases: readonly string[]): Set<number> {
  const trie = plant(phrasesWithin(sentence, phrases), sentence.numberOf.size)
  const found = new Set<number>()
  if (trie.phrases.length === 0) return found
  const ends = longestAtEachEnd(sentence, trie)
  for (const [rank, { index, numbers }] of trie.phrases.entries()) {
    for (const end of ends[rank] ?? []) {
      if (!canEnd(sentence, end)) continue
      const start = end + 1 - numbers.length
      if (canStart(sentence, start)) {
        sentence.pieces.fill(spent, start, end + 1)
        found.add(index)
      } else {
        // A shorter phrase may still end here.
        ends[trie.shorter[rank] ?? none]?.push(end)
      }
    }
  }
  return found
}

type Phrase = { index: number; numbers: number[]; length: number }

/** The phrases whose pieces all occur in the text, longest first. */
function phrasesWithin({ numberOf }: Sentence, phrases: readonly string[]): Phrase[] {
  const within: Phrase[] = []
  for (const [index, phrase] of phrases.entries()) {
    const pieces = piecesOf(phrase)
    const numbers = pieces.flatMap((piece) => numberOf.get(piece) ?? [])
    if (numbers.length === 0 || numbers.length < pieces.length) continue
    within.push({ index, numbers, length: pieces.join("").length })
  }
  return within.sort((one, other) => other.length - one.length)
}

/** The automaton of Aho and Corasick (CACM 18:6, 1975); node 0 is the root. */
type Trie = {
  phrases: Phrase[]
  /** Child by `node * width + number`. */
  children: Map<number, number>
  width: number
  /** Per node, the node of its longest proper suffix that is also a prefix of a phrase. */
  fallback: number[]
  /** Per node, the rank of the longest phrase that ends there, or `none`. */
  longest: number[]
  /** Per rank, the rank of the longest other phrase that the phrase ends with, or `none`. */
  shorter: number[]
}

const none = -1

function plant(phrases: Phrase[], width: number): Trie {
  const trie: Trie = {
    phrases,
    children: new Map(),
    width,
    fallback: [0],
    longest: [none],
    shorter: [],
  }
  const byDepth: { node: number; parent: number; number: number }[][] = []
  for (const [rank, { numbers }] of phrases.entries()) {
    let node = 0
    for (const [depth, number] of numbers.entries()) {
      const parent = node
      const known = trie.children.get(parent * width + number)
      node = known ?? trie.longest.push(none) - 1
      if (known !== undefined) continue
      trie.children.set(parent * width + number, node)
      byDepth[depth] ??= []
      byDepth[depth].push({ node, parent, number })
    }
    if (trie.longest[node] === none) trie.longest[node] = rank
  }
  for (const { node, parent, number } of byDepth.flat()) {
    const fallback = parent === 0 ? 0 : follow(trie, trie.fallback[parent] ?? 0, number)
    const ending = trie.longest[fallback] ?? none
    trie.fallback[node] = fallback
    const own = trie.longest[node] ?? none
    if (own === none) trie.longest[node] = ending
    else trie.shorter[own] = ending
  }
  return trie
}

function follow(trie: Trie, from: number, number: number): number {
  for (let node = from; ; node = trie.fallback[node] ?? 0) {
    const child = trie.children.get(node * trie.width + number)
    if (child !== undefined || node === 0) return child ?? 0
  }
}

/** Per rank, the places where the phrase is the longest one to end. */
function longestAtEachEnd({ pieces }: Sentence, trie: Trie): number[][] {
  const ends: number[][] = trie.phrases.map(() => [])
  let node = 0
  for (const [place, number] of pieces.entries()) {
    node = number === spent ? 0 : follow(trie, node, number)
    ends[trie.longest[node] ?? none]?.push(place)
  }
  return ends
}

// Checking both ends is enough: phrases spent before are longer and cannot lie inside.

function canStart({ pieces, isWord }: Sentence, start: number): boolean {
  return pieces[start] !== spent && !isWord[pieces[start - 1] ?? spent]
}

function canEnd({ pieces, isWord }: Sentence, end: number): boolean {
  return pieces[end] !== spent && !isWord[pieces[end + 1] ?? spent]
}
