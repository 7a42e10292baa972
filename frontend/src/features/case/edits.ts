import type { Case, CaseUpdate, Finding, Resolution } from '../../api'

/** The editable fields of a case. */
export type Field = 'title' | 'state' | 'severity' | 'resolution'

const FIELDS: readonly Field[] = ['title', 'state', 'severity', 'resolution']

const isSame = (one: unknown, other: unknown) => JSON.stringify(parts(one)) === JSON.stringify(parts(other))
const parts = (value: unknown) => (typeof value === 'object' && value ? Object.entries(value).toSorted() : value)

/** The fields that both `mine` and `theirs` changed since `base`, to different values. */
export function conflictingFields(base: Case, theirs: Case, mine: CaseUpdate): Field[] {
  return FIELDS.filter((field) => field in mine && !isSame(base[field], theirs[field]) && !isSame(theirs[field], mine[field]))
}

/** The resolution of a case as one sentence. */
export function resolutionText({ signature, cause, fix }: Resolution, findings: readonly Finding[]): string {
  const title = findings.find((finding) => finding.signature === signature)?.title ?? signature
  const reason = [title, cause].filter(Boolean).join('. ') || 'not stated'
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} Fixed by: ${fix || 'not stated'}`
}
