import { scaleLinear } from 'd3-scale'
import type { Histogram } from '../../api'
import { format, overlaid } from '../../profile'
import { Button, Segments } from '../../ui'
import { chosenOf, edge, range, short, withChoice } from './words'
import styles from './numbers.module.css'

const WIDTH = 420
const HEIGHT = 150
const LEFT = 44
const BOTTOM = 30
const MOST_LAID_OVER = 4
const SHOWN = ['counts', 'cumulative', 'time'] as const
type Showing = (typeof SHOWN)[number]
/** A histogram of a case, or one that the library shows, which is of no case. */
type HistogramLike = Omit<Histogram, 'id' | 'evidence_id' | 'section'> & { evidence_id?: string }
type Props = {
  family: readonly HistogramLike[]
  charts: readonly string[]
  onCharts: (charts: string[]) => void
  /** Without it the lines are named, not linked. */
  onLines?: (evidenceId: string, line: number) => void
}

/** Histograms of one map over each other: counts, cumulated, or the share of the summed time; percentiles as far as buckets know them. */
export function HistogramChart({ family, charts, onCharts, onLines }: Props) {
  const [first] = family
  if (!first) return null
  const chart = `${first.name}@${first.evidence_name.split('/').at(-1)}`
  const [wanted, ...rest] = (chosenOf(charts, chart) ?? '').split('|')
  const showing = SHOWN.find((one) => one === wanted) ?? 'counts'
  const shownKey = family.some(({ key }) => key === rest.join('|')) && rest.length > 0 ? rest.join('|') : null
  const shown = shownKey === null ? family.slice(0, MOST_LAID_OVER) : family.filter(({ key }) => key === shownKey)
  const choose = (next: Showing, key: string | null) => onCharts(withChoice(charts, chart, next === 'counts' && key === null ? undefined : key === null ? next : `${next}|${key}`))
  const hasTime = family.every(({ sum_shares }) => sum_shares !== null)
  const { edges, lines } = overlaid(shown.map(({ lows, highs, counts, cumulative, sum_shares }) => ({ lows, highs, values: showing === 'cumulative' ? cumulative : showing === 'time' ? (sum_shares ?? []) : counts })), showing === 'cumulative')
  const most = Math.max(...lines.flat(), showing === 'cumulative' ? 1 : 0) || 1
  const x = scaleLinear([0, edges.length], [LEFT, WIDTH - 4])
  const y = scaleLinear([0, most], [HEIGHT, 6])
  const every = Math.max(1, Math.ceil(edges.length / 8))
  const step = x(1) - x(0)
  const told = (value: number) => (showing === 'counts' ? format.count(value) : format.share(value))
  const title = `${first.name}${family.length === 1 && first.key ? `[${first.key}]` : ''}`
  return (
    <figure className={styles.figure} data-testid="histogram" data-scale={first.scale}>
      <figcaption className={styles.head}>
        <code>{title}</code>
        <span className={styles.soft}>
          {first.unit || 'no unit stated'} · {first.scale === 'other' ? 'as printed' : first.scale} · {first.evidence_name.split('/').at(-1)}
        </span>
      </figcaption>
      <div className={styles.bar}>
        <Segments
          label={`What ${title} shows`}
          value={showing}
          options={[
            { value: 'counts', label: 'Counts' },
            { value: 'cumulative', label: 'Cumulative' },
            ...(hasTime ? [{ value: 'time' as const, label: 'Time share', hint: 'How much of the summed time each bucket stands for, from the middle of the bucket: an estimate' }] : []),
          ]}
          onChange={(next) => choose(next, shownKey)}
        />
        {family.length > 1 && (
          <select className={styles.choice} aria-label={`Key of ${first.name}`} value={shownKey ?? ''} onChange={(event) => choose(showing, event.target.value || null)}>
            <option value="">{family.length > MOST_LAID_OVER ? `heaviest ${MOST_LAID_OVER} of ${family.length} keys` : `all ${family.length} keys`}</option>
            {family.map(({ key, count }) => (
              <option key={key} value={key}>
                {key} · {format.count(count)}
              </option>
            ))}
          </select>
        )}
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + BOTTOM}`} role="img" aria-label={`${title}: ${shown.map((one) => describe(one)).join('; ')}`}>
        {y.ticks(3).map((tick) => (
          <g key={tick}>
            <line className={styles.rule} x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            <text className={styles.tick} x={LEFT - 5} y={y(tick) + 3.5} textAnchor="end">
              {showing === 'counts' ? short(tick) : `${Math.round(tick * 100)} %`}
            </text>
          </g>
        ))}
        {lines.map((values, at) =>
          shown.length === 1 ? (
            values.map((value, bucket) => (
              <rect key={edges[bucket]} className={styles.fill} x={x(bucket) + 0.5} width={Math.max(1, step - 1)} y={y(value)} height={Math.max(0, HEIGHT - y(value))}>
                <title>{`${range(edges[bucket] ?? 0, edges[bucket + 1] ?? null, first.unit)}: ${told(value)}`}</title>
              </rect>
            ))
          ) : (
            <path key={shown[at]?.key} className={styles.line} data-series={at} d={values.map((value, bucket) => `${bucket ? 'H' : 'M'}${x(bucket)}${bucket ? '' : ` ${y(value)}`}V${y(value)}H${x(bucket + 1)}`).join('')} />
          ),
        )}
        {edges.map((value, at) =>
          at % every === 0 ? (
            <text key={value} className={styles.tick} x={x(at)} y={HEIGHT + 14} textAnchor="middle">
              {edge(value, first.unit)}
            </text>
          ) : null,
        )}
      </svg>
      <dl className={styles.percentiles}>
        {shown.map((one, at) => (
          <div key={one.key}>
            <dt>
              {shown.length > 1 && <span className={styles.swatch} data-series={at} aria-hidden="true" />}
              {one.key || 'all'}
            </dt>
            <dd>{format.count(one.count)} values</dd>
            {one.percentiles.map(({ share, low, high }) => (
              <dd key={share} title="A histogram knows the bucket, not the value">
                <strong>p{Number((share * 100).toFixed(1))}</strong> {range(low, high, one.unit)}
              </dd>
            ))}
            {onLines && one.evidence_id !== undefined && one.lines[0] !== undefined && (
              <dd>
                <Button look="quiet" onClick={() => onLines(one.evidence_id ?? '', one.lines[0] ?? 1)}>
                  line {one.lines[0]}
                </Button>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </figure>
  )
}

function describe({ key, count, percentiles, unit }: HistogramLike): string {
  return `${key || 'all'} ${format.count(count)} values, ${percentiles.map(({ share, low, high }) => `p${share * 100} ${range(low, high, unit)}`).join(', ')}`
}
