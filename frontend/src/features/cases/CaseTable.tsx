import type { ReactNode } from 'react'
import type { Case, CaseQuery, CaseSort } from '../../api'
import { firstNames, RelativeTime, Tag } from '../../ui'
import { VERDICT_LABELS } from '../../words'
import { VERDICT_TONES } from '../findings'
import styles from './cases.module.css'

type Props = { cases: readonly Case[]; query: CaseQuery; onQuery: (query: CaseQuery) => void; linkTo: (caseNumber: number, text: ReactNode) => ReactNode; selected?: ReadonlySet<number>; onSelect?: (caseNumber: number, isSelected: boolean) => void }

/** Cases with their headline; sortable by number and by last change. */
export function CaseTable({ cases, query, onQuery, linkTo, selected, onSelect }: Props) {
  const heading = (label: string, ascending: CaseSort, descending: CaseSort) => {
    const sorted = query.sort === ascending ? 'ascending' : query.sort === descending ? 'descending' : 'none'
    return (
      <th scope="col" aria-sort={sorted}>
        <button type="button" className={styles.sort} onClick={() => onQuery({ ...query, sort: query.sort === descending ? ascending : descending })}>
          {label}
          <span aria-hidden="true">{sorted === 'ascending' ? ' ↑' : sorted === 'descending' ? ' ↓' : ''}</span>
        </button>
      </th>
    )
  }
  return (
    <div className={styles.tableBox}>
      <table className={styles.table} data-testid="case-table">
        <thead>
          <tr>
            {heading('Case', '-number', '-number')}
            <th scope="col">Finding</th>
            <th scope="col">Hosts</th>
            <th scope="col" className={styles.number}>
              Evidence
            </th>
            {heading('Changed', 'updated_at', '-updated_at')}
          </tr>
        </thead>
        <tbody>
          {cases.map((item) => (
            <tr key={item.id} data-state={item.state}>
              <td>
                {onSelect && (
                  <input type="checkbox" className={styles.check} aria-label={`Select case ${item.number}`} checked={selected?.has(item.number) ?? false} onChange={(event) => onSelect(item.number, event.target.checked)} />
                )}
                {linkTo(
                  item.number,
                  <>
                    <span className={styles.caseNumber}>{item.number}</span>
                    {item.title || 'Untitled'}
                  </>,
                )}
                {item.status !== 'investigating' && <span className={styles.closed}>{item.status}</span>}
              </td>
              <td>
                <HeadlineCell item={item} />
              </td>
              <td className={styles.soft}>{firstNames(item.hosts, 3) || '–'}</td>
              <td className={styles.number}>{item.evidence_count}</td>
              <td className={styles.soft}>
                <RelativeTime at={item.updated_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HeadlineCell({ item }: { item: Case }) {
  const { headline } = item
  if (headline?.verdict) {
    return (
      <span className={styles.headline}>
        <Tag tone={VERDICT_TONES[headline.verdict]}>{headline.alarm ? 'Alarm' : VERDICT_LABELS[headline.verdict]}</Tag>
        {headline.title}
      </span>
    )
  }
  if (item.reading_count > 0) return <span className={styles.soft}>reading {item.reading_count} of {item.evidence_count}…</span>
  if (!item.judged && item.evidence_count > 0) return <span className={styles.soft}>judging…</span>
  if (item.evidence_count === 0) return <span className={styles.soft}>no evidence yet</span>
  if (headline) return <span className={styles.fact}>{headline.text}</span>
  return <span className={styles.soft}>{item.unread_count === item.evidence_count ? 'unreadable evidence' : 'no finding'}</span>
}
