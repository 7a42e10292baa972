import type { LibraryAsk } from '../../api'

/** What the address of the library holds; a paste is behind `#`, where no server sees it. */
export type LibrarySearch = {
  q?: string
  kind?: 'signature' | 'story'
  area?: string
  symptom?: string
  fix?: 'true' | 'false'
  kernel?: string
  verdict?: 'affected' | 'unknown' | 'fixed' | 'not_affected'
}

const VERDICTS: readonly string[] = ['affected', 'unknown', 'fixed', 'not_affected']
const text = (value: unknown, most: number) =>
  typeof value === 'string' && value !== '' ? value.slice(0, most) : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

/** Read what stands in an address; what makes no sense is as if it were not there. */
export function readLibrarySearch(raw: Record<string, unknown>): LibrarySearch {
  const fix = text(raw.fix, 5)
  const read = {
    q: text(raw.q, LONGEST_WORDS),
    kind: raw.kind === 'signature' || raw.kind === 'story' ? raw.kind : undefined,
    area: text(raw.area, 50),
    symptom: text(raw.symptom, 50),
    fix: fix === 'true' || fix === 'false' ? fix : undefined,
    kernel: text(raw.kernel, 200),
    verdict: VERDICTS.includes(raw.verdict as string) ? raw.verdict : undefined,
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as LibrarySearch
}

/** What is asked of the server. */
export function askOf(asked: string, search: LibrarySearch): LibraryAsk {
  return {
    text: asked,
    ...(search.kind && { kind: search.kind }),
    ...(search.area && { area: search.area }),
    ...(search.symptom && { symptom: search.symptom }),
    ...(search.fix && { has_fix: search.fix === 'true' }),
    ...(search.kernel && { kernel: search.kernel }),
    ...(search.kernel && search.verdict && { kernel_verdict: search.verdict }),
  }
}

/** Longer than this, or of several lines, is a paste. */
export const LONGEST_WORDS = 300
export const LONGEST_PASTE = 200_000

export const isPaste = (asked: string): boolean => asked.length > LONGEST_WORDS || asked.trim().includes('\n')

/** What is asked with a file: the beginning of its text; undefined when it holds none. */
export async function textOf(file: Blob): Promise<string | undefined> {
  const begins = (await file.slice(0, LONGEST_PASTE).text()).slice(0, LONGEST_PASTE)
  // A character may have been cut in two at the end.
  const isText = begins.trim() !== '' && !begins.includes('\0') && !begins.slice(0, -3).includes('\uFFFD')
  return isText ? begins : undefined
}

const PASTE = 'paste='

/** A paste as the end of an address: deflated, in letters that addresses keep. */
export async function packed(asked: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(asked), new CompressionStream('deflate-raw'))
  let letters = ''
  for (const byte of bytes) letters += String.fromCharCode(byte)
  return PASTE + btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The paste at the end of an address; "" when it holds none that can be read. */
export async function unpacked(hash: string): Promise<string> {
  const letters = hash.replace(/^#/, '')
  if (!letters.startsWith(PASTE)) return ''
  try {
    const bytes = Uint8Array.from(atob(letters.slice(PASTE.length).replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
    return new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))).slice(0, LONGEST_PASTE)
  } catch {
    return ''
  }
}

/** Send bytes through; more than a paste may hold is left where it is, so a small address cannot fill the memory. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const writer = stream.writable.getWriter()
  // A stream that cannot read its input says so to the reader below.
  const written = writer.write(bytes).then(() => writer.close()).catch(() => undefined)
  const reader = stream.readable.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (let part = await reader.read(); !part.done && size < 4 * LONGEST_PASTE; part = await reader.read()) {
    parts.push(part.value)
    size += part.value.length
  }
  void reader.cancel().catch(() => undefined)
  void written
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
