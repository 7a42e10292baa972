import { type ReactNode, useEffect, useState } from 'react'
import { type KernelFilter, useKernels } from '../../api'
import { CodeSpans, More, Notice, Segments } from '../../ui'
import { InventoryBox } from './InventoryBox'
import { KernelMatrix } from './KernelMatrix'
import styles from './kernels.module.css'
import { queryOf } from './search'

type Props = {
  filter: KernelFilter
  onFilter: (next: KernelFilter) => void
  linkTo: (release: string, pkg: string, text: string) => ReactNode
  problemLink: (key: string, text: string) => ReactNode
}

/** Releases by hosts, the problems that affect each, and which other release clears most. */
export function KernelsPage({ filter, onFilter, linkTo, problemLink }: Props) {
  const kernels = useKernels(filter)
  const pages = kernels.data?.pages ?? []
  const first = pages[0]
  const items = pages.flatMap((page) => page.items)
  const titles = new Map(pages.flatMap((page) => page.titles.map((one) => [one.key, one.title] as const)))
  const isFiltered = Object.keys(filter).some((name) => name !== 'sort')
  useEffect(() => {
    document.title = 'Kernels · Casebook'
  }, [])
  const set = (change: KernelFilter) => onFilter(Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value)))
  return (
    <div className={styles.page} data-testid="kernels">
      <header className={styles.head}>
        <div>
          <h1>Kernels</h1>
          <p className={styles.soft}>
            Releases of hosts, from the evidence of cases and from inventories, with the problems that affect them by their version. A status says what the release says; nothing is inferred for what it does not.
          </p>
        </div>
        <Segments
          label="Order"
          value={filter.sort ?? '-hosts'}
          options={[
            { value: '-hosts', label: 'Most hosts' },
            { value: '-affecting', label: 'Most problems' },
            { value: 'release', label: 'Release' },
          ]}
          onChange={(sort) => set({ sort: sort === '-hosts' ? undefined : sort })}
        />
      </header>
      <div className={styles.filters} role="search" aria-label="Filter kernels">
        <Words value={filter.q ?? ''} onChange={(q) => set({ q })} />
        <Choice label="Family" value={filter.family} options={first?.families ?? []} onChange={(family) => set({ family })} />
        <Choice label="Cluster" value={filter.cluster} options={first?.clusters ?? []} onChange={(cluster) => set({ cluster })} />
        <Choice label="Problem" value={filter.problem} options={[...titles.keys()].toSorted()} onChange={(problem) => set({ problem })} />
        <a href={`/api/v1/kernels.csv${queryOf(filter)}`} download>
          CSV
        </a>
      </div>
      {kernels.error && !kernels.isFetchNextPageError && (
        <Notice what="The kernels could not be loaded." retry={() => void kernels.refetch()}>
          {kernels.error.message}
        </Notice>
      )}
      {kernels.isPending && <div className={styles.none} role="status" aria-label="Loading kernels" />}
      {first && items.length === 0 && (
        <p className={styles.none}>{isFiltered ? 'No kernel meets the filters.' : <CodeSpans text="No evidence names a kernel yet. Evidence of `casebook collect` does, or `uname -a`; or upload an inventory of hosts below." />}</p>
      )}
      {first && items.length > 0 && (
        <>
          <p className={styles.soft} role="status">
            {first.total.toLocaleString('en')} {first.total === 1 ? 'kernel' : 'kernels'}; of {first.has_more_cases ? `the newest ${first.counted_cases.toLocaleString('en')}` : first.counted_cases.toLocaleString('en')} cases. ● affected, ◐ affected unless the vendor backported the fix, ? unknown, ✓ fixed, – not affected; ×2: found on two hosts of cases.
          </p>
          <KernelMatrix kernels={items} titles={titles} linkTo={linkTo} problemLink={problemLink} />
        </>
      )}
      <More of={kernels} label="More kernels" />
      <InventoryBox source={filter.source} onSource={(source) => set({ source })} />
    </div>
  )
}

/** A text that filters once typing pauses. */
function Words({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text === value) return
    const wait = setTimeout(() => onChange(text), 250)
    return () => clearTimeout(wait)
  })
  return (
    <label>
      Release or host
      <input type="search" value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
    </label>
  )
}

function Choice({ label, value, options, onChange }: { label: string; value: string | undefined; options: readonly string[]; onChange: (value: string) => void }) {
  const known = value && !options.includes(value) ? [value, ...options] : options
  if (known.length === 0) return null
  return (
    <label>
      {label}
      <select value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">all</option>
        {known.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  )
}
