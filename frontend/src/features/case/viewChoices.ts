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

const STACK_VIEWS: readonly View[] = ['flame', 'icicle', 'sandwich', 'table', 'speedscope']

/** The views that can answer: of a profile, and numbers and waits where the case has some; those of `kept`, which a link opened or the case opens with, stay. */
export function viewChoices(profile: Profile | undefined, profiles: readonly Profile[], kept: readonly View[], hasData: { numbers: boolean; waits: boolean }): typeof VIEW_CHOICES {
  // Every frame of one stack is 100 %: its lines say as much.
  const stacks = profile && profile.samples > 1 ? profile : undefined
  const offered = new Set<View>(kept)
  if (!profile?.has_weights || !stacks) offered.add('lines')
  if (stacks) for (const view of STACK_VIEWS) offered.add(view)
  if (stacks?.is_ordered) offered.add('time').add('lanes')
  if (stacks && (stacks.has_time || profiles.length > 1)) offered.add('diff')
  if (hasData.numbers) offered.add('numbers')
  if (hasData.waits) offered.add('waits')
  return VIEW_CHOICES.filter(({ value }) => offered.has(value))
}
