import { type Difference, useContrast } from '../../api'
import { format } from '../../profile'
import { Notice } from '../../ui'
import { quantity } from '../findings'
import type { HostChoice } from './hostChoice'
import styles from './hosts.module.css'

type Props = {
  caseId: string
  bad: string
  good: readonly string[]
  hosts: readonly string[]
  onChoice: (choice: HostChoice) => void
  onShow: (evidenceId: string, line: number) => void
}

const nameOf = (name: string) => name || 'unnamed'

/** Facts of one host compared with others, ranked by surprise (bits); values link to their evidence line. */
export function ContrastTable({ caseId, bad, good, hosts, onChoice, onShow }: Props) {
  const contrast = useContrast(caseId, bad, good)
  const comparison = contrast.data
  const maxBits = comparison?.differences[0]?.bits ?? 1
  return (
    <div className={styles.contrast}>
      <div className={styles.choose}>
        <label>
          Affected host{' '}
          <select value={bad} onChange={(event) => onChoice({ bad: event.target.value, good: undefined })}>
            {hosts.map((name) => (
              <option key={name} value={name}>
                {nameOf(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Compared with{' '}
          <select value={good.length === 1 ? good[0] : '*'} onChange={({ target }) => onChoice({ bad, good: target.value === '*' ? undefined : [target.value] })}>
            <option value="*">all other hosts</option>
            {hosts
              .filter((name) => name !== bad)
              .map((name) => (
                <option key={name} value={name}>
                  {nameOf(name)}
                </option>
              ))}
          </select>
        </label>
        {comparison && (
          <span className={styles.soft}>
            {format.count(comparison.total)} facts differ, {format.count(comparison.alike)} equal; {format.count(comparison.only_bad)} only on {nameOf(bad)}, {format.count(comparison.only_good)} only on others
          </span>
        )}
      </div>
      {contrast.error && (
        <Notice what="The hosts could not be compared." retry={() => void contrast.refetch()}>
          {contrast.error.message}
        </Notice>
      )}
      {contrast.isPending && <p role="status">Comparing…</p>}
      {comparison && comparison.differences.length === 0 && <p className={styles.soft}>No common fact differs beyond its normal variation.</p>}
      {comparison && comparison.differences.length > 0 && (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Differing facts">
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
                <th scope="col">Surprise</th>
              </tr>
            </thead>
            <tbody>
              {comparison.differences.map((one) => (
                <Row key={`${one.name}:${JSON.stringify(one.labels)}`} one={one} maxBits={maxBits} onShow={onShow} />
              ))}
            </tbody>
          </table>
          {comparison.total > comparison.differences.length && <p className={styles.soft}>Top {comparison.differences.length} of {format.count(comparison.total)} by surprise.</p>}
        </div>
      )}
    </div>
  )
}

function Row({ one, maxBits, onShow }: { one: Difference; maxBits: number; onShow: Props['onShow'] }) {
  const labels = Object.entries(one.labels).map(([key, value]) => `${key}=${value}`)
  const value = (raw: Difference['bad']) => (typeof raw === 'boolean' ? (raw ? 'yes' : 'no') : quantity(raw, one.unit === 'count' ? '' : one.unit))
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
        <meter className={styles.bits} min={0} max={maxBits} value={one.bits} aria-label={`${one.bits} bits`} /> <span>{one.because}</span>
      </td>
    </tr>
  )
}
