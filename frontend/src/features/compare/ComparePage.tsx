import { useEffect, useMemo } from 'react'
import { type Profile, useAllFacts, useEvidence, useProfile } from '../../api'
import { Button, Notice } from '../../ui'
import { DiffView, type GraphState, NO_GRAPH_STATE } from '../flamegraph'
import styles from './compare.module.css'
import { FactTable } from './FactTable'
import { capturedTogether } from './facts'
import type { CompareSearch } from './search'
import { Side } from './Side'

type Props = { search: CompareSearch; onSearch: (search: CompareSearch, options: { replace: boolean }) => void }

/** Compares two profiles of any cases: their flame graphs, and the facts of their hosts. */
export function ComparePage({ search, onSearch }: Props) {
  const a = useProfile(search.a)
  const b = useProfile(search.b)
  const state = useMemo<GraphState>(
    () => ({
      ...NO_GRAPH_STATE,
      look: 'diff',
      base: search.a ?? null,
      q: search.q ?? '',
      zoom: search.zoom ?? null,
      node: search.node ?? null,
      leastDelta: search.least ?? NO_GRAPH_STATE.leastDelta,
      widthBy: search.width ?? 'both',
      selection: search.idle ? { idle: false } : {},
    }),
    [search],
  )
  useEffect(() => {
    document.title = 'Compare · Casebook'
  }, [])
  const update = (change: { [Key in keyof CompareSearch]: CompareSearch[Key] | undefined | null }, replace = false) =>
    onSearch(Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== null && value !== '')) as CompareSearch, { replace })
  const change = ({ zoom, node, q, leastDelta, widthBy }: Partial<GraphState>) =>
    update(
      { ...(zoom !== undefined && { zoom }), ...(node !== undefined && { node }), ...(q !== undefined && { q }), ...(leastDelta !== undefined && { least: leastDelta === NO_GRAPH_STATE.leastDelta ? undefined : leastDelta }), ...(widthBy !== undefined && { width: widthBy === 'both' ? undefined : widthBy }) },
      zoom === undefined && leastDelta === undefined && widthBy === undefined,
    )
  const error = a.error ?? b.error
  return (
    <div className={styles.page} data-testid="compare-page">
      <header className={styles.head}>
        <h1>Compare</h1>
        <Side name="A" caption="baseline" profile={a.data} onPick={(id) => update({ a: id, zoom: undefined, node: undefined })} />
        <Button aria-label="Swap A and B" title="Swap A and B" onClick={() => update({ a: search.b, b: search.a, zoom: undefined, node: undefined })}>
          ⇄
        </Button>
        <Side name="B" caption="current" profile={b.data} onPick={(id) => update({ b: id, zoom: undefined, node: undefined })} />
        <Button aria-pressed={search.idle !== undefined} onClick={() => update({ idle: search.idle ? undefined : 'hidden', zoom: undefined, node: undefined })}>
          {search.idle ? 'Idle hidden' : 'Idle shown'}
        </Button>
        <input
          className={styles.search}
          type="search"
          placeholder="/regex"
          aria-label="Search function names by regular expression"
          value={search.q ?? ''}
          spellCheck={false}
          onChange={(event) => update({ q: event.target.value }, true)}
        />
      </header>
      {error && (
        <Notice what="A profile could not be loaded." retry={() => void Promise.all([a.refetch(), b.refetch()])}>
          {error.message}
        </Notice>
      )}
      <div className={styles.graph}>
        {b.data ? <DiffView profile={b.data} base={a.data} state={state} chooser={null} onChange={change} /> : <p className={styles.none}>Choose two profiles: A is the baseline, B the current profile.</p>}
      </div>
      {a.data && b.data && <Facts a={a.data} b={b.data} query={search.facts ?? ''} onQuery={(facts) => update({ facts }, true)} />}
    </div>
  )
}

function Facts({ a, b, query, onQuery }: { a: Profile; b: Profile; query: string; onQuery: (query: string) => void }) {
  const [ofA, ofB] = [useAllFacts(a.case_id), useAllFacts(b.case_id)]
  const evidence = useEvidence(a.case_id)
  const isOneCase = a.case_id === b.case_id
  const factsBeside = (facts: typeof ofA.data, profile: Profile) => {
    if (!isOneCase) return facts ?? []
    const files = new Set(capturedTogether(profile.evidence_id, evidence.data ?? []))
    return (facts ?? []).filter((fact) => files.has(fact.evidence_id))
  }
  if (ofA.isPending || ofB.isPending) return <p role="status">Loading facts…</p>
  if (ofA.error ?? ofB.error) return <Notice what="The facts could not be loaded.">{(ofA.error ?? ofB.error)?.message}</Notice>
  return <FactTable a={factsBeside(ofA.data, a)} b={factsBeside(ofB.data, b)} isOneCase={isOneCase} query={query} onQuery={onQuery} />
}
