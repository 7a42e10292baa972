import type { Selection } from '../../api'

/** Whether a range of time or samples is selected. */
export function hasRange({ t0, from_sample }: Selection): boolean {
  return t0 !== undefined || from_sample !== undefined
}

export function withoutRange({ t0: _t0, t1: _t1, from_sample: _from, to_sample: _to, ...rest }: Selection): Selection {
  return rest
}

export function withRange(selection: Selection, range: { t0: number; t1: number } | null): Selection {
  return { ...withoutRange(selection), ...range }
}

/** Seconds rounded to milliseconds, or to 10 ms from 10 s on. */
export function seconds(value: number): number {
  return Number(value.toFixed(value < 10 ? 3 : 2))
}

/** The selection with one more pattern of a kind, without duplicates. */
export function withPattern(selection: Selection, kind: 'focus' | 'hide' | 'merge', name: string): Selection {
  return { ...selection, [kind]: [...new Set([...(selection[kind] ?? []), name])] }
}

/** A name as a pattern for the server: a name like `/x/` is escaped, since slashes mark a regular expression. */
export function patternOf(name: string): string {
  return name.length > 1 && name.startsWith('/') && name.endsWith('/') ? `/^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$/` : name
}
