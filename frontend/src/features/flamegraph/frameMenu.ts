import { exactly, type Graph, kindOf, nameOf, stackOf } from '../../profile'
import { commandFilter } from '../../api'
import { copy, type MenuItem } from '../../ui'
import { zoomToRow } from './rowKeys'
import { patternOf, withPattern } from './selection'
import { type GraphState, pathText, type Source, STACK_SEPARATOR } from './types'

type Options = { graph: Graph; row: number; state: GraphState; nodeAt: (row: number) => number | null; source: Source | null; onDraft: (node: number) => void; onChange: (change: Partial<GraphState>) => void }

/** The context menu of a frame. Filters are removed by their chip, or by Back. */
export function frameMenu({ graph, row, state, nodeAt, source, onDraft, onChange }: Options): MenuItem[] {
  const name = nameOf(graph, row)
  const { selection } = state
  const node = nodeAt(row)
  const select = (kind: 'focus' | 'hide' | 'merge') => onChange({ selection: withPattern(selection, kind, patternOf(name)), zoom: null, node: null })
  const stack = stackOf(graph, row).join(STACK_SEPARATOR)
  const kind = kindOf(graph, row)
  const isFunction = kind !== 'command' && kind !== 'nameless'
  const commands = kind === 'command' ? [{ label: 'Only this command', startsGroup: true, act: () => onChange({ selection: { ...selection, ...commandFilter(name) }, zoom: null, node: null }) }] : []
  const isPinned = state.pins.includes(stack)
  const functions = [
    { label: 'Callers and callees', hint: 's', act: () => onChange({ look: 'sandwich', of: name }) },
    { label: 'Find everywhere', hint: '/', act: () => onChange({ q: exactly(name) }) },
    { label: 'Only stacks through it', startsGroup: true, act: () => select('focus') },
    { label: 'Hide stacks through it', act: () => select('hide') },
    { label: 'Merge into its caller', act: () => select('merge') },
  ]
  return [
    { label: 'Zoom in', hint: 'Enter', act: () => onChange(zoomToRow(graph, state, row)) },
    ...(kind === 'nameless' || state.showsNameless ? [{ label: state.showsNameless ? 'Join frames without symbols' : 'Expand frames without symbols', act: () => onChange({ showsNameless: !state.showsNameless, zoom: null, node: null }) }] : []),
    ...commands,
    ...(isFunction ? functions : []),
    {
      label: selection.collapse_recursion ? 'Show recursion' : 'Collapse recursion',
      startsGroup: !isFunction,
      act: () => onChange({ selection: { ...selection, collapse_recursion: selection.collapse_recursion ? undefined : true }, zoom: null, node: null }),
    },
    ...(state.inverted
      ? []
      : [{ label: isPinned ? 'Unpin' : 'Pin', hint: 'stored in the link', startsGroup: true, act: () => onChange({ pins: isPinned ? state.pins.filter((pin) => pin !== stack) : [...state.pins, stack] }) }]),
    ...(isFunction ? [{ label: 'Cases with this frame', startsGroup: state.inverted, act: () => onChange({ casesOf: name }) }] : []),
    ...(state.inverted || node === null || !isFunction ? [] : [{ label: 'Draft a signature', hint: '.yaml', act: () => onDraft(node) }]),
    { label: 'Copy name', startsGroup: true, act: () => void copy(name) },
    { label: 'Copy stack', act: () => void copy(pathText(graph, row)) },
    ...(source && /^[a-z_]\w*$/i.test(name) ? [{ label: 'Kernel source', hint: source.tag, href: source.linkTo(name), isNew: true, startsGroup: true }] : []),
  ]
}
