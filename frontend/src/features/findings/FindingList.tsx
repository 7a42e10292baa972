import type { Finding } from '../../api'
import { Tag } from '../../ui'
import styles from './findings.module.css'
import { VERDICT_TONES, VERDICT_WORDS, where } from './words'

type Props = { label: string; findings: readonly Finding[]; selectedId: string | undefined; onSelect: (finding: Finding) => void }

/** Findings as rows, the heaviest first. */
export function FindingList({ label, findings, selectedId, onSelect }: Props) {
  return (
    <ul className={styles.list} aria-label={label} data-testid="finding-list">
      {findings.map((finding) => (
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
              <Tag tone={VERDICT_TONES[finding.verdict]}>{VERDICT_WORDS[finding.verdict]}</Tag>
              {finding.is_provisional && <Tag tone="suspect">provisional</Tag>}
              <span className={styles.soft}>
                {finding.severity} · {where(finding)}
              </span>
            </span>
            <span className={styles.rowTitle}>{finding.title}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
