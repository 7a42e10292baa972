import type { SeenCase } from '../../api'

export const OUTCOME_LABELS: Record<SeenCase['outcome'], string> = {
  cleared: '✓ gone in the recordings after it',
  resolved: 'resolved',
  mitigated: 'mitigated',
  investigating: 'not resolved',
}

const KINDS: Record<string, string> = { wait: 'Waits in', class: 'Kernel log', function: 'Function', statement: 'Word', signature: 'Signature' }

/** A common trait in words. */
export function traitText(trait: string): string {
  const [kind = '', ...rest] = trait.split(':')
  return `${KINDS[kind] ?? kind}: ${rest.join(':')}`
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** The day of a time in UTC, with its year unless it is this one: `12 Nov`. */
export function dayOf(at: string, now = new Date()): string {
  const date = new Date(at)
  return (date.getUTCFullYear() === now.getUTCFullYear() ? day : dayAndYear).format(date)
}
