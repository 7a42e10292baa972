import type { Finding, Label, Opinion, Verdict } from '../../api'

export const OPINIONS: readonly { value: Opinion; label: string }[] = [
  { value: 'right', label: 'Right' },
  { value: 'wrong', label: 'Wrong' },
  { value: 'unsure', label: 'Unsure' },
]

type Place = Pick<Finding, 'signature' | 'host' | 'phase'>

/** Labels are about a signature on one host and in one phase, whichever judgement found it. */
export function labelsOf(finding: Place, labels: readonly Label[]): Label[] {
  return labels.filter(({ signature, host, phase }) => signature === finding.signature && host === finding.host && phase === finding.phase)
}

/** What people say of a finding, in one word for its row; "" while nobody said anything. */
export function opinionMark(labels: readonly Label[]): string {
  const said = new Set(labels.map(({ opinion }) => opinion))
  if (said.size === 0) return ''
  if (said.has('right') && said.has('wrong')) return 'people disagree'
  return said.has('right') ? 'said to be right' : said.has('wrong') ? 'said to be wrong' : 'people are unsure'
}

const THEN: Record<Verdict, string> = { match: 'a match', suspect: 'suspected', unknown: 'undecided', no_match: 'no match', not_applicable: 'not applicable' }

/** A word that was said of another verdict, or of an earlier version, says so. */
export function saidThen(label: Label, finding: Pick<Finding, 'verdict' | 'version'>): string {
  const told = [label.verdict !== finding.verdict && `when it was ${THEN[label.verdict]}`, label.version !== finding.version && `of version ${label.version}`].filter(Boolean)
  return told.length > 0 ? `said ${told.join(', ')}` : ''
}
