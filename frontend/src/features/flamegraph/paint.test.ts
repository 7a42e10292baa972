import { expect, it } from 'vitest'
import { changeColours, indexGraph, STEPS } from '../../profile'
import { huesIn, paintByChange, paintByKind, paintByMatch } from './paint'
import type { Palette } from './usePalette'

const palette: Palette = { isDark: false, ink: 'ink', soft: '', line: '', faint: 'faint', paper: '', root: '', outline: '', match: 'match', matchInk: 'matchInk' }
const graph = indexGraph({
  event: '', unit: 'samples', total_weight: 3, total_samples: 3, pruned_nodes: 0,
  names: ['main', 'read', 'main'], kinds: ['user', 'kernel', 'kernel'],
  depth: [0, 1, 2], frame: [0, 1, 2], self: [0, 0, 3], node: [0, 1, 2], total: [3, 3, 3],
})

it('colours equal names by kind', () => {
  const paint = paintByKind(graph, palette)
  expect(paint.fills[paint.of(0)]).not.toBe(paint.fills[paint.of(2)])
  expect(huesIn(graph)).toEqual(['kernel', 'user'])
})

it('highlights matches with a readable text colour', () => {
  const paint = paintByMatch(graph, { frames: Uint8Array.from([0, 1, 0]), frameCount: 1, share: 1 }, palette)
  expect([0, 1, 2].map((row) => [paint.fills[paint.of(row)], paint.inks[paint.of(row)]])).toEqual([['faint', 'ink'], ['match', 'matchInk'], ['faint', 'ink']])
})

it('paints changes below the threshold as unchanged', () => {
  const paint = paintByChange([0.5, 0.2, 0], [0.5, 0.21, 0.3], 0.02, palette)
  expect([paint.of(0), paint.of(1), paint.of(2)]).toEqual([STEPS, STEPS, 2 * STEPS])
  expect(paint.fills).toEqual(changeColours(false))
})
