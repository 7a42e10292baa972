/** The kinds of code a frame can be, in legend order. */
export const KINDS = ['kernel', 'module', 'user', 'jit', 'unknown'] as const
export type Kind = (typeof KINDS)[number]

export const KIND_LABELS: Record<Kind, string> = {
  kernel: 'kernel',
  module: 'kernel module',
  user: 'user space',
  jit: 'JIT code',
  unknown: 'unknown',
}

export function asKind(kind: string): Kind {
  return (KINDS as readonly string[]).includes(kind) ? (kind as Kind) : 'unknown'
}

/** Kinds as indices, and back. */
export const kindCodes = (kinds: readonly string[]): Uint8Array => Uint8Array.from(kinds, (kind) => KINDS.indexOf(asKind(kind)))
export const kindsOfCodes = (codes: Uint8Array): Kind[] => Array.from(codes, (code) => KINDS[code] ?? 'unknown')

/** Hue, chroma and lightness range (OKLCH): kinds differ in hue, names of one kind in lightness. */
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

/** Lightness steps per kind; few, because changing the fill style of a canvas is slow. */
export const SHADES = 12

/** The lightness step of a name, the same in every graph. */
export function shadeOf(name: string): number {
  return hash(name) % SHADES
}

/** The shades of all kinds; shade `s` of kind `k` is at `k * SHADES + s`. */
export function kindColours(isDark: boolean): string[] {
  return KINDS.flatMap((kind) => {
    const [hue, chroma, low, high] = (isDark ? dark : light)[kind]
    return Array.from({ length: SHADES }, (_, at) => `oklch(${(low + (at / (SHADES - 1)) * (high - low)).toFixed(3)} ${chroma} ${hue})`)
  })
}

/** The index of a name's colour in `kindColours`. */
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
