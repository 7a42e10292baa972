import type { Case, CaseUpdate, Finding, Resolution } from '../../api'

/** What a person may write about a case. */
export type Field = 'title' | 'state' | 'severity' | 'resolution'

const FIELDS: readonly Field[] = ['title', 'state', 'severity', 'resolution']

const isSame = (one: unknown, other: unknown) => JSON.stringify(parts(one)) === JSON.stringify(parts(other))
const parts = (value: unknown) => (typeof value === 'object' && value ? Object.entries(value).toSorted() : value)

/** The fields in which `mine`, written over `base`, would overwrite what somebody else wrote there meanwhile. */
export function overwritten(base: Case, theirs: Case, mine: CaseUpdate): Field[] {
  return FIELDS.filter((field) => field in mine && !isSame(base[field], theirs[field]) && !isSame(theirs[field], mine[field]))
}

/** How a case ended, in a sentence. */
export function resolutionWords({ signature, cause, fix }: Resolution, findings: readonly Finding[]): string {
  const title = findings.find((finding) => finding.signature === signature)?.title ?? signature
  const what = [title, cause].filter(Boolean).join('. ') || 'not said'
  return `${what}${/[.!?]$/.test(what) ? '' : '.'} Fixed by: ${fix || 'not said'}`
}
