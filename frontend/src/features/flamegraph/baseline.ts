import type { Profile } from '../../api'
import { seconds } from './selection'
import type { GraphState } from './types'

/** A baseline that a comparison can start with. */
export type Proposal = { label: string; change: Partial<GraphState> }

const MAX_PROFILES = 3

const fileOf = ({ evidence_name }: Profile) => evidence_name.split('/').at(-1)

/** Baselines for a profile: other recordings of the same event and unit, same file name first; else the first half of its own time. */
export function proposeBaselines(profile: Profile, profiles: readonly Profile[]): Proposal[] {
  const isSimilar = (other: Profile) => other.id !== profile.id && other.has_weights && other.event === profile.event && other.unit === profile.unit
  const others = profiles
    .filter(isSimilar)
    .toSorted((a, b) => Number(fileOf(b) === fileOf(profile)) - Number(fileOf(a) === fileOf(profile)) || b.weight - a.weight)
    .slice(0, MAX_PROFILES)
    .map((other) => ({ label: other.evidence_name.split('/').slice(-2).join('/'), change: { base: other.id, baseFrom: null, baseTo: null, zoom: null, node: null } }))
  const [from, to] = [profile.from_s ?? 0, profile.to_s ?? 0]
  const length = to - from
  if (!profile.has_time || length <= 0) return others
  const middle = seconds(length / 2)
  const halves = {
    label: `First half (0–${middle} s) with second half`,
    change: { base: profile.id, baseFrom: 0, baseTo: middle, selection: { t0: middle, t1: seconds(length) }, zoom: null, node: null },
  }
  return [...others, halves]
}
