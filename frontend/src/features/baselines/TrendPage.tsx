import { type ReactNode, useEffect } from 'react'
import { type BaselineTrend, Problem, useBaselineTrend, useDeleteBaselinePoint, useMe } from '../../api'
import { Button, CopyButton, Notice, useKeys } from '../../ui'
import styles from './baselines.module.css'
import { PointDifference } from './PointDifference'
import { PointTable } from './PointTable'
import { compactSearch, type TrendSearch } from './search'
import { CPU_TIME, defaultPair, measureName, pointName } from './trend'
import { TrendChart } from './TrendChart'

type Props = { baseline: string; search: TrendSearch; allLink: ReactNode; onSearch: (search: TrendSearch, options: { replace: boolean }) => void }

/** The trend of one series with its change points, and the flame graph difference of any two points. */
export function TrendPage({ baseline, search, allLink, onSearch }: Props) {
  const { data, error, isPending, refetch } = useBaselineTrend(baseline, search.measure ?? CPU_TIME)
  useEffect(() => {
    document.title = data ? `${data.project} · Baselines · Casebook` : 'Baselines · Casebook'
  }, [data])
  const isMissing = error instanceof Problem && error.status === 404
  return (
    <div className={styles.page} data-testid="trend">
      <p className={styles.soft}>{allLink}</p>
      {error && (
        <Notice what={isMissing ? 'Baseline not found.' : 'The baseline could not be loaded.'} retry={isMissing ? undefined : () => void refetch()}>
          {isMissing ? 'It was deleted, or belongs to another team.' : error.message}
        </Notice>
      )}
      {isPending && <div className={styles.waiting} role="status" aria-label="Loading the trend" />}
      {data && <Trend trend={data} search={search} onSearch={onSearch} />}
    </div>
  )
}

function Trend({ trend, search, onSearch }: { trend: BaselineTrend; search: TrendSearch; onSearch: Props['onSearch'] }) {
  const remove = useDeleteBaselinePoint(trend.id)
  const role = useMe().data?.role
  const ids = trend.trend.map(({ id }) => id)
  const pair = defaultPair(trend)
  const known = (id: string | undefined) => (id !== undefined && ids.includes(id) ? id : undefined)
  const [a, b] = [known(search.a) ?? pair?.a, known(search.b) ?? pair?.b]
  const update = (change: { [Key in keyof TrendSearch]: TrendSearch[Key] | undefined | null }, options = { replace: false }) => onSearch(compactSearch({ ...search, ...change }), options)
  const choose = (sides: { a?: string; b?: string }) => update({ a, b, ...sides, zoom: null, node: null }, { replace: true })
  const step = (by: number) => {
    const next = ids[ids.indexOf(b ?? '') + by]
    if (next !== undefined) choose({ b: next })
  }
  useKeys({ j: () => step(1), k: () => step(-1), x: () => choose({ ...(b && { a: b }), ...(a && { b: a }) }) })
  const nameOf = (id: string) => pointName(trend.trend.find((point) => point.id === id) ?? { commit: '', measured_at: '' })
  const names = [...new Set([CPU_TIME, ...trend.measures, trend.measure])]
  return (
    <>
      <header className={styles.head}>
        <h1>{trend.project}</h1>
        <span className={styles.soft}>
          {trend.benchmark} · {trend.machine} · {trend.kernel || 'unknown kernel'} · {trend.team ? `team ${trend.team}` : 'visible to everybody'}
        </span>
        <label className={styles.measure}>
          measure
          <select value={trend.measure} onChange={(event) => update({ measure: event.target.value === CPU_TIME ? null : event.target.value })}>
            {names.map((name) => (
              <option key={name} value={name}>
                {measureName(name)}
              </option>
            ))}
          </select>
        </label>
        <span className={styles.soft}>per {trend.trend.at(-1)?.is_work_known ? 'unit of work' : 'run'}, geometric mean of the runs of a point</span>
        <CopyButton label="Copy link" text={() => window.location.href} />
      </header>
      {remove.error && <Notice what="The point could not be deleted.">{remove.error.message}</Notice>}
      <TrendChart trend={trend} a={a} b={b} onPick={(id) => choose({ b: id })} />
      <PointTable trend={trend} a={a} b={b} onSides={choose} onDelete={role === undefined || role === 'viewer' ? null : (id) => window.confirm(`Delete the point ${nameOf(id)} permanently?`) && remove.mutate(id)} />
      <section className={styles.difference} aria-labelledby="difference">
        <h2 id="difference">Difference</h2>
        {a && b && a !== b ? (
          <>
            <p className={styles.soft}>
              A <code>{nameOf(a)}</code> → B <code>{nameOf(b)}</code>{' '}
              <Button look="quiet" onClick={() => choose({ a: b, b: a })}>
                Swap A and B
              </Button>
            </p>
            <div className={styles.graph}>
              <PointDifference baseline={trend.id} a={a} b={b} search={search} onChange={update} />
            </div>
          </>
        ) : (
          <p className={styles.none}>{trend.points < 2 ? 'A difference needs two points.' : 'Choose two different points.'}</p>
        )}
      </section>
    </>
  )
}
