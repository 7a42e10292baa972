import type { ColumnName } from '../../api'
import { CASE_COLUMNS } from '../../words'

export type { ColumnName }

const KEY = 'casebook-columns'
const ALL = Object.keys(CASE_COLUMNS) as ColumnName[]

export const HEADINGS: Record<ColumnName, string> = CASE_COLUMNS

/** Columns that can be chosen: all but the case itself, which leads every row. */
export const CHOOSABLE: readonly ColumnName[] = ALL.filter((name) => name !== 'number' && name !== 'title')
export const DEFAULT_COLUMNS: readonly ColumnName[] = ['headline', 'host', 'severity', 'status', 'owner', 'changed']

/** Columns of a text such as `headline,owner`, each once, without unknown ones; null where none is left. */
export function readColumns(text: unknown): readonly ColumnName[] | null {
  if (typeof text !== 'string') return null
  const names = [...new Set(text.split(','))].filter((name): name is ColumnName => (CHOOSABLE as readonly string[]).includes(name))
  return names.length > 0 ? names : null
}

/** The text of columns in a link; undefined for the default, which needs none. */
export function writeColumns(columns: readonly ColumnName[]): string | undefined {
  const text = columns.join(',')
  return text === DEFAULT_COLUMNS.join(',') ? undefined : text
}

/** The columns that this browser shows for links that name none. */
export function preferredColumns(): readonly ColumnName[] {
  try {
    return readColumns(localStorage.getItem(KEY)) ?? DEFAULT_COLUMNS
  } catch {
    return DEFAULT_COLUMNS
  }
}

/** Stores the choice of this browser; the default forgets it. */
export function preferColumns(columns: readonly ColumnName[]): void {
  const text = writeColumns(columns)
  try {
    if (text === undefined) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, text)
  } catch {
    // Storage may be full or blocked; the columns themselves are in the link.
  }
}

/** The columns with one of them moved by some places, at most to an end. */
export function moveColumn(columns: readonly ColumnName[], name: ColumnName, by: number): readonly ColumnName[] {
  const others = columns.filter((one) => one !== name)
  const at = Math.max(0, Math.min(others.length, columns.indexOf(name) + by))
  return [...others.slice(0, at), name, ...others.slice(at)]
}
