import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { ClauseTable } from './ClauseTable'
import { clauseOf, findingOf } from './example'
import { FindingCard } from './FindingCard'
import { FindingList } from './FindingList'
import { orderFixes } from './fixOrder'
import { citedLines, citedNodes, citedProfile, inRank } from './selection'
import { claimAndRest, headlineOf, markOf, quantity, stateWithReason, verdictNumbers } from './labels'

const citation = { evidence_id: 'e1', evidence: 'perf.script', section: 0, first_line: 12, last_line: 14, profile: 0, profile_id: 'p1', nodes: [7, 9] }

const regions = () => screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))

describe('labels', () => {
  it('shows a met excluding condition as counting against the finding', () => {
    const decided = { reason: '', observed: null }
    expect(markOf({ state: 'TRUE', role: 'rival', ...decided })).toMatchObject({ sign: '✗', label: 'met, excludes it' })
    expect(markOf({ state: 'FALSE', role: 'rival', ...decided })).toMatchObject({ sign: '✓', label: 'not met' })
    expect(markOf({ state: 'FALSE', role: 'core', ...decided })).toMatchObject({ sign: '✗', label: 'not met' })
  })

  it('shows a condition without evidence as not looked at, and others with their reason', () => {
    expect(markOf({ state: 'UNKNOWN', role: 'rival', reason: 'absent', observed: null })).toMatchObject({ sign: '?', label: 'not looked at' })
    expect(stateWithReason(clauseOf({ state: 'UNKNOWN', reason: 'filtered: by command', observed: null }))).toBe('not decided: the output was filtered when it was collected: by command')
  })

  it('formats values with their unit', () => {
    expect(quantity(0.408, 'share')).toBe('40.8 %')
    expect(quantity(230_800_000, 'us')).toBe('231 s')
    expect(quantity(4 * 1024 ** 3, 'bytes')).toBe('4.0 GiB')
    expect(quantity('seen', '')).toBe('seen')
    expect([quantity(152, 'times'), quantity(12, 'per_second'), quantity(3, 'count')]).toEqual(['152 times', '12 /s', '3'])
    expect(quantity(null, 'share')).toBe('–')
    expect(quantity(1234567, 'count')).toBe('1,234,567')
    expect(quantity(35.7143, '')).toBe('35.7')
    expect(quantity(12394, 'per_second')).toBe('12,394 /s')
  })

  it('states confidence only where there is one, coverage always', () => {
    expect(verdictNumbers(findingOf({ confidence: null }))).toBe('score 9, coverage 0.80')
    expect(verdictNumbers(findingOf({}))).toBe('score 9, confidence 0.90, coverage 0.80')
  })

  it('shows the title of a finding that was judged before headlines existed', () => {
    expect(headlineOf(findingOf({ headline: '' }))).toBe('MGLRU reclaim spins on lru_lock')
  })
})

describe('selection', () => {
  it('selects only the cited frames of the given profile', () => {
    const clause = clauseOf({ citations: [citation, { ...citation, profile: 0, profile_id: 'p2', nodes: [1] }] })
    expect([...citedNodes(clause, 'p1')]).toEqual([7, 9])
    expect(citedProfile(clause)).toBe('p1')
    expect(citedLines(clause, 'e1')).toEqual([{ first: 12, last: 14 }, { first: 12, last: 14 }])
  })

  it('chooses the profile of the first citation with frames', () => {
    const broad = { ...citation, profile: 0, profile_id: 'p2', nodes: [1, 2, 3, 4] }
    const ofLines = { ...citation, profile: 0, profile_id: null, nodes: [] }
    expect(citedProfile(clauseOf({ citations: [ofLines, citation, broad] }))).toBe('p1')
    expect(citedProfile(clauseOf({ citations: [ofLines] }))).toBeUndefined()
  })

  it('ranks matches before suspected findings, near misses last', () => {
    const ids = inRank([
      findingOf({ id: 'near', verdict: 'no_match', is_near_miss: true }),
      findingOf({ id: 'suspect', verdict: 'suspect', severity: 'critical' }),
      findingOf({ id: 'match', severity: 'low' }),
    ]).map(({ id }) => id)
    expect(ids).toEqual(['match', 'suspect', 'near'])
  })
})

describe('the clause table', () => {
  it('shows state, threshold and reason of each condition', () => {
    render(<ClauseTable selected={undefined} onSelect={() => undefined} clauses={[clauseOf({ state: 'UNKNOWN', observed: null, reason: 'absent: no memory.stat' })]} />)
    const row = screen.getByTestId('clause-row')
    expect(within(row).getByText('not looked at: no memory.stat')).toBeTruthy()
    expect(within(row).getByText('30 %')).toBeTruthy()
  })

  it('selects a citation on click', () => {
    const onSelect = vi.fn()
    const clause = clauseOf({ citations: [citation, { ...citation, first_line: 90, last_line: 90, nodes: [] }] })
    render(<ClauseTable selected={undefined} onSelect={onSelect} clauses={[clause]} />)
    fireEvent.click(screen.getByText('perf.script:90'))
    expect(onSelect).toHaveBeenCalledWith(clause, 1)
  })
})

const linkOf = (id: string) => id && <a href={`/signatures/${id}`}>{id}</a>

function show(fields: Parameters<typeof findingOf>[0]) {
  return render(<FindingCard finding={findingOf(fields)} linkOf={linkOf} selectedClause={undefined} onClause={() => undefined} />)
}

describe('the card', () => {
  const fix = { kind: 'setting', title: 'Raise the limit', run: 'echo 8G > memory.max', risk: 'needs the memory', undo: 'echo 4G > memory.max', unsafe_if: [], scope: 'runtime', first_on: null, verify: null, status: null }
  it('shows the first fix with risk and undo', () => {
    show({ fixes: [fix] })
    const now = screen.getByRole('region', { name: 'Do this now' })
    expect(now.textContent).toContain('needs the memory')
    expect(now.textContent).toContain('echo 4G > memory.max')
  })

  it('fills commands with what the finding extracted, and leaves fields for the rest', () => {
    const run = 'echo $NEW_LIMIT > $CG/memory.max'
    show({ fixes: [{ ...fix, run }], extract: { cgroup: '/db', cgroup_version: 'v2', pid: '7' } })
    const command = screen.getByRole('group', { name: 'Raise the limit' })
    expect(command.textContent).toBe('echo ${NEW_LIMIT:?new limit, in bytes or with K, M or G} > /sys/fs/cgroup/db/memory.max')
    fireEvent.change(screen.getByLabelText('NEW_LIMIT'), { target: { value: '8G' } })
    expect(command.textContent).toBe('echo 8G > /sys/fs/cgroup/db/memory.max')
  })

  it('shows the reversible fix first, and what makes it worse without a click', () => {
    const fixes = [
      { ...fix, kind: 'procedure', title: 'Restart the pod', undo: 'irreversible' },
      { ...fix, kind: 'upgrade', title: 'Upgrade', scope: 'reboot' },
      { ...fix, kind: 'warning', title: 'drop_caches walks the same lists', run: null, undo: null },
      { ...fix, title: 'Enable MGLRU' },
      { ...fix, title: 'Raise the limit', scope: 'redeploy' },
    ]
    expect(orderFixes(fixes).fixes.map(({ title }) => title)).toEqual(['Enable MGLRU', 'Raise the limit', 'Upgrade', 'Restart the pod'])
    show({ fixes })
    const now = screen.getByRole('region', { name: 'Do this now' })
    expect(now.querySelector('[data-first]')?.textContent).toContain('Enable MGLRU')
    expect(within(now).getByRole('list', { name: 'Makes it worse' }).textContent).toContain('drop_caches walks the same lists')
  })

  it('never puts under "Do this now" what costs data', () => {
    const discard = { ...fix, kind: 'procedure', title: 'Drop the writes of one side', effect: 'cure', run: null, undo: 'irreversible', endangers: 'data' }
    show({ fixes: [discard, fix] })
    expect(screen.getByRole('region', { name: 'Do this now' }).textContent).not.toContain('Drop the writes')
    expect(screen.getByRole('region', { name: 'Decide first' }).textContent).toContain('Drop the writes')
  })

  it('has no "Do this now" where every fix costs something', () => {
    show({ fixes: [{ ...fix, endangers: 'security' }] })
    expect(screen.queryByRole('region', { name: 'Do this now' })).toBeNull()
  })

  it('shows first the fix that ends the trouble, and what only looks below', () => {
    const look = { ...fix, kind: 'procedure', title: 'Read the task table', run: null, undo: 'nothing was changed' }
    const cure = { ...fix, title: 'Raise the limit of the group', scope: 'redeploy', effect: 'cure' }
    expect(orderFixes([look, fix, cure]).fixes.map(({ title }) => title)).toEqual(['Raise the limit of the group', 'Read the task table', 'Raise the limit'])
  })

  it('looks first where nothing is confirmed, and where the cure has no command', () => {
    const look = { ...fix, kind: 'procedure', title: 'Ask the server', run: 'rpcinfo', undo: 'nothing was changed', scope: 'runtime' }
    const cure = { ...fix, title: 'Bring the server back', run: null, effect: 'cure' }
    const change = { ...fix, title: 'Lower the limit', effect: 'cure' }
    expect(orderFixes([cure, fix, look]).fixes.map(({ title }) => title)).toEqual(['Ask the server', 'Bring the server back', 'Raise the limit'])
    expect(orderFixes([change, look], 'suspect').fixes[0]?.title).toBe('Ask the server')
    show({ fixes: [change, look], verdict: 'suspect' })
    const now = screen.getByRole('region', { name: 'Do this now' })
    expect([...now.querySelectorAll('h3, h4')].map((heading) => heading.textContent)).toEqual(['Do this now', 'If confirmed'])
    expect(now.querySelector('[data-first]')?.textContent).toContain('LookAsk the server')
    expect(within(now).getByText('Lower the limit').textContent).toBe('FixLower the limit')
  })

  it('has below its first step what follows it, with the values of the evidence', () => {
    render(<FindingCard finding={findingOf({ fixes: [fix], extract: { pid: '7' } })} linkOf={linkOf} loopOf={({ title }, values) => <p>{`${title} of ${values.PID}`}</p>} selectedClause={undefined} onClause={() => undefined} />)
    expect(within(screen.getByRole('region', { name: 'Do this now' })).getByText('Raise the limit of 7')).toBeTruthy()
  })

  it('has what decides a suspicion above its conditions', () => {
    render(<FindingCard finding={findingOf({ verdict: 'suspect' })} linkOf={linkOf} matrix={<section aria-label="Matrix" />} selectedClause={undefined} onClause={() => undefined} />)
    expect(regions().slice(0, 2)).toEqual(['Matrix', 'Conditions'])
  })

  it('shows no fix for an undecided finding', () => {
    show({ fixes: [fix], verdict: 'unknown', certainty: 'No distinguishing sign found.' })
    expect(screen.queryByText('Raise the limit')).toBeNull()
    expect(screen.getByText(/No distinguishing sign found/)).toBeTruthy()
  })

  it('leads with the headline, and says that a signature is a draft', () => {
    show({ status: 'draft', verdict: 'suspect', headline: 'May be (draft signature): A convoy. Decides: `ps`.' })
    expect(screen.getByRole('heading', { level: 2 }).textContent).toContain('Decides: ps')
    expect(screen.getByText('draft signature')).toBeTruthy()
    expect(screen.getByText('score 9, confidence 0.90, coverage 0.80')).toBeTruthy()
  })

  it('sets what decides it apart from the claim', () => {
    expect(claimAndRest('May be: A; b. Decides: `cat c; d`.')).toEqual(['May be: A; b', 'Decides: `cat c; d`.'])
    expect(claimAndRest('A disk does not answer')).toEqual(['A disk does not answer', ''])
  })

  it('links the signature that explains it', () => {
    show({ suspected_cause: 'mm/x', caused_by: 'mm/y' })
    expect(screen.getByRole('link', { name: 'mm/x' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'mm/y' })).toBeTruthy()
  })
})

describe('a long list of findings', () => {
  const many = Array.from({ length: 10 }, (_, at) => ({ ...findingOf({}), id: `f${at}`, host: `host-${at}` }))
  const shown = (selectedId: string) => {
    render(<FindingList label="Findings" findings={many} selectedId={selectedId} onSelect={vi.fn()} />)
    return screen.getAllByTestId('finding-row').length
  }

  it('is folded until it is asked for', () => {
    expect(shown('f0')).toBe(5)
    fireEvent.click(screen.getByRole('button', { name: '5 more findings' }))
    expect(screen.getAllByTestId('finding-row')).toHaveLength(10)
  })

  it('is whole where a folded one is selected', () => {
    expect(shown('f7')).toBe(10)
  })
})
