import { scaleLinear } from 'd3-scale'
import { type Series, type SeriesLines, useSeriesLines } from '../../api'
import { Button } from '../../ui'
import { BarList } from './BarList'
import styles from './numbers.module.css'
import { chosenOf, formatValue, identifyingLabels, lineNames, tickText, withChoice } from './labels'

const WIDTH = 420
const HEIGHT = 150
const LEFT = 52
const BOTTOM = 22
const COLOURS = 6
const AXIS_LABELS: Record<string, string> = { seconds: 'seconds', order: 'in order, no timestamps', window_seconds: '' }
type Props = { caseId: string; series: Series; charts: readonly string[]; onCharts: (charts: string[]) => void; onLines: (evidenceId: string, line: number) => void }

/** Time series of one table, one line per label value. */
export function SeriesChart({ caseId, series, charts, onCharts, onLines }: Props) {
  const first = series.values[0]?.name ?? ''
  const storedValue = chosenOf(charts, series.id)
  const value = series.values.some(({ name }) => name === storedValue) ? (storedValue ?? first) : first
  const response = useSeriesLines(caseId, series.id, { value, by: identifyingLabels(series.labels) })
  const chosen = series.values.find(({ name }) => name === value)
  return (
    <figure className={styles.figure} data-testid="series">
      <figcaption className={styles.head}>
        <code>{series.name}</code>
        <span className={styles.soft}>
          {[chosen?.unit || 'no unit', AXIS_LABELS[series.axis], series.evidence_name.split('/').at(-1)].filter(Boolean).join(' · ')}
        </span>
      </figcaption>
      {series.values.length > 1 && (
        <div className={styles.bar}>
          <select className={styles.choice} aria-label={`Value of ${series.name}`} value={value} onChange={(event) => onCharts(withChoice(charts, series.id, event.target.value === first ? undefined : event.target.value))}>
            {series.values.map(({ name }) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </select>
        </div>
      )}
      {response.error && <p className={styles.soft}>Could not be loaded: {response.error.message}</p>}
      {response.data ? <SeriesPlot series={response.data} onLines={onLines} /> : <div className={styles.waiting} role="status" aria-label="Loading" />}
    </figure>
  )
}

/** Bars for single values and window averages, lines for values over time. */
function SeriesPlot({ series, onLines }: { series: SeriesLines; onLines: Props['onLines'] }) {
  const isRanking = series.lines.every(({ value }) => value.length === 1)
  return series.axis === 'window_seconds' || isRanking ? <BarList series={series} isRanking={isRanking} onLines={onLines} /> : <Lines series={series} onLines={onLines} />
}

function Lines({ series, onLines }: { series: SeriesLines; onLines: Props['onLines'] }) {
  const names = lineNames(series.lines)
  const times = series.lines.flatMap(({ time }) => time)
  const values = series.lines.flatMap(({ value }) => value)
  const x = scaleLinear([Math.min(...times), Math.max(...times, Math.min(...times) + 1)], [LEFT, WIDTH - 6])
  const y = scaleLinear([Math.min(0, ...values), Math.max(...values, 1e-9)], [HEIGHT, 8]).nice(3)
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + BOTTOM}`} role="img" aria-label={`${series.value.replaceAll('_', ' ')} of ${series.lines.map((line, at) => `${names[at]}, at most ${formatValue(Math.max(...line.value), series.unit)}`).join('; ')}`}>
        {y.ticks(3).map((tick) => (
          <g key={tick}>
            <line className={styles.rule} x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            <text className={styles.tick} x={LEFT - 5} y={y(tick) + 3.5} textAnchor="end">
              {tickText(tick, series.unit)}
            </text>
          </g>
        ))}
        {x.ticks(5).map((tick) => (
          <text key={tick} className={styles.tick} x={x(tick)} y={HEIGHT + 14} textAnchor="middle">
            {tick}
            {series.axis === 'order' ? '' : ' s'}
          </text>
        ))}
        {series.lines.map((line, at) => (
          <g key={names[at]} className={styles.path} data-series={at % COLOURS}>
            <path d={line.value.map((one, index) => `${index ? 'L' : 'M'}${x(line.time[index] ?? 0)} ${y(one)}`).join('')} />
            {line.value.length < 30 &&
              line.value.map((one, index) => (
                <circle key={line.time[index]} cx={x(line.time[index] ?? 0)} cy={y(one)} r="2.2">
                  <title>{`${names[at]}: ${formatValue(one, series.unit)}`}</title>
                </circle>
              ))}
          </g>
        ))}
      </svg>
      <ul className={styles.keys}>
        {series.lines.map((line, at) => (
          <li key={names[at]}>
            <span className={styles.swatch} data-series={at % COLOURS} aria-hidden="true" />
            <Button look="quiet" title="Show source lines" onClick={() => onLines(line.evidence_id, line.line[0] ?? 1)}>
              {names[at]}
            </Button>
            <span className={styles.soft}>max {formatValue(Math.max(...line.value), series.unit)}</span>
          </li>
        ))}
        {series.left_out > 0 && <li className={styles.soft}>{series.left_out} lower lines not shown</li>}
      </ul>
    </>
  )
}
