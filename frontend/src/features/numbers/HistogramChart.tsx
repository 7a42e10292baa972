import { scaleLinear } from 'd3-scale'
import type { Histogram } from '../../api'
import { alignHistograms, format } from '../../profile'
import { Button, Segments } from '../../ui'
import { chosenOf, edge, range, short, withChoice } from './labels'
import styles from './numbers.module.css'

const WIDTH = 420
const HEIGHT = 150
const LEFT = 44
const BOTTOM = 30
const MAX_OVERLAID = 4
const MODES = ['counts', 'cumulative', 'time'] as const
type Mode = (typeof MODES)[number]
/** A histogram of a case or of library evidence. */
type HistogramLike = Omit<Histogram, 'id' | 'evidence_id' | 'section'> & { evidence_id?: string }
type Props = {
  family: readonly HistogramLike[]
  charts: readonly string[]
  onCharts: (charts: string[]) => void
  /** Without it, evidence lines are not linked. */
  onLines?: (evidenceId: string, line: number) => void
}

/** Overlaid histograms of one map: counts, cumulative, or share of total time; with percentiles by bucket. */
export function HistogramChart({ family, charts, onCharts, onLines }: Props) {
  const [first] = family
  if (!first) return null
  const chart = `${first.name}@${first.evidence_name.split('/').at(-1)}`
  const [storedMode, ...storedKey] = (chosenOf(charts, chart) ?? '').split('|')
  const mode = MODES.find((one) => one === storedMode) ?? 'counts'
  const shownKey = family.some(({ key }) => key === storedKey.join('|')) && storedKey.length > 0 ? storedKey.join('|') : null
  const shown = shownKey === null ? family.slice(0, MAX_OVERLAID) : family.filter(({ key }) => key === shownKey)
  const choose = (next: Mode, key: string | null) => onCharts(withChoice(charts, chart, next === 'counts' && key === null ? undefined : key === null ? next : `${next}|${key}`))
  const hasTime = family.every(({ sum_shares }) => sum_shares !== null)
  const { edges, lines } = alignHistograms(shown.map(({ lows, highs, counts, cumulative, sum_shares }) => ({ lows, highs, values: mode === 'cumulative' ? cumulative : mode === 'time' ? (sum_shares ?? []) : counts })), mode === 'cumulative')
  const maxValue = Math.max(...lines.flat(), mode === 'cumulative' ? 1 : 0) || 1
  const x = scaleLinear([0, edges.length], [LEFT, WIDTH - 4])
  const y = scaleLinear([0, maxValue], [HEIGHT, 6])
  const tickStep = Math.max(1, Math.ceil(edges.length / 8))
  const step = x(1) - x(0)
  const formatValue = (value: number) => (mode === 'counts' ? format.count(value) : format.share(value))
  const title = `${first.name}${family.length === 1 && first.key ? `[${first.key}]` : ''}`
  return (
    <figure className={styles.figure} data-testid="histogram" data-scale={first.scale}>
      <figcaption className={styles.head}>
        <code>{title}</code>
        <span className={styles.soft}>
          {first.unit || 'no unit'} · {first.scale === 'other' ? 'as printed' : first.scale} · {first.evidence_name.split('/').at(-1)}
        </span>
      </figcaption>
      <div className={styles.bar}>
        <Segments
          label={`Mode of ${title}`}
          value={mode}
          options={[
            { value: 'counts', label: 'Counts' },
            { value: 'cumulative', label: 'Cumulative' },
            ...(hasTime ? [{ value: 'time' as const, label: 'Time share', hint: 'Estimated share of the total time per bucket, from bucket midpoints' }] : []),
          ]}
          onChange={(next) => choose(next, shownKey)}
        />
        {family.length > 1 && (
          <select className={styles.choice} aria-label={`Key of ${first.name}`} value={shownKey ?? ''} onChange={(event) => choose(mode, event.target.value || null)}>
            <option value="">{family.length > MAX_OVERLAID ? `heaviest ${MAX_OVERLAID} of ${family.length} keys` : `all ${family.length} keys`}</option>
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
              {mode === 'counts' ? short(tick) : `${Math.round(tick * 100)} %`}
            </text>
          </g>
        ))}
        {lines.map((values, at) =>
          shown.length === 1 ? (
            values.map((value, bucket) => (
              <rect key={edges[bucket]} className={styles.fill} x={x(bucket) + 0.5} width={Math.max(1, step - 1)} y={y(value)} height={Math.max(0, HEIGHT - y(value))}>
                <title>{`${range(edges[bucket] ?? 0, edges[bucket + 1] ?? null, first.unit)}: ${formatValue(value)}`}</title>
              </rect>
            ))
          ) : (
            <path key={shown[at]?.key} className={styles.line} data-series={at} d={values.map((value, bucket) => `${bucket ? 'H' : 'M'}${x(bucket)}${bucket ? '' : ` ${y(value)}`}V${y(value)}H${x(bucket + 1)}`).join('')} />
          ),
        )}
        {edges.map((value, at) =>
          at % tickStep === 0 ? (
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
              <dd key={share} title="Bounds of the bucket that contains the percentile">
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
