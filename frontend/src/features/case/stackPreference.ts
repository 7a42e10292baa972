import type { View } from './search'

const KEY = 'casebook-stacks'

/** The stack view of this browser for links without a view: flame, or icicle once it was chosen. */
export function preferredStacks(): 'flame' | 'icicle' {
  try {
    return localStorage.getItem(KEY) === 'icicle' ? 'icicle' : 'flame'
  } catch {
    return 'flame'
  }
}

/** Stores a choice between flame and icicle; other views leave it. */
export function preferStacks(view: View): void {
  if (view !== 'flame' && view !== 'icicle') return
  try {
    localStorage.setItem(KEY, view)
  } catch {
    // Storage may be full or blocked; the view itself is in the link.
  }
}
