import type { ReactNode } from 'react'
import type { CaseQuery, CaseSort, ListedCase } from '../../api'
import { firstNames, RelativeTime, Tag } from '../../ui'
import { VERDICT_LABELS } from '../../words'
import { VERDICT_TONES } from '../findings'
import styles from './cases.module.css'
import { type ColumnName, DEFAULT_COLUMNS, HEADINGS } from './columns'

type Props = { cases: readonly ListedCase[]; query: CaseQuery; onQuery: (query: CaseQuery) => void; linkTo: (caseNumber: number, text: ReactNode) => ReactNode; columns?: readonly ColumnName[]; selected?: ReadonlySet<number>; onSelect?: (caseNumber: number, isSelected: boolean) => void }

const SORTS: Partial<Record<ColumnName, [ascending: CaseSort, descending: CaseSort]>> = {
  title: ['-number', '-number'],
  opened: ['created_at', '-created_at'],
  changed: ['updated_at', '-updated_at'],
}

/** What a column says of a case, but for the headline; empty without a value. */
const CELLS: Record<Exclude<ColumnName, 'title' | 'headline'>, (item: ListedCase) => ReactNode> = {
  number: ({ number }) => number,
  finding: ({ headline }) => headline && (headline.signature || (headline.alarm && `alarm/${headline.alarm}`) || headline.suspicion),
  problem: ({ problems }) => firstNames(problems, 2),
  host: ({ hosts }) => firstNames(hosts, 3),
  kernel: ({ kernels }) => firstNames(kernels, 2),
  distro: ({ distros }) => firstNames(distros, 2),
  class: ({ classes }) => firstNames(classes, 3),
  severity: ({ severity }) => severity && <span className={styles.severity} data-severity={severity}>{severity}</span>,
  status: ({ status }) => status,
  state: ({ state }) => state,
  owner: ({ assignee }) => assignee?.name,
  team: ({ team }) => team?.name,
  tag: ({ tags }) => firstNames(tags, 4),
  label: ({ labels }) => labels.join(', '),
  seen: ({ seen_before: seen }) => seen > 0 && `${seen}×`,
  files: ({ evidence_count: files }) => files.toLocaleString('en'),
  cause: ({ resolution }) => resolution?.cause,
  fix: ({ resolution }) => resolution?.fix,
  opened: ({ created_at: at }) => <RelativeTime at={at} />,
  changed: ({ updated_at: at }) => <RelativeTime at={at} />,
  closed: ({ closed_at: at }) => at && <RelativeTime at={at} />,
}

/** Cases with the chosen columns; sortable by number and by times. */
export function CaseTable({ cases, query, onQuery, linkTo, columns = DEFAULT_COLUMNS, selected, onSelect }: Props) {
  const heading = (name: ColumnName) => {
    const [ascending, descending] = SORTS[name] ?? []
    if (!ascending || !descending) {
      return (
        <th key={name} scope="col">
          {HEADINGS[name]}
        </th>
      )
    }
    const sorted = query.sort === ascending ? 'ascending' : query.sort === descending ? 'descending' : 'none'
    return (
      <th key={name} scope="col" aria-sort={sorted}>
        <button type="button" className={styles.sort} onClick={() => onQuery({ ...query, sort: query.sort === descending ? ascending : descending })}>
          {HEADINGS[name]}
          <span aria-hidden="true">{sorted === 'ascending' ? ' ↑' : sorted === 'descending' ? ' ↓' : ''}</span>
        </button>
      </th>
    )
  }
  const cell = (name: ColumnName, item: ListedCase) => {
    if (name === 'title') return null
    const label = DEFAULT_COLUMNS.includes(name) ? undefined : HEADINGS[name]
    return (
      <td key={name} data-column={name} data-label={label} className={name === 'headline' ? undefined : styles.soft}>
        {name === 'headline' ? (
          <>
            <HeadlineCell item={item} />
            {item.seen_before > 0 && !columns.includes('seen') && (
              <span className={styles.seen} title="Earlier cases with the same problem">
                seen {item.seen_before}×
              </span>
            )}
          </>
        ) : (
          CELLS[name](item) || '–'
        )}
      </td>
    )
  }
  return (
    <div className={styles.tableBox} role="region" aria-label="Table of cases" tabIndex={0}>
      <table className={styles.table} data-testid="case-table">
        <thead>
          <tr>{(['title', ...columns] as const).map(heading)}</tr>
        </thead>
        <tbody>
          {cases.map((item) => (
            <tr key={item.id} data-state={item.state}>
              <td data-column="title">
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
              {columns.map((name) => cell(name, item))}
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
