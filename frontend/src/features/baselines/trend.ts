import type { BaselinePoint, BaselineTrend } from '../../api'
import { format } from '../../profile'

export const CPU_TIME = 'cpu'

/** Points between two change points, `from` to before `to`, and their geometric mean; null if no point has a value. */
export type Level = { from: number; to: number; mean: number | null }

/** The levels of a trend, in order of time. */
export function levelsOf({ trend, changes }: Pick<BaselineTrend, 'trend' | 'changes'>): Level[] {
  const bounds = [0, ...changes.map(({ at }) => at), trend.length]
  return bounds.slice(1).map((to, index) => {
    const from = bounds[index] ?? 0
    const logs = trend.slice(from, to).flatMap(({ value }) => (value === null ? [] : [Math.log(value)]))
    return { from, to, mean: logs.length === 0 ? null : Math.exp(logs.reduce((sum, one) => sum + one, 0) / logs.length) }
  })
}

/** The points to compare when none are chosen: before and after the latest change, else the oldest and the latest. */
export function defaultPair({ trend, changes }: Pick<BaselineTrend, 'trend' | 'changes'>): { a: string; b: string } | null {
  const [first, last] = [trend[0], trend.at(-1)]
  if (!first || !last || first === last) return null
  const change = changes.at(-1)
  const [before, after] = change ? [trend[change.at - 1], trend[change.at]] : [first, last]
  return before && after ? { a: before.id, b: after.id } : null
}

/** A growth with its sign: `+4.8 %`. */
export function growthText(growth: number): string {
  const percent = Math.abs(growth * 100)
  return `${growth < 0 ? '−' : '+'}${percent.toFixed(percent < 9.95 ? 1 : 0)} %`
}

/** The name of a point: its commit, else its day. */
export function pointName(point: Pick<BaselinePoint, 'commit' | 'measured_at'>): string {
  return point.commit.slice(0, 12) || point.measured_at.slice(0, 10)
}

/** A value of a measure per unit of work or run. */
export function valueText(value: number | null, unit: string): string {
  return value === null ? '–' : format.weight(value, unit)
}

/** A measure as shown: `cpu` is the CPU time of all samples. */
export function measureName(measure: string): string {
  return measure === CPU_TIME ? 'CPU time' : measure
}
