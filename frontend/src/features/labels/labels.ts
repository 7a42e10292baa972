import type { Finding, Label, Opinion } from '../../api'
import { verdictWords } from '../../words'

export const OPINIONS: readonly { value: Opinion; label: string }[] = [
  { value: 'right', label: 'Right' },
  { value: 'wrong', label: 'Wrong' },
  { value: 'unsure', label: 'Unsure' },
]

type LabelTarget = Pick<Finding, 'signature' | 'host' | 'phase'>

/** Labels of a finding, by signature, host and phase; independent of the revision. */
export function labelsOf(finding: LabelTarget, labels: readonly Label[]): Label[] {
  return labels.filter(({ signature, host, phase }) => signature === finding.signature && host === finding.host && phase === finding.phase)
}

/** Summary of the labels of a finding; "" without labels. */
export function opinionMark(labels: readonly Label[]): string {
  const opinions = new Set(labels.map(({ opinion }) => opinion))
  if (opinions.size === 0) return ''
  if (opinions.has('right') && opinions.has('wrong')) return 'labels disagree'
  return opinions.has('right') ? 'labelled right' : opinions.has('wrong') ? 'labelled wrong' : 'labelled unsure'
}

/** Note on a label that was set for another verdict or version; "" if it is current. */
export function staleNote(label: Label, finding: Pick<Finding, 'verdict' | 'version'>): string {
  const parts = [label.verdict !== finding.verdict && `verdict “${verdictWords(label.verdict)}”`, label.version !== finding.version && `version ${label.version}`].filter(Boolean)
  return parts.length > 0 ? `set for ${parts.join(', ')}` : ''
}
