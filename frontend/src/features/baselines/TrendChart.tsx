import { scaleLinear } from 'd3-scale'
import type { BaselineTrend } from '../../api'
import { useElementSize } from '../../ui'
import styles from './baselines.module.css'
import { growthText, levelsOf, measureName, pointName, valueText } from './trend'

/** Before the size of the page is known. */
const USUAL_WIDTH = 900
const HEIGHT = 240
const LEFT = 64
const TOP = 34
const BOTTOM = 26
const EDGE = 16
const NAME_WIDTH = 95
/** Of the label of a change point: growth and commit. */
const LABEL_WIDTH = 140
type Props = { trend: BaselineTrend; a: string | undefined; b: string | undefined; onPick: (id: string) => void }

/** A measure by point, oldest first: a line for each level, a mark with the commit at each change point. */
export function TrendChart(props: Props) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className={styles.chart}>
      <Chart {...props} width={width || USUAL_WIDTH} />
    </div>
  )
}

function Chart({ trend, a, b, onPick, width }: Props & { width: number }) {
  const { trend: points, changes, unit } = trend
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length === 0) return <p className={styles.none}>No point has the measure {measureName(trend.measure)}.</p>
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const space = Math.max((most - least) * 0.15, most * 0.02)
  const x = scaleLinear([0, Math.max(points.length - 1, 1)], [LEFT + EDGE, width - EDGE])
  const y = scaleLinear([Math.max(0, least - space), most + space], [HEIGHT, TOP])
  const every = Math.ceil(points.length / Math.max(1, Math.floor((width - LEFT) / NAME_WIDTH)))
  const label = `${measureName(trend.measure)} of ${points.length} points, from ${valueText(least, unit)} to ${valueText(most, unit)}; ${
    changes.length === 0 ? 'no change point' : changes.map(({ at, growth }) => `${growthText(growth)} at ${pointName(points[at] ?? { commit: '', measured_at: '' })}`).join(', ')
  }`
  return (
    <svg width={width} height={HEIGHT + BOTTOM} role="img" aria-label={label} data-testid="trend-chart">
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line className={styles.rule} x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
          <text className={styles.tick} x={LEFT - 6} y={y(tick) + 3.5} textAnchor="end">
            {valueText(tick, unit)}
          </text>
        </g>
      ))}
      {levelsOf(trend).map(({ from, to, mean }) => mean !== null && <line key={from} className={styles.level} x1={x(from) - 6} x2={x(to - 1) + 6} y1={y(mean)} y2={y(mean)} />)}
      {changes.map(({ at, growth }) => {
        const point = points[at]
        const isRight = x(at) + LABEL_WIDTH > width
        return (
          point && (
            <g key={at} className={styles.change} data-worse={growth > 0 || undefined}>
              <line x1={x(at - 0.5)} x2={x(at - 0.5)} y1={16} y2={HEIGHT} />
              <text x={x(at - 0.5) + (isRight ? -5 : 5)} y={26} textAnchor={isRight ? 'end' : 'start'}>
                {growthText(growth)} {pointName(point)}
              </text>
            </g>
          )
        )
      })}
      {points.map((point, at) =>
        point.value === null ? null : (
          <circle key={point.id} className={styles.point} data-side={point.id === a ? 'a' : point.id === b ? 'b' : undefined} cx={x(at)} cy={y(point.value)} r={point.id === a || point.id === b ? 6 : 4} onClick={() => onPick(point.id)}>
            <title>{`${pointName(point)}, ${point.measured_at.slice(0, 16).replace('T', ' ')}: ${valueText(point.value, unit)}`}</title>
          </circle>
        ),
      )}
      {points.map(
        (point, at) =>
          at % every === 0 && (
            <text key={point.id} className={styles.tick} x={x(at)} y={HEIGHT + 16} textAnchor="middle">
              {pointName(point).slice(0, 10)}
            </text>
          ),
      )}
    </svg>
  )
}
