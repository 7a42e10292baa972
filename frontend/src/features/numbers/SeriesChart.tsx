import { scaleLinear } from 'd3-scale'
import { type Series, type SeriesLines, useSeriesLines } from '../../api'
import { Button } from '../../ui'
import styles from './numbers.module.css'
import { Windows } from './Windows'
import { chosenOf, lineNames, reading, tellingLabels, tickText, withChoice } from './words'

const WIDTH = 420
const HEIGHT = 150
const LEFT = 52
const BOTTOM = 22
const COLOURS = 6
const AXIS_WORDS: Record<string, string> = { seconds: 'seconds', order: 'one after the other, times are not stated', window_seconds: '' }
type Props = { caseId: string; series: Series; charts: readonly string[]; onCharts: (charts: string[]) => void; onLines: (evidenceId: string, line: number) => void }

/** Values of one table over time, a line for each of what it tells apart. */
export function SeriesChart({ caseId, series, charts, onCharts, onLines }: Props) {
  const first = series.values[0]?.name ?? ''
  const wanted = chosenOf(charts, series.id)
  const value = series.values.some(({ name }) => name === wanted) ? (wanted ?? first) : first
  const answer = useSeriesLines(caseId, series.id, { value, by: tellingLabels(series.labels) })
  const chosen = series.values.find(({ name }) => name === value)
  return (
    <figure className={styles.figure} data-testid="series">
      <figcaption className={styles.head}>
        <code>{series.name}</code>
        <span className={styles.soft}>
          {[chosen?.unit || 'no unit stated', AXIS_WORDS[series.axis], series.evidence_name.split('/').at(-1)].filter(Boolean).join(' · ')}
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
      {answer.error && <p className={styles.soft}>It could not be loaded: {answer.error.message}</p>}
      {answer.data ? <Told told={answer.data} onLines={onLines} /> : <div className={styles.waiting} role="status" aria-label="Loading" />}
    </figure>
  )
}

/** One value each is a ranking, averages over windows are bars; only values one after the other make a line. */
function Told({ told, onLines }: { told: SeriesLines; onLines: Props['onLines'] }) {
  const isRanking = told.lines.every(({ value }) => value.length === 1)
  return told.axis === 'window_seconds' || isRanking ? <Windows told={told} isRanking={isRanking} onLines={onLines} /> : <Lines told={told} onLines={onLines} />
}

function Lines({ told, onLines }: { told: SeriesLines; onLines: Props['onLines'] }) {
  const names = lineNames(told.lines)
  const times = told.lines.flatMap(({ time }) => time)
  const values = told.lines.flatMap(({ value }) => value)
  const x = scaleLinear([Math.min(...times), Math.max(...times, Math.min(...times) + 1)], [LEFT, WIDTH - 6])
  const y = scaleLinear([Math.min(0, ...values), Math.max(...values, 1e-9)], [HEIGHT, 8]).nice(3)
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + BOTTOM}`} role="img" aria-label={`${told.value.replaceAll('_', ' ')} of ${told.lines.map((line, at) => `${names[at]}, at most ${reading(Math.max(...line.value), told.unit)}`).join('; ')}`}>
        {y.ticks(3).map((tick) => (
          <g key={tick}>
            <line className={styles.rule} x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            <text className={styles.tick} x={LEFT - 5} y={y(tick) + 3.5} textAnchor="end">
              {tickText(tick, told.unit)}
            </text>
          </g>
        ))}
        {x.ticks(5).map((tick) => (
          <text key={tick} className={styles.tick} x={x(tick)} y={HEIGHT + 14} textAnchor="middle">
            {tick}
            {told.axis === 'order' ? '' : ' s'}
          </text>
        ))}
        {told.lines.map((line, at) => (
          <g key={names[at]} className={styles.path} data-series={at % COLOURS}>
            <path d={line.value.map((one, place) => `${place ? 'L' : 'M'}${x(line.time[place] ?? 0)} ${y(one)}`).join('')} />
            {line.value.length < 30 &&
              line.value.map((one, place) => (
                <circle key={line.time[place]} cx={x(line.time[place] ?? 0)} cy={y(one)} r="2.2">
                  <title>{`${names[at]}: ${reading(one, told.unit)}`}</title>
                </circle>
              ))}
          </g>
        ))}
      </svg>
      <ul className={styles.keys}>
        {told.lines.map((line, at) => (
          <li key={names[at]}>
            <span className={styles.swatch} data-series={at % COLOURS} aria-hidden="true" />
            <Button look="quiet" title="Show the lines it is read from" onClick={() => onLines(line.evidence_id, line.line[0] ?? 1)}>
              {names[at]}
            </Button>
            <span className={styles.soft}>most {reading(Math.max(...line.value), told.unit)}</span>
          </li>
        ))}
        {told.left_out > 0 && <li className={styles.soft}>{told.left_out} lower ones are not shown</li>}
      </ul>
    </>
  )
}
