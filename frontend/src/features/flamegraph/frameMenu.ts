import { exactly, type Graph, nameOf } from '../../profile'
import { copy, type MenuItem } from '../../ui'
import { type GraphState, pathText, type Source } from './types'

type Options = { graph: Graph; row: number; nodeAt: (row: number) => number | null; source: Source | null; onChange: (change: Partial<GraphState>) => void }

/** What can be done with one frame. */
export function frameMenu({ graph, row, nodeAt, source, onChange }: Options): MenuItem[] {
  const name = nameOf(graph, row)
  const items: MenuItem[] = [
    { label: 'Zoom in', hint: 'Enter', act: () => onChange({ zoom: nodeAt(row) }) },
    { label: 'Find everywhere', hint: '/', act: () => onChange({ q: exactly(name) }) },
    { label: 'Copy name', startsGroup: true, act: () => void copy(name) },
    { label: 'Copy stack', act: () => void copy(pathText(graph, row)) },
  ]
  if (source && /^[a-z_]\w*$/i.test(name)) items.push({ label: 'Kernel source', hint: source.tag, href: source.linkTo(name), isNew: true, startsGroup: true })
  return items
}
