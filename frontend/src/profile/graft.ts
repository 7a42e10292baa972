import type { GraphColumns } from './graph'

/**
 * Replaces the subtree of `row` by `subtree`, a less pruned version of the same node.
 *
 * Frames that `subtree` omits stay pruned. Returns `whole` unchanged when the nodes differ.
 */
export function graft<Whole extends GraphColumns>(whole: Whole, row: number, subtree: GraphColumns): Whole | GraphColumns {
  const depth = whole.depth[row] ?? 0
  let end = row + 1
  while (end < whole.depth.length && (whole.depth[end] ?? 0) > depth) end++
  if (subtree.node[0] !== whole.node[row] || subtree.depth.length <= end - row) return whole

  const names = [...whole.names]
  const kinds = [...whole.kinds]
  const indexOf = new Map(names.map((name, at) => [`${kinds[at]}\n${name}`, at]))
  const frameOf = subtree.names.map((name, at) => {
    const key = `${subtree.kinds[at]}\n${name}`
    const existing = indexOf.get(key)
    if (existing !== undefined) return existing
    kinds.push(subtree.kinds[at] ?? 'unknown')
    indexOf.set(key, names.length)
    return names.push(name) - 1
  })
  const shift = depth - (subtree.depth[0] ?? 0)
  const splice = (column: ArrayLike<number>, by: ArrayLike<number>, change: (value: number) => number = (value) => value) => {
    const result = new Float64Array(row + by.length + column.length - end)
    for (let at = 0; at < row; at++) result[at] = column[at] ?? 0
    for (let at = 0; at < by.length; at++) result[row + at] = change(by[at] ?? 0)
    for (let at = end; at < column.length; at++) result[row + by.length + at - end] = column[at] ?? 0
    return result
  }
  return {
    ...whole,
    names,
    kinds,
    depth: splice(whole.depth, subtree.depth, (value) => value + shift),
    frame: splice(whole.frame, subtree.frame, (value) => frameOf[value] ?? 0),
    self: splice(whole.self, subtree.self),
    node: splice(whole.node, subtree.node),
    total: splice(whole.total, subtree.total),
    ...(whole.joined && subtree.joined && { joined: splice(whole.joined, subtree.joined) }),
    ...(whole.leaf && subtree.leaf && { leaf: splice(whole.leaf, subtree.leaf) }),
    pruned_nodes: Math.max(0, whole.pruned_nodes - (subtree.depth.length - (end - row))),
  }
}
