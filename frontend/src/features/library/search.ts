import type { LibraryQuery } from '../../api'

/** Search parameters of the library URL. A paste is in the fragment, which is not sent to the server. */
export type LibrarySearch = {
  q?: string
  kind?: 'signature' | 'story'
  area?: string
  symptom?: string
  fix?: 'true' | 'false'
  kernel?: string
  verdict?: NonNullable<LibraryQuery['kernel_verdict']>
  /** Shelves of the library without a query; by area when absent. */
  shelf?: 'symptom' | 'story'
  /** Results that few of the words support are shown, too. */
  weak?: 'true'
}

const VERDICTS: readonly string[] = ['affected', 'probably_affected', 'affected_unless_backported', 'unknown', 'probably_not_affected', 'not_affected', 'fixed', 'version_independent']
const text = (value: unknown, maxChars: number) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxChars) : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

/** Parse URL parameters; invalid values are ignored. */
export function readLibrarySearch(raw: Record<string, unknown>): LibrarySearch {
  const fix = text(raw.fix, 5)
  const read = {
    q: text(raw.q, MAX_QUERY_CHARS),
    kind: raw.kind === 'signature' || raw.kind === 'story' ? raw.kind : undefined,
    area: text(raw.area, 50),
    symptom: text(raw.symptom, 50),
    fix: fix === 'true' || fix === 'false' ? fix : undefined,
    kernel: text(raw.kernel, MAX_KERNEL_CHARS),
    verdict: VERDICTS.includes(raw.verdict as string) ? raw.verdict : undefined,
    shelf: raw.shelf === 'symptom' || raw.shelf === 'story' ? raw.shelf : undefined,
    weak: text(raw.weak, 5) === 'true' ? 'true' : undefined,
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as LibrarySearch
}

/** Change the shelves; the default is not in the URL. */
export function withShelf(search: LibrarySearch, shelf: 'area' | 'symptom' | 'story'): LibrarySearch {
  const { shelf: _, ...others } = search
  return shelf === 'area' ? others : { ...others, shelf }
}

/** Request body for the search API. */
export function requestOf(query: string, search: LibrarySearch): LibraryQuery {
  return {
    text: query,
    ...(search.kind && { kind: search.kind }),
    ...(search.area && { area: search.area }),
    ...(search.symptom && { symptom: search.symptom }),
    ...(search.fix && { has_fix: search.fix === 'true' }),
    ...(search.weak && query !== '' && { weak: true }),
    ...(search.kernel && { kernel: search.kernel }),
    ...(search.kernel && search.verdict && { kernel_verdict: search.verdict }),
  }
}

/** Longer or multi-line text is treated as a paste. */
export const MAX_QUERY_CHARS = 300
export const MAX_KERNEL_CHARS = 2000
export const MAX_PASTE_CHARS = 200_000

/** Whether a text is nothing but the name of a kernel or a system. */
export const namesKernel = (recognised: readonly { format: string }[]): boolean =>
  recognised.length > 0 && recognised.every(({ format }) => format === 'kernel-version' || format === 'os-release')

export const isPaste = (query: string): boolean => query.length > MAX_QUERY_CHARS || query.trim().includes('\n')

/** The first `MAX_PASTE_CHARS` characters of a text file; undefined for binary or empty files. */
export async function textOf(file: Blob): Promise<string | undefined> {
  const head = (await file.slice(0, MAX_PASTE_CHARS).text()).slice(0, MAX_PASTE_CHARS)
  // The cut may split a character at the end.
  const isText = head.trim() !== '' && !head.includes('\0') && !head.slice(0, -3).includes('\uFFFD')
  return isText ? head : undefined
}

const PASTE = 'paste='

/** Encode a paste as a URL fragment: deflate, then base64url. */
export async function packPaste(pasted: string): Promise<string> {
  const bytes = await pipeThrough(new TextEncoder().encode(pasted), new CompressionStream('deflate-raw'))
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return PASTE + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decode a paste from a URL fragment; "" if it is missing or invalid. */
export async function unpackPaste(hash: string): Promise<string> {
  const fragment = hash.replace(/^#/, '')
  if (!fragment.startsWith(PASTE)) return ''
  try {
    const bytes = Uint8Array.from(atob(fragment.slice(PASTE.length).replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    return new TextDecoder().decode(await pipeThrough(bytes, new DecompressionStream('deflate-raw'))).slice(0, MAX_PASTE_CHARS)
  } catch {
    return ''
  }
}

/** Pipe bytes through a stream, with limited output against decompression bombs. */
async function pipeThrough(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const writer = stream.writable.getWriter()
  // Errors of the stream surface in the reader below.
  const writing = writer.write(bytes).then(() => writer.close()).catch(() => undefined)
  const reader = stream.readable.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (let part = await reader.read(); !part.done && size < 4 * MAX_PASTE_CHARS; part = await reader.read()) {
    parts.push(part.value)
    size += part.value.length
  }
  void reader.cancel().catch(() => undefined)
  void writing
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
