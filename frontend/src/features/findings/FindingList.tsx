import { useState } from 'react'
import type { Finding } from '../../api'
import { Button, Tag, Unbroken } from '../../ui'
import styles from './findings.module.css'
import { verdictLabel } from '../../words'
import { hostAndPhase, VERDICT_TONES } from './labels'

type Props = {
  label: string
  findings: readonly Finding[]
  selectedId: string | undefined
  /** A short text of the labels that people gave a finding. */
  markOf?: (finding: Finding) => string
  onSelect: (finding: Finding) => void
  /** Hidden on a phone, where `FindingPicker` takes its place. */
  isCollapsible?: boolean
}

/** So many rows leave the card of the selected finding in the first view. */
const FEW = 5

/** Findings as rows, highest rank first; many are folded, until one of the folded is selected. */
export function FindingList({ label, findings, selectedId, markOf, onSelect, isCollapsible = false }: Props) {
  const [isWhole, setIsWhole] = useState(false)
  if (!isWhole && findings.findIndex(({ id }) => id === selectedId) >= FEW) setIsWhole(true)
  const isFolded = !isWhole && findings.length > FEW + 1
  const rows = isFolded ? findings.slice(0, FEW) : findings
  return (
    <ul className={styles.list} data-collapsible={isCollapsible || undefined} aria-label={label} data-testid="finding-list">
      {rows.map((finding) => (
        <li key={finding.id}>
          <button
            type="button"
            className={styles.row}
            aria-current={finding.id === selectedId || undefined}
            data-testid="finding-row"
            data-signature={finding.signature}
            data-verdict={finding.verdict}
            onClick={() => onSelect(finding)}
          >
            <span className={styles.rowTop}>
              <Tag tone={VERDICT_TONES[finding.verdict]}>{verdictLabel(finding)}</Tag>
              {finding.status === 'draft' && <Tag tone="suspect">draft</Tag>}
              {finding.is_provisional && <Tag tone="suspect">provisional</Tag>}
              <span className={styles.rowTitle}>
                <Unbroken text={finding.title} />
              </span>
            </span>
            <span className={styles.rowFoot}>{[`severity ${finding.severity}`, finding.caused_by && 'explained above', hostAndPhase(finding), markOf?.(finding)].filter(Boolean).join(' · ')}</span>
          </button>
        </li>
      ))}
      {isFolded && (
        <li className={styles.more}>
          <Button onClick={() => setIsWhole(true)}>{findings.length - FEW} more findings</Button>
        </li>
      )}
    </ul>
  )
}
