import { type ReactNode, useMemo, useState } from 'react'
import { type Diff, type DiffQuery, type Profile, useDiff } from '../../api'
import { changedFunctions, changeLabel, differenceGraph, exactly, format, nameOf, NO_ROW, nodeOf, rowOfNode, search, signedShare } from '../../profile'
import { Button, copy, Menu, Notice, Segments } from '../../ui'
import styles from './diff.module.css'
import { DiffLegend } from './DiffLegend'
import type { Proposal } from './baseline'
import { FlameCanvas } from './FlameCanvas'
import graphStyles from './flamegraph.module.css'
import { paintByChange, paintByMatch } from './paint'
import { type GraphState, pathText } from './types'
import { usePalette } from './usePalette'

const MAX_CHANGED = 8
const NO_PROPOSALS: readonly Proposal[] = []
type Props = { profile: Profile; base: Profile | undefined; proposals?: readonly Proposal[]; state: GraphState; chooser: ReactNode; onChange: (change: Partial<GraphState>) => void }

/** The difference of two profiles, or of two time ranges of one: A is the baseline, B the current profile. */
export function DiffView({ profile, base, proposals = NO_PROPOSALS, state, chooser, onChange }: Props) {
  const isSame = base?.id === profile.id
  const isRange = state.baseFrom !== null && state.baseTo !== null
  const query: DiffQuery | null = base && (!isSame || isRange)
    ? { base: base.id, min_delta: state.leastDelta, ...(state.baseFrom !== null && state.baseTo !== null && { base_t0: state.baseFrom, base_t1: state.baseTo }) }
    : null
  const response = useDiff(profile.id, query, state.selection)
  return (
    <div className={styles.box}>
      {chooser}
      {!query && (
        <div className={graphStyles.placeholder}>
          <p>Choose a baseline (A): another profile, or a time range of this one.</p>
          {proposals.length > 0 && (
            <p className={graphStyles.proposals}>
              {proposals.map(({ label, change }) => (
                <Button key={label} onClick={() => onChange(change)}>
                  {label}
                </Button>
              ))}
            </p>
          )}
        </div>
      )}
      {query && response.error && (
        <Notice what="The comparison could not be loaded." retry={() => void response.refetch()}>
          {response.error.message}
        </Notice>
      )}
      {query && !response.data && !response.error && <div className={graphStyles.shimmer} role="status" aria-label="Loading the comparison" />}
      {query && response.data && <Comparison diff={response.data} state={state} onChange={onChange} />}
    </div>
  )
}

/** The flame graph of a difference, with the functions that changed most. */
export function Comparison({ diff, state, onChange }: { diff: Diff; state: GraphState; onChange: Props['onChange'] }) {
  const palette = usePalette()
  const by = state.widthBy
  const [menu, setMenu] = useState<{ row: number; at: { x: number; y: number } } | null>(null)
  const both = useMemo(() => differenceGraph(diff, by), [diff, by])
  const { graph, a, b } = both
  const changed = useMemo(() => changedFunctions(both).slice(0, MAX_CHANGED), [both])
  const result = useMemo(() => search(graph, state.q), [graph, state.q])
  const paint = useMemo(() => (result.match ? paintByMatch(graph, result.match, palette) : paintByChange(a, b, state.leastDelta, palette)), [graph, result.match, a, b, state.leastDelta, palette])
  const rowOf = (node: number | null) => (node === null ? NO_ROW : rowOfNode(graph, node))
  const change = (row: number) => ({ a: a[row] ?? 0, b: b[row] ?? 0 })
  const selected = rowOf(state.node)
  const label = (row: number) => changeLabel(change(row), state.leastDelta)
  const sides = (row: number) => `A ${format.share(change(row).a)} → B ${format.share(change(row).b)}`
  const delta = (row: number) => signedShare(change(row).b - change(row).a)
  const tooltip = (row: number) => [`${delta(row)} · ${label(row)}`, sides(row)]
  return (
    <>
      <div className={styles.bar}>
        <Segments
          label="Box width"
          value={by}
          options={[
            { value: 'both', label: 'Both', hint: 'Mean share of A and B, so that frames of only one profile are visible' },
            { value: 'a', label: 'A', hint: 'Share of A' },
            { value: 'b', label: 'B', hint: 'Share of B' },
          ]}
          onChange={(widthBy) => onChange({ widthBy })}
        />
        <label className={styles.minDelta}>
          minimum change
          <select value={String(state.leastDelta)} onChange={(event) => onChange({ leastDelta: Number(event.target.value) })}>
            {[0, 0.001, 0.005, 0.01, 0.02, 0.05].map((share) => (
              <option key={share} value={String(share)}>
                {share === 0 ? 'any size' : `${share * 100} %`}
              </option>
            ))}
          </select>
        </label>
        <span className={styles.soft}>
          shares relative to each total: A {format.weight(diff.total_a, diff.base_unit)} in {format.count(diff.samples_a)} samples, B {format.weight(diff.total_b, diff.unit)} in {format.count(diff.samples_b)} samples
        </span>
        {diff.event !== diff.base_event && <span className={styles.warning}>Different events: A {diff.base_event || 'unnamed'}, B {diff.event || 'unnamed'}</span>}
      </div>
      <ul className={styles.changed} aria-label="Functions with the largest change of self share">
        {changed.map((one) => (
          <li key={`${one.name} ${one.kind}`}>
            <button type="button" data-more={one.b > one.a || undefined} title={`self: A ${format.share(one.a)} → B ${format.share(one.b)}`} onClick={() => onChange({ q: exactly(one.name) })}>
              <strong>{signedShare(one.b - one.a)}</strong> <code>{one.name}</code>
            </button>
          </li>
        ))}
      </ul>
      {graph.size === 0 && (
        <p className={graphStyles.placeholder}>
          <span>
            No frame changed by {format.share(state.leastDelta)} or more. <Button onClick={() => onChange({ leastDelta: 0 })}>Show all changes</Button>
          </span>
        </p>
      )}
      {graph.size > 0 && (
        <FlameCanvas
          graph={graph}
          paint={paint}
          isFlame={false}
          rootLabel={`A and B · only in A ${format.share(diff.only_a_share)}, only in B ${format.share(diff.only_b_share)}`}
          matchedShare={result.match?.share ?? null}
          selected={selected}
          zoomRow={rowOf(state.zoom)}
          testId="diff-graph"
          labelOf={(row) => `${delta(row)}  ${nameOf(graph, row)}`}
          tooltipOf={tooltip}
          onSelect={(row) => onChange({ node: row === NO_ROW ? null : nodeOf(graph, row) })}
          onZoom={(row) => onChange({ zoom: row === NO_ROW ? null : nodeOf(graph, row) })}
          onMenu={(row, at) => setMenu({ row, at })}
        />
      )}
      {menu && (
        <Menu
          label="This frame"
          at={menu.at}
          onClose={() => setMenu(null)}
          items={[
            { label: 'Zoom in', hint: 'Enter', act: () => onChange({ zoom: nodeOf(graph, menu.row) }) },
            { label: 'Find everywhere', act: () => onChange({ q: exactly(nameOf(graph, menu.row)) }) },
            { label: 'Copy name', startsGroup: true, act: () => void copy(nameOf(graph, menu.row)) },
            { label: 'Copy stack', act: () => void copy(pathText(graph, menu.row)) },
          ]}
        />
      )}
      <DiffLegend prunedNodes={diff.pruned_nodes} minDelta={state.leastDelta} />
      {selected !== NO_ROW && (
        <p className={graphStyles.readout} aria-live="polite" data-testid="diff-readout">
          <span className={graphStyles.readoutLine}>
            <code className={graphStyles.frameName}>{nameOf(graph, selected)}</code>
            <strong>{delta(selected)}</strong>
            <span>{label(selected)}</span>
            <span>{sides(selected)} total</span>
            <span>
              A {format.share(both.selfA[selected] ?? 0)} → B {format.share(both.selfB[selected] ?? 0)} self
            </span>
          </span>
        </p>
      )}
    </>
  )
}
