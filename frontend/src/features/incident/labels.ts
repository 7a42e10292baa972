import type { CaseStatus, IncidentKind } from '../../api'

export const STATUS_LABELS: Record<CaseStatus, string> = { investigating: 'Investigating', mitigated: 'Mitigated', resolved: 'Resolved' }
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
export const EVENT_LABELS: Record<IncidentKind, string> = { started: 'Started', detected: 'Detected', action: 'Action', mitigated: 'Mitigated', resolved: 'Resolved' }
export const EVENT_KINDS = Object.keys(EVENT_LABELS) as IncidentKind[]

/** The value of an input of date and time, in UTC, to the second. */
export function toInput(at: string | Date): string {
  return new Date(at).toISOString().slice(0, 19)
}

/** The time of an input of date and time in UTC; null while it is incomplete. */
export function fromInput(value: string): string | null {
  const at = new Date(`${value}Z`)
  return value === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** Time of day, with the date unless it is `today` (an ISO date). */
export function shortTime(at: string, today: string): string {
  const iso = new Date(at).toISOString()
  return iso.slice(0, 10) === today ? iso.slice(11, 19) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}

/** The words of an input of tags: in lower case, once each. */
export function tagsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/[\s,]+/).filter(Boolean))].toSorted()
}
