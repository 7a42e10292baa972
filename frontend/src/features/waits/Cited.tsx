import type { WaitNode } from '../../api'
import styles from './waits.module.css'

export type Show = (evidenceId: string, line: number) => void

/** A citation: shows its lines in the raw evidence. */
export function Cited({ citation, onShow }: { citation: WaitNode['citations'][number]; onShow: Show }) {
  const { evidence, evidence_id: evidenceId, first_line: first, last_line: last } = citation
  return (
    <button type="button" className={styles.citation} onClick={() => onShow(evidenceId, first)}>
      {evidence.split('/').at(-1)}:{first}
      {last > first && `–${last}`}
    </button>
  )
}
