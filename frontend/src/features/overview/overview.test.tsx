import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { CaseOverview } from '../../api'
import { OverviewPanel } from './OverviewPanel'
import { diagnosisOf, leadingSignature } from './questions'

const PLAIN = { detail: '', chips: [], may_be: '' }
const citation = { evidence_id: 'e1', evidence: 'logs/dmesg.txt', section: 0, first_line: 12, last_line: 14 }
const statementOf = (text: string, kind: 'alarm' | 'fact' = 'alarm'): CaseOverview['statements'][number] => ({
  question: 'kernel-log',
  kind,
  text,
  host: '',
  level: 'failure',
  capture: '',
  citations: [citation],
})
const overviewOf = (some: Partial<CaseOverview>): CaseOverview => ({
  evidence_rev: 1,
  judged_rev: 1,
  headline: { kind: 'statement', text: 'A disk does not answer', signature: '', host: '', severity: null, statement: 0, is_stated: true, ...PLAIN },
  suspicion: null,
  questions: [
    { name: 'kernel-log', title: 'kernel log', state: 'alarm', alarms: 1, capture: '', is_partial: false, note: '' },
    { name: 'cpu', title: 'CPU', state: 'not assessed', alarms: 0, capture: 'top -b -n 1', is_partial: true, note: 'average since boot' },
    { name: 'io', title: 'IO', state: 'not assessed', alarms: 0, capture: 'iostat', is_partial: false, note: '' },
  ],
  statements: [statementOf('A disk does not answer'), statementOf('Two'), statementOf('Three'), statementOf('Four', 'fact'), statementOf('Five', 'fact')],
  chain: [],
  next_capture: 'top -b -n 1',
  next_capture_reason: 'which processes use the CPUs',
  is_urgent: false,
  matrix: { hypotheses: [], observations: [], captures: [] },
  first_steps: ['If a replica is there: fail over', 'If not: copy the data off first'],
  signatures: { checked: 23 },
  ...some,
})

const titleOf = (text: string, some: Partial<CaseOverview['headline']> = {}) => diagnosisOf(overviewOf({ headline: { kind: 'match', text, signature: 'block/x', host: '', severity: null, statement: null, is_stated: false, ...PLAIN, ...some } }))

function show(overview: CaseOverview, onShow = vi.fn<(evidence: string, line: number) => void>()) {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  cache.setQueryData(['case', 'c1', 'analyses', 'overview'], overview)
  render(
    <QueryClientProvider client={cache}>
      <OverviewPanel caseId="c1" onShow={onShow} matrix={<h3>Next</h3>} />
    </QueryClientProvider>,
  )
  return onShow
}

const order = () => screen.getAllByRole('heading', { level: 3 }).map((item) => item.textContent)

describe('the overview', () => {
  it('leads with the headline, then what was assessed, then three more statements', () => {
    show(overviewOf({}))
    expect(screen.getByRole('heading', { name: 'A disk does not answer' })).toBeTruthy()
    expect([...screen.getByRole('list', { name: 'Assessed' }).children].map((item) => item.textContent)).toEqual(['Alarm: kernel log', 'Not decided: CPU (average since boot)', 'Not looked at: IO'])
    expect(['Two', 'Three', 'Four', 'Five'].map((text) => screen.queryByText(text, { exact: false }) !== null)).toEqual([true, true, true, false])
    expect([...screen.getByRole('list', { name: 'First steps' }).children].map((item) => item.textContent)).toEqual(['If a replica is there: fail over', 'If not: copy the data off first'])
    expect(screen.getByText('No signature explains it: 23 checked')).toBeTruthy()
  })

  it('shows how severe the alarm of the headline is', () => {
    const headline = { kind: 'statement' as const, text: 'A disk does not answer', signature: '', host: '', severity: 'critical' as const, statement: 0, is_stated: true, ...PLAIN }
    show(overviewOf({ headline }))
    expect(screen.getByText('severity critical')).toBeTruthy()
    expect(screen.getByTestId('overview').dataset.severity).toBe('critical')
    expect(diagnosisOf(overviewOf({ headline }))?.kind).toBe('critical')
  })

  it('puts the first steps above what decides where damage grows meanwhile', () => {
    show(overviewOf({ is_urgent: true }))
    expect(order()).toEqual(['Do this first', 'Next'])
    cleanup()
    show(overviewOf({}))
    expect(order()).toEqual(['Next', 'Then'])
  })

  it('opens the cited line', () => {
    const onShow = show(overviewOf({}))
    const [first] = screen.getAllByRole('button', { name: 'dmesg.txt:12–14' })
    if (!first) throw new Error('the headline has no citation')
    fireEvent.click(first)
    expect(onShow).toHaveBeenCalledWith('e1', 12)
  })

  it('says that there is no kernel evidence, and asks no question', () => {
    show(overviewOf({ headline: { kind: 'no evidence', text: 'No kernel evidence here', signature: '', host: '', severity: null, statement: null, is_stated: false, ...PLAIN }, statements: [], next_capture: '', first_steps: [] }))
    expect(screen.getByRole('heading', { name: 'No kernel evidence here' })).toBeTruthy()
    expect(screen.queryByRole('list')).toBeNull()
    expect(screen.queryByText(/No signature explains it/)).toBeNull()
  })
})

describe('the title of a case', () => {
  it('is the headline', () => {
    expect(titleOf('The link flaps; before it: link down on eth0')?.text).toBe('The link flaps; before it: link down on eth0')
    expect(titleOf('May be: A queue is full', { kind: 'suspect' })?.text).toBe('May be: A queue is full')
  })

  it('is what is observed, not the suspicion below it', () => {
    const overview = overviewOf({ suspicion: { kind: 'suspect', text: 'May be: A cable is loose', signature: 'block/x', host: '' } })
    expect(diagnosisOf(overview)).toMatchObject({ text: 'A disk does not answer', kind: 'statement' })
    expect(leadingSignature(overview)).toBe('block/x')
    expect(leadingSignature(overviewOf({}))).toBe('')
    show(overview)
    expect(screen.getByText('May be: A cable is loose')).toBeTruthy()
    expect(screen.queryByText(/No signature explains it/)).toBeNull()
  })

  it('is the statement that leads, also behind what was assessed', () => {
    expect(titleOf('Only IO could be assessed: A disk does not answer', { kind: 'fact', signature: '', statement: 0, is_stated: true, ...PLAIN })?.statement?.text).toBe('A disk does not answer')
    expect(titleOf('The link flaps; before it: a disk does not answer', { statement: 0 })?.statement?.text).toBe('A disk does not answer')
    expect(titleOf('The link flaps: a disk does not answer')?.statement).toBeUndefined()
    expect(diagnosisOf(overviewOf({ headline: { kind: 'no evidence', text: 'No kernel evidence here', signature: '', host: '', severity: null, statement: null, is_stated: false, ...PLAIN } }))).toBeUndefined()
    expect(diagnosisOf(undefined)).toBeUndefined()
  })

  it('is calm only where something was assessed in full and nothing is unusual', () => {
    const [log, , io] = overviewOf({}).questions
    if (!log || !io) throw new Error('no questions')
    const headline = { kind: 'not assessed' as const, text: 'No alarm about the kernel log', signature: '', host: '', severity: null, statement: null, is_stated: false, ...PLAIN }
    expect(diagnosisOf(overviewOf({ headline, questions: [{ ...log, state: 'no alarm' }, io] }))?.kind).toBe('calm')
    expect(diagnosisOf(overviewOf({ headline, questions: [{ ...log, state: 'notable' }, io] }))?.kind).toBe('not assessed')
    expect(diagnosisOf(overviewOf({ headline, questions: [io] }))?.kind).toBe('not assessed')
  })
})
