import { expect, it } from 'vitest'
import { columnsFromText } from './example'
import { indexGraph, labelOf, nameOf, NO_ROW, rowOfStack } from './graph'
import { openingRow } from './opening'

/** A graph by command: outermost names are commands, `?` is joined frames. */
function graphByCommand(text: string) {
  const columns = columnsFromText(text)
  const outermost = new Set(columns.depth.flatMap((depth, row) => (depth === 0 ? [columns.frame[row]] : [])))
  columns.kinds = columns.names.map((name, at) => (outermost.has(at) ? 'command' : name === '?' ? 'nameless' : name.startsWith('sys_') || name.endsWith('_idle') ? 'kernel' : 'user'))
  return indexGraph({ ...columns, joined: columns.frame.map((frame) => (columns.names[frame] === '?' ? 3 : 0)) })
}

it('opens on the part that has most of the kernel weight, not on the widest command', () => {
  const graph = graphByCommand('ruby;main;work 60\nmysqld;?;sys_read;vfs_read;copy 25\nmysqld;?;sys_read;vfs_read;wait 8\nmysqld;?;sys_write 3')
  expect(nameOf(graph, openingRow(graph, []))).toBe('vfs_read')
})

it('does not take idle CPUs for kernel work', () => {
  const graph = graphByCommand('swapper;do_idle;default_idle 90\nps;sys_open;walk;step 3\nps;sys_open;walk;other 2')
  expect(nameOf(graph, openingRow(graph, []))).toBe('walk')
})

it('opens on cited frames, and without kernel weight on the widest part', () => {
  const graph = graphByCommand('ruby;main;work;a 60\nruby;main;rest;b 40\nps;sys_open;walk;step 3')
  expect(nameOf(graph, openingRow(graph, [rowOfStack(graph, ['ruby', 'main', 'rest'])]))).toBe('rest')
  expect(nameOf(graph, openingRow(graph, [rowOfStack(graph, ['ruby', 'main'])]))).toBe('main')
  const user = graphByCommand('ruby;main;work;a 60\nruby;main;rest;b 40')
  expect(nameOf(user, openingRow(user, []))).toBe('main')
  expect(openingRow(indexGraph(columnsFromText('')), [])).toBe(NO_ROW)
})

it('opens on a row of its own for a graph of one stack', () => {
  const graph = graphByCommand('ps;sys_open;walk 3')
  expect(openingRow(graph, [])).not.toBe(NO_ROW)
})

it('finds a stack that was pinned without its command, and counts joined frames', () => {
  const graph = graphByCommand('ruby;main;work 10\nperl;main;work 20')
  expect(rowOfStack(graph, ['main', 'work'])).toBe(rowOfStack(graph, ['perl', 'main', 'work']))
  const joined = graphByCommand('mysqld;?;sys_read 4')
  expect(labelOf(joined, 1)).toBe('3 user frames without symbols')
})
