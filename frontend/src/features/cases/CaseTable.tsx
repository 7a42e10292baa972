import type { ReactNode } from 'react'
import type { CaseQuery, CaseSort, ListedCase } from '../../api'
import { firstNames, RelativeTime, Tag } from '../../ui'
import { VERDICT_LABELS } from '../../words'
import { VERDICT_TONES } from '../findings'
import styles from './cases.module.css'

type Props = { cases: readonly ListedCase[]; query: CaseQuery; onQuery: (query: CaseQuery) => void; linkTo: (caseNumber: number, text: ReactNode) => ReactNode; selected?: ReadonlySet<number>; onSelect?: (caseNumber: number, isSelected: boolean) => void }

/** Cases with headline, severity, status, owner, hosts and how often it was seen before; sortable by number and by last change. */
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
            <th scope="col">Status</th>
            <th scope="col">Owner</th>
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
                    {item.name || 'Untitled'}
                  </>,
                )}
              </td>
              <td>
                <HeadlineCell item={item} />
                {item.seen_before > 0 && (
                  <span className={styles.seen} title="Earlier cases with the same problem">
                    seen {item.seen_before}×
                  </span>
                )}
              </td>
              <td className={styles.soft}>{firstNames(item.hosts, 3) || '–'}</td>
              <td className={styles.soft}>
                {item.severity && <span className={styles.severity} data-severity={item.severity}>{item.severity}</span>} {item.status}
              </td>
              <td className={styles.soft}>{item.assignee?.name ?? '–'}</td>
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

function HeadlineCell({ item }: { item: ListedCase }) {
  const { headline } = item
  if (headline?.verdict) {
    return (
      <span className={styles.headline}>
        <Tag tone={VERDICT_TONES[headline.verdict]}>{headline.alarm ? 'Alarm' : VERDICT_LABELS[headline.verdict]}</Tag>
        {headline.text !== item.name && headline.text}
      </span>
    )
  }
  if (item.reading_count > 0) return <span className={styles.soft}>reading {item.reading_count} of {item.evidence_count}…</span>
  if (!item.judged && item.evidence_count > 0) return <span className={styles.soft}>judging…</span>
  if (item.evidence_count === 0) return <span className={styles.soft}>no evidence yet</span>
  if (headline) return headline.text === item.name ? null : <span className={styles.fact}>{headline.text}</span>
  return <span className={styles.soft}>{item.unread_count === item.evidence_count ? 'unreadable evidence' : 'no finding'}</span>
}
