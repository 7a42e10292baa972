import { type Difference, useContrast } from '../../api'
import { format } from '../../profile'
import { Notice } from '../../ui'
import { quantity } from '../findings'
import type { HostChoice } from './HostsPanel'
import styles from './hosts.module.css'

type Props = {
  caseId: string
  bad: string
  good: readonly string[]
  hosts: readonly string[]
  onChoice: (choice: HostChoice) => void
  onShow: (evidenceId: string, line: number) => void
}

const nameOf = (name: string) => name || 'no name'

/** Facts of one host against others, the most surprising first; each leads to its line. */
export function ContrastTable({ caseId, bad, good, hosts, onChoice, onShow }: Props) {
  const contrast = useContrast(caseId, bad, good)
  const told = contrast.data
  const most = told?.differences[0]?.bits ?? 1
  return (
    <div className={styles.contrast}>
      <div className={styles.choose}>
        <label>
          Bad host{' '}
          <select value={bad} onChange={(event) => onChoice({ bad: event.target.value, good: undefined })}>
            {hosts.map((name) => (
              <option key={name} value={name}>
                {nameOf(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          against{' '}
          <select value={good.length === 1 ? good[0] : '*'} onChange={({ target }) => onChoice({ bad, good: target.value === '*' ? undefined : [target.value] })}>
            <option value="*">all others</option>
            {hosts
              .filter((name) => name !== bad)
              .map((name) => (
                <option key={name} value={name}>
                  {nameOf(name)}
                </option>
              ))}
          </select>
        </label>
        {told && (
          <span className={styles.soft}>
            {format.count(told.total)} differ, {format.count(told.alike)} are alike; {format.count(told.only_bad)} only {nameOf(bad)} states, {format.count(told.only_good)} only others
          </span>
        )}
      </div>
      {contrast.error && (
        <Notice what="These hosts could not be compared." retry={() => void contrast.refetch()}>
          {contrast.error.message}
        </Notice>
      )}
      {contrast.isPending && <p role="status">Comparing…</p>}
      {told && told.differences.length === 0 && <p className={styles.soft}>No fact that both state differs by more than it would by itself.</p>}
      {told && told.differences.length > 0 && (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Facts that differ">
          <table className={styles.table} data-testid="contrast">
            <thead>
              <tr>
                <th scope="col">Fact</th>
                <th scope="col" className={styles.number}>
                  {nameOf(bad)}
                </th>
                <th scope="col" className={styles.number}>
                  {good.length === 1 ? nameOf(good[0] ?? '') : 'others'}
                </th>
                <th scope="col">How surprising</th>
              </tr>
            </thead>
            <tbody>
              {told.differences.map((one) => (
                <Row key={`${one.name}:${JSON.stringify(one.labels)}`} one={one} most={most} onShow={onShow} />
              ))}
            </tbody>
          </table>
          {told.total > told.differences.length && <p className={styles.soft}>The {told.differences.length} most surprising of {format.count(told.total)}.</p>}
        </div>
      )}
    </div>
  )
}

function Row({ one, most, onShow }: { one: Difference; most: number; onShow: Props['onShow'] }) {
  const labels = Object.entries(one.labels).map(([key, value]) => `${key}=${value}`)
  const value = (told: Difference['bad']) => (typeof told === 'boolean' ? (told ? 'yes' : 'no') : quantity(told, one.unit === 'count' ? '' : one.unit))
  const good = [...new Set(one.good.map(value))]
  return (
    <tr>
      <th scope="row">
        <code>{one.name}</code> <span className={styles.soft}>{labels.join(' ')}</span>
        {one.meaning && <div className={styles.meaning}>{one.meaning}</div>}
      </th>
      <td className={styles.number}>
        <button type="button" className={styles.value} title={`${one.bad_at.evidence}, line ${one.bad_at.first_line}`} onClick={() => onShow(one.bad_at.evidence_id, one.bad_at.first_line)}>
          {value(one.bad)}
        </button>
      </td>
      <td className={styles.number}>
        <button type="button" className={styles.value} title={`${one.good_at.evidence}, line ${one.good_at.first_line}`} onClick={() => onShow(one.good_at.evidence_id, one.good_at.first_line)}>
          {good.slice(0, 3).join(', ')}
          {good.length > 3 && ` and ${good.length - 3} more`}
        </button>
      </td>
      <td>
        <meter className={styles.bits} min={0} max={most} value={one.bits} aria-label={`${one.bits} bits`} /> <span>{one.because}</span>
      </td>
    </tr>
  )
}
