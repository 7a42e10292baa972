import type { GraphColumns } from './graph'

/**
 * `whole` with everything below `row` replaced by `subtree`, which says more about the same node.
 *
 * What the subtree left out is still pruned; what stood below `row` before and had been kept is in it too.
 */
export function graft(whole: GraphColumns, row: number, subtree: GraphColumns): GraphColumns {
  const depth = whole.depth[row] ?? 0
  let end = row + 1
  while (end < whole.depth.length && (whole.depth[end] ?? 0) > depth) end++
  if (subtree.node[0] !== whole.node[row] || subtree.depth.length <= end - row) return whole

  const names = [...whole.names]
  const kinds = [...whole.kinds]
  const known = new Map(names.map((name, at) => [`${kinds[at]}\n${name}`, at]))
  const frameOf = subtree.names.map((name, at) => {
    const key = `${subtree.kinds[at]}\n${name}`
    const found = known.get(key)
    if (found !== undefined) return found
    kinds.push(subtree.kinds[at] ?? 'unknown')
    known.set(key, names.length)
    return names.push(name) - 1
  })
  const shift = depth - (subtree.depth[0] ?? 0)
  const replace = (column: number[], by: number[]) => [...column.slice(0, row), ...by, ...column.slice(end)]
  return {
    ...whole,
    names,
    kinds,
    depth: replace(whole.depth, subtree.depth.map((value) => value + shift)),
    frame: replace(whole.frame, subtree.frame.map((value) => frameOf[value] ?? 0)),
    self: replace(whole.self, subtree.self),
    node: replace(whole.node, subtree.node),
    total: replace(whole.total, subtree.total),
    pruned_nodes: Math.max(0, whole.pruned_nodes - (subtree.depth.length - (end - row))),
  }
}
