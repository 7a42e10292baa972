import type { Case, CaseUpdate, Finding, Resolution } from '../../api'

/** The editable fields of a case. */
export type Field = 'title' | 'state' | 'status' | 'severity' | 'assignee' | 'tags' | 'resolution'

const FIELDS: readonly Field[] = ['title', 'state', 'status', 'severity', 'assignee', 'tags', 'resolution']

const isSame = (one: unknown, other: unknown) => JSON.stringify(parts(one)) === JSON.stringify(parts(other))
const parts = (value: unknown) => (typeof value === 'object' && value ? Object.entries(value).toSorted() : value)

/** The value of a field as it is sent. */
export function valueOf(version: Case | CaseUpdate, field: Field): CaseUpdate[Field] {
  const value = version[field]
  return field === 'assignee' && typeof value === 'object' && value && 'name' in value ? value.name : (value as CaseUpdate[Field])
}

/** The fields that both `mine` and `theirs` changed since `base`, to different values. */
export function conflictingFields(base: Case, theirs: Case, mine: CaseUpdate): Field[] {
  return FIELDS.filter((field) => field in mine && !isSame(valueOf(base, field), valueOf(theirs, field)) && !isSame(valueOf(theirs, field), valueOf(mine, field)))
}

/** The change that takes back `mine`. */
export function undoOf(base: Case, mine: CaseUpdate): CaseUpdate {
  return Object.fromEntries(FIELDS.filter((field) => field in mine).map((field) => [field, valueOf(base, field)]))
}

/** What changed from `base` to `now`, for a message. */
export function changeText(base: Case, now: Case): string {
  if (base.state !== now.state) return `Case ${now.state === 'open' ? 'reopened' : 'closed'}.`
  if (base.status !== now.status) return `Status: ${now.status}.`
  if (base.assignee?.id !== now.assignee?.id) return now.assignee ? `Assigned to ${now.assignee.name}.` : 'Assigned to nobody.'
  if (base.severity !== now.severity) return `Severity: ${now.severity ?? 'none'}.`
  return `Tags: ${now.tags.join(', ') || 'none'}.`
}

/** The resolution of a case as one sentence. */
export function resolutionText({ signature, cause, fix }: Resolution, findings: readonly Finding[]): string {
  const title = findings.find((finding) => finding.signature === signature)?.title ?? signature
  const reason = [title, cause].filter(Boolean).join('. ') || 'not stated'
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} Fixed by: ${fix || 'not stated'}`
}
