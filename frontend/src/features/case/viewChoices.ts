import type { Profile } from '../../api'
import type { View } from './search'

const VIEW_CHOICES: readonly { value: View; label: string; hint?: string }[] = [
  { value: 'lines', label: 'Lines', hint: 'The cited lines' },
  { value: 'flame', label: 'Flame', hint: 'Callers below, callees above (f)' },
  { value: 'icicle', label: 'Icicle', hint: 'Callers above, callees below; stays selected in other cases' },
  { value: 'time', label: 'Time', hint: 'Stacks in time order' },
  { value: 'sandwich', label: 'Sandwich', hint: 'Callers and callees of one function (s on a frame)' },
  { value: 'table', label: 'Table', hint: 'Functions by weight (t)' },
  { value: 'lanes', label: 'Lanes', hint: 'Threads over time, one lane per CPU or thread' },
  { value: 'diff', label: 'Diff', hint: 'Difference from a baseline profile' },
  { value: 'numbers', label: 'Numbers', hint: 'Histograms and values over time' },
  { value: 'waits', label: 'Waits', hint: 'Which task blocks the others (b)' },
  { value: 'speedscope', label: 'Speedscope', hint: 'The profile in speedscope (o)' },
]

/** The views that can answer: of a profile, and numbers and waits where the case has some; the one that a link opened stays. */
export function viewChoices(profile: Profile | undefined, profiles: readonly Profile[], shown: View, hasData: { numbers: boolean; waits: boolean }): typeof VIEW_CHOICES {
  const hasPartner = profile !== undefined && (profile.has_time || profiles.length > 1)
  const ofProfile: Partial<Record<View, boolean>> = profile ? { lines: !profile.has_weights || profile.samples <= 1, time: profile.is_ordered, lanes: profile.is_ordered, diff: hasPartner } : { lines: true }
  const isOffered: Partial<Record<View, boolean>> = { ...ofProfile, ...hasData }
  return VIEW_CHOICES.filter(({ value }) => value === shown || (isOffered[value] ?? profile !== undefined))
}
