import type { Finding } from '../../api'
import styles from './findings.module.css'
import { verdictLabel } from '../../words'

type Props = { findings: readonly Finding[]; selectedId: string | undefined; onSelect: (finding: Finding) => void }

/** The findings as one line to choose from, for a phone. */
export function FindingPicker({ findings, selectedId, onSelect }: Props) {
  return (
    <div className={styles.pickerBox}>
      <select
        className={styles.picker}
        aria-label="Finding"
        value={selectedId ?? ''}
        onChange={(event) => {
          const chosen = findings.find(({ id }) => id === event.target.value)
          if (chosen) onSelect(chosen)
        }}
      >
        {!findings.some(({ id }) => id === selectedId) && <option value={selectedId ?? ''}>{findings.length} findings</option>}
        {findings.map((finding, at) => (
          <option key={finding.id} value={finding.id}>
            {at + 1} of {findings.length} · {verdictLabel(finding)} · {finding.title}
          </option>
        ))}
      </select>
    </div>
  )
}
