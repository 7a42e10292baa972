/** What a frame is made of, in the order of the legend. */
export const KINDS = ['kernel', 'module', 'user', 'jit', 'unknown'] as const
export type Kind = (typeof KINDS)[number]

export const KIND_WORDS: Record<Kind, string> = {
  kernel: 'kernel',
  module: 'kernel module',
  user: 'user space',
  jit: 'JIT code',
  unknown: 'unknown',
}

export function asKind(kind: string): Kind {
  return (KINDS as readonly string[]).includes(kind) ? (kind as Kind) : 'unknown'
}

/** Kinds as numbers, and back. */
export const kindCodes = (kinds: readonly string[]): Uint8Array => Uint8Array.from(kinds, (kind) => KINDS.indexOf(asKind(kind)))
export const kindsOfCodes = (codes: Uint8Array): Kind[] => Array.from(codes, (code) => KINDS[code] ?? 'unknown')

/** Hue, chroma and a range of lightness (OKLCH): kinds differ in hue, names of one kind only in lightness. */
const light: Record<Kind, readonly [number, number, number, number]> = {
  kernel: [48, 0.105, 0.76, 0.87],
  module: [95, 0.1, 0.82, 0.9],
  user: [225, 0.06, 0.78, 0.89],
  jit: [160, 0.07, 0.8, 0.89],
  unknown: [260, 0.008, 0.8, 0.88],
}
const dark: Record<Kind, readonly [number, number, number, number]> = {
  kernel: [45, 0.095, 0.42, 0.52],
  module: [95, 0.075, 0.42, 0.5],
  user: [228, 0.06, 0.38, 0.49],
  jit: [162, 0.06, 0.38, 0.47],
  unknown: [260, 0.012, 0.36, 0.43],
}

/** Steps of lightness of one kind; few, so that a canvas changes colour seldom. */
export const SHADES = 12

/** A steady step for a name: the same in every graph, so that the eye finds it again. */
export function shadeOf(name: string): number {
  return hash(name) % SHADES
}

/** All shades of all kinds; the shade `s` of the kind `k` stands at `k * SHADES + s`. */
export function kindColours(isDark: boolean): string[] {
  return KINDS.flatMap((kind) => {
    const [hue, chroma, low, high] = (isDark ? dark : light)[kind]
    return Array.from({ length: SHADES }, (_, at) => `oklch(${(low + (at / (SHADES - 1)) * (high - low)).toFixed(3)} ${chroma} ${hue})`)
  })
}

/** Where the colour of a name stands in `kindColours`. */
export function colourIndex(name: string, kind: string): number {
  return KINDS.indexOf(asKind(kind)) * SHADES + shadeOf(name)
}

export function frameColour(name: string, kind: string, isDark: boolean): string {
  return kindColours(isDark)[colourIndex(name, kind)] as string
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return value
}
