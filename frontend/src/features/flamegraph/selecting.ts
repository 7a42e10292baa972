import type { Selection } from '../../api'

export function hasRange({ t0, from_sample }: Selection): boolean {
  return t0 !== undefined || from_sample !== undefined
}

export function withoutRange({ t0: _t0, t1: _t1, from_sample: _from, to_sample: _to, ...rest }: Selection): Selection {
  return rest
}

export function withRange(selection: Selection, range: { t0: number; t1: number } | null): Selection {
  return { ...withoutRange(selection), ...range }
}

/** Seconds with as many digits as are told apart. */
export function seconds(value: number): number {
  return Number(value.toFixed(value < 10 ? 3 : 2))
}

/** The selection with one more pattern of a kind; the same pattern counts once. */
export function withPattern(selection: Selection, kind: 'focus' | 'hide' | 'merge', name: string): Selection {
  return { ...selection, [kind]: [...new Set([...(selection[kind] ?? []), name])] }
}

/** A name as the server takes it: one that looks like an expression is made one that finds just it. */
export function patternOf(name: string): string {
  return name.length > 1 && name.startsWith('/') && name.endsWith('/') ? `/^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$/` : name
}
