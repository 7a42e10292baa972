import { SUBSYSTEMS, subsystemOf } from './subsystems'

/** The kinds of code a frame can be, in legend order. */
export const KINDS = ['kernel', 'module', 'user', 'jit', 'unknown', 'nameless', 'command'] as const
export type Kind = (typeof KINDS)[number]

export const KIND_LABELS: Record<Kind, string> = {
  kernel: 'kernel',
  module: 'kernel module',
  user: 'user space',
  jit: 'JIT code',
  unknown: 'unknown',
  nameless: 'user space without symbols',
  command: 'command',
}

export function asKind(kind: string): Kind {
  return (KINDS as readonly string[]).includes(kind) ? (kind as Kind) : 'unknown'
}

/** Kinds as indices, and back. */
export const kindCodes = (kinds: readonly string[]): Uint8Array => Uint8Array.from(kinds, (kind) => KINDS.indexOf(asKind(kind)))
export const kindsOfCodes = (codes: Uint8Array): Kind[] => Array.from(codes, (code) => KINDS[code] ?? 'unknown')

/** What has a colour: subsystems of the kernel, and kinds of code, in legend order. */
export const HUES = [...SUBSYSTEMS, ...KINDS] as const
export type Hue = (typeof HUES)[number]

export const HUE_LABELS: Record<Hue, string> = {
  ...KIND_LABELS,
  memory: 'memory',
  files: 'file systems',
  block: 'block I/O',
  network: 'network',
  scheduler: 'scheduler',
  locks: 'locks',
  kernel: 'other kernel',
}

/** Hue, chroma and lightness range (OKLCH): hues differ by kind and subsystem, names of one in lightness. */
const light: Record<Hue, readonly [number, number, number, number]> = {
  memory: [40, 0.125, 0.74, 0.85],
  files: [130, 0.1, 0.78, 0.88],
  block: [190, 0.085, 0.76, 0.87],
  network: [285, 0.085, 0.77, 0.87],
  scheduler: [330, 0.085, 0.79, 0.88],
  locks: [18, 0.135, 0.72, 0.82],
  kernel: [65, 0.075, 0.8, 0.9],
  module: [95, 0.1, 0.82, 0.9],
  user: [235, 0.055, 0.78, 0.89],
  jit: [160, 0.07, 0.8, 0.89],
  unknown: [260, 0.008, 0.8, 0.88],
  nameless: [235, 0.02, 0.84, 0.89],
  command: [260, 0.012, 0.84, 0.9],
}
const dark: Record<Hue, readonly [number, number, number, number]> = {
  memory: [40, 0.105, 0.42, 0.51],
  files: [130, 0.075, 0.4, 0.48],
  block: [190, 0.065, 0.39, 0.48],
  network: [285, 0.085, 0.41, 0.5],
  scheduler: [330, 0.08, 0.41, 0.49],
  locks: [18, 0.12, 0.4, 0.49],
  kernel: [65, 0.06, 0.41, 0.5],
  module: [95, 0.075, 0.42, 0.5],
  user: [235, 0.055, 0.38, 0.49],
  jit: [162, 0.06, 0.38, 0.47],
  unknown: [260, 0.012, 0.36, 0.43],
  nameless: [235, 0.02, 0.34, 0.38],
  command: [260, 0.016, 0.32, 0.38],
}

/** Lightness steps per kind; few, because changing the fill style of a canvas is slow. */
export const SHADES = 12

/** The lightness step of a name, the same in every graph. */
export function shadeOf(name: string): number {
  return hash(name) % SHADES
}

/** The shades of all hues; shade `s` of hue `h` is at `h * SHADES + s`. */
export function kindColours(isDark: boolean): string[] {
  return HUES.flatMap((one) => {
    const [hue, chroma, low, high] = (isDark ? dark : light)[one]
    return Array.from({ length: SHADES }, (_, at) => `oklch(${(low + (at / (SHADES - 1)) * (high - low)).toFixed(3)} ${chroma} ${hue})`)
  })
}

/** What the colour of a frame stands for. */
export function hueOf(name: string, kind: string): Hue {
  const known = asKind(kind)
  return (known === 'kernel' && subsystemOf(name)) || known
}

/** What a frame is, in a word or two: the subsystem of a kernel function, else its kind. */
export function hueLabel(name: string, kind: string): string {
  const hue = hueOf(name, kind)
  return asKind(kind) === 'kernel' && hue !== 'kernel' ? `kernel, ${HUE_LABELS[hue]}` : KIND_LABELS[asKind(kind)]
}

/** The hue of a colour in `kindColours`. */
export const hueAt = (index: number): Hue => HUES[Math.floor(index / SHADES)] ?? 'unknown'

/** The index of a name's colour in `kindColours`. */
export function colourIndex(name: string, kind: string): number {
  return HUES.indexOf(hueOf(name, kind)) * SHADES + shadeOf(name)
}

/** The colour of a hue in a legend. */
export function hueColour(hue: Hue, isDark: boolean): string {
  return kindColours(isDark)[HUES.indexOf(hue) * SHADES + SHADES / 2] as string
}

export function frameColour(name: string, kind: string, isDark: boolean): string {
  return kindColours(isDark)[colourIndex(name, kind)] as string
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return value
}
