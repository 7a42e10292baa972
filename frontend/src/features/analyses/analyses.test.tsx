import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { Panel } from '../../api'
import { AnalysesPanel } from './AnalysesPanel'
import { fileOf, groupPanels, linesOf, missingCommands } from './panelGroups'

const citation = { evidence_id: 'e1', evidence: 'proc/pressure/memory', section: 0, first_line: 3, last_line: 3 }
const panelOf = (some: Partial<Panel>): Panel => ({
  name: 'pressure',
  title: 'Pressure stalls',
  host: 'db-02',
  phase: 'during',
  state: 'notable',
  summary: 'Most stalled: memory.',
  figures: [{ label: 'memory: some tasks stalled', value: 0.663, unit: 'share', is_notable: true, note: '', citations: [citation] }],
  lacks: [],
  assesses: [],
  ...some,
})

function show(panels: Panel[], onShow = vi.fn<(evidence: string, line: number) => void>()) {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  cache.setQueryData(['case', 'c1', 'analyses'], { evidence_rev: 1, panels })
  render(
    <QueryClientProvider client={cache}>
      <AnalysesPanel caseId="c1" onShow={onShow} />
    </QueryClientProvider>,
  )
  return onShow
}

describe('the system overview', () => {
  it('shows a notable figure with its value and links to the line', () => {
    const onShow = show([panelOf({})])
    expect(screen.getByText('66.3 %')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'memory:3' }))
    expect(onShow).toHaveBeenCalledWith('e1', 3)
  })

  it('calls a panel normal only when its evidence answers a question', () => {
    show([panelOf({ state: 'calm', name: 'load', assesses: ['cpu'] }), panelOf({ state: 'calm', name: 'top-functions' })])
    expect(screen.getByText('No anomaly in the assessed panels.')).toBeTruthy()
    expect(screen.getByText('1 normal')).toBeTruthy()
    expect(screen.getByText(/^1 not judged/)).toBeTruthy()
  })

  it('states no verdict beside tasks that one snapshot shows waiting', () => {
    show([
      panelOf({ state: 'calm', name: 'quality', title: 'Evidence quality', summary: '1 quality problem.' }),
      panelOf({ state: 'unknown', name: 'waits', title: 'Wait graph', summary: '7 tasks wait for writeback; one snapshot does not show whether they are stuck.' }),
    ])
    expect(screen.queryByText('No anomaly in the assessed panels.')).toBeNull()
    expect(screen.getByText('7 tasks wait for writeback; one snapshot does not show whether they are stuck.')).toBeTruthy()
    expect(screen.getByText('2 not judged')).toBeTruthy()
    expect(screen.queryByText('1 not looked at')).toBeNull()
  })

  it('lists each missing command once', () => {
    show([panelOf({ state: 'unknown', figures: [], lacks: ['vmstat 1 5'] }), panelOf({ name: 'x', state: 'unknown', figures: [], lacks: ['vmstat 1 5'] })])
    // What is folded is rendered once it is opened.
    expect(screen.queryByText('vmstat 1 5')).toBeNull()
    const fold = screen.getByText('2 not looked at').closest('details')
    if (fold) fold.open = true
    if (fold) fireEvent(fold, new Event('toggle'))
    expect(screen.getAllByText('vmstat 1 5')).toHaveLength(1)
  })

  it('renders nothing for a case without evidence', () => {
    show([])
    expect(screen.queryByTestId('analyses')).toBeNull()
  })

  it('shows hosts only when there are several', () => {
    expect(groupPanels([panelOf({})]).hasHosts).toBe(false)
    expect(groupPanels([panelOf({}), panelOf({ host: 'db-03' })]).hasHosts).toBe(true)
    expect(missingCommands([])).toEqual([])
    expect(`${fileOf(citation)}${linesOf({ ...citation, last_line: 9 })}`).toBe('memory:3–9')
  })
})
