import { type Graph, type GraphColumns, indexGraph } from './graph'

type MutableColumns = { [Column in keyof GraphColumns]: ArrayLike<number> extends GraphColumns[Column] ? number[] : GraphColumns[Column] }

type Branch = { name: string; self: number; children: Map<string, Branch> }

/** Graph columns from collapsed stacks such as `main;read 3`, in order of first appearance; for tests. */
export function columnsFromText(text: string): MutableColumns {
  const top: Branch = { name: '', self: 0, children: new Map() }
  for (const line of text.trim().split('\n')) {
    const cut = line.trim().lastIndexOf(' ')
    const frames = line.trim().slice(0, cut).split(';')
    let at = top
    for (const name of frames) {
      const next: Branch = at.children.get(name) ?? { name, self: 0, children: new Map() }
      at.children.set(name, next)
      at = next
    }
    at.self += Number(line.trim().slice(cut + 1))
  }
  const columns: MutableColumns = { event: 'cycles', unit: 'samples', total_weight: 0, total_samples: 0, names: [], kinds: [], depth: [], frame: [], self: [], node: [], total: [], pruned_nodes: 0 }
  const frameOf = new Map<string, number>()
  const append = (branch: Branch, depth: number): number => {
    const row = columns.depth.length
    if (!frameOf.has(branch.name)) {
      frameOf.set(branch.name, columns.names.push(branch.name) - 1)
      columns.kinds.push(branch.name.startsWith('sys_') ? 'kernel' : 'user')
    }
    columns.depth.push(depth)
    columns.frame.push(frameOf.get(branch.name) ?? 0)
    columns.self.push(branch.self)
    columns.node.push(100 + row)
    columns.total.push(0)
    let total = branch.self
    for (const child of branch.children.values()) total += append(child, depth + 1)
    columns.total[row] = total
    return total
  }
  for (const branch of top.children.values()) columns.total_weight += append(branch, 0)
  columns.total_samples = columns.total_weight
  return columns
}

export function graphFromText(text: string): Graph {
  return indexGraph(columnsFromText(text))
}
