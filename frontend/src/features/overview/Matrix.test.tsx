import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { CaseOverview, Finding } from '../../api'
import { clauseOf, findingOf } from '../findings'
import { Matrix } from './Matrix'

type Value = CaseOverview['matrix']
const place = { evidence_id: 'e1', evidence: 'cg/memory.stat', section: 0, first_line: 9, last_line: 9 }
const capture = (name: string, title: string): Value['captures'][number] => ({ name, title, run: `cat /${name}`, cost: 'none', needs: ['root'], alternatives: [], unsafe_if: ['mm/x'], decides: 'between A and B', gain: 0.2 })
const cell = (state: Value['observations'][number]['cells'][number]['state'], some: object = {}) => ({ state, clause: '', reason: '', citations: [], ...some })
const matrix: Value = {
  hypotheses: [
    { text: 'Reclaim at the limit', signature: 'mm/a', verdict: 'match', fingerprint: 'fa', weight: 0.7 },
    { text: 'The host is short of memory', signature: 'mm/b', verdict: 'unknown', fingerprint: 'fb', weight: 0.2 },
  ],
  observations: [
    { title: 'Reclaim frees pages', measured: '65 %', cells: [cell('is', { clause: 'frees', citations: [place] }), cell('silent')], capture: '', gain: 0 },
    { title: 'The host reclaims', measured: '', cells: [cell('silent'), cell('not looked at')], capture: 'pressure', gain: 0.1 },
  ],
  captures: [capture('stacks', 'Stacks of all CPUs'), capture('pressure', 'Pressure of memory')],
}

function show(findings: Finding[] = [], value = matrix) {
  const seen = { onShow: vi.fn<(evidence: string, line: number) => void>(), onFinding: vi.fn<(finding: Finding) => void>(), onClause: vi.fn<(...args: unknown[]) => void>() }
  render(<Matrix matrix={value} findings={findings} actionOf={({ name }) => <p>ran {name}</p>} {...seen} />)
  return seen
}

describe('the matrix of hypotheses', () => {
  it('says of each cell in words what its mark says, and opens the line', () => {
    const seen = show()
    fireEvent.click(screen.getByRole('button', { name: 'A: is, memory.stat:9' }))
    expect(seen.onShow).toHaveBeenCalledWith('e1', 9)
    expect(screen.getAllByText('says nothing of it')).toHaveLength(2)
  })

  it('opens the condition of a finding that is on the page', () => {
    const finding = findingOf({ fingerprint: 'fa', clauses: [clauseOf({ id: 'frees', citations: [{ ...place, profile: null, profile_id: null, nodes: [] }] })] })
    const seen = show([finding])
    fireEvent.click(screen.getByRole('button', { name: 'A: is, memory.stat:9' }))
    expect(seen.onClause).toHaveBeenCalledWith(finding, finding.clauses[0], 0)
    fireEvent.click(screen.getByRole('button', { name: 'Reclaim at the limit' }))
    expect(seen.onFinding).toHaveBeenCalledWith(finding)
  })

  it('leads with the capture that decides most, and shows that of an open cell', () => {
    show()
    const next = screen.getByTestId('next-capture')
    for (const text of ['Stacks of all CPUs', 'decides between A and B', 'none', 'root', 'mm/x', 'ran stacks']) expect(next.textContent).toContain(text)
    fireEvent.click(screen.getByRole('button', { name: 'B: not looked at: show its capture' }))
    expect(screen.getByTestId('next-capture').dataset['capture']).toBe('pressure')
    expect(within(screen.getByTestId('matrix')).getByRole('button', { name: 'Pressure of memory' }).getAttribute('aria-pressed')).toBe('true')
  })

  it('is the next capture only where nothing competes, and nothing where nothing is missing', () => {
    show([], { hypotheses: [], observations: [], captures: [capture('', 'which processes use the CPUs')] })
    expect(screen.getByRole('heading', { name: 'Next' })).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByText('ran')).toBeNull()
    show([], { hypotheses: [], observations: [], captures: [] })
    expect(screen.getAllByTestId('matrix')).toHaveLength(1)
  })
})
