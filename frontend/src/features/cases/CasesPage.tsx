import { type ReactNode, useDeferredValue, useState } from 'react'
import { caseTableHref, type CaseQuery, Problem, useCaseFacets, useCases, useMe } from '../../api'
import { Button, Command, More, Notice, Segments } from '../../ui'
import { DropZone, UnfinishedUploads } from '../uploads'
import styles from './cases.module.css'
import { BulkBar } from './BulkBar'
import { CaseFacets } from './CaseFacets'
import { CaseTable } from './CaseTable'
import { ColumnMenu } from './ColumnMenu'
import { type ColumnName, preferColumns } from './columns'
import { QueryBox } from './QueryBox'
import { SavedSearches } from './SavedSearches'

const COLLECT = 'perf record -N -a -g --synth=task -o perf.data -- sleep 10\nperf script --no-inline -i perf.data | zstd > perf.script.zst'

type Props = { query: CaseQuery; columns: readonly ColumnName[]; onView: (query: CaseQuery, columns: readonly ColumnName[]) => void; onCase: (caseNumber: number) => void; linkTo: (caseNumber: number, text: ReactNode) => ReactNode }

/** The start page: add evidence, unfinished uploads, and the list of cases. */
export function CasesPage({ query, columns, onView, onCase, linkTo }: Props) {
  const cases = useCases(useDeferredValue(query))
  const items = cases.data?.pages.flatMap((page) => page.items) ?? []
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const canChange = (useMe().data?.role ?? 'viewer') !== 'viewer'
  const chosen = items.filter(({ number }) => selected.has(number))
  const select = (number: number, isSelected: boolean) => setSelected(new Set(isSelected ? [...selected, number] : [...selected].filter((one) => one !== number)))
  const onQuery = (asked: CaseQuery) => onView(asked, columns)
  const choose = (chosenColumns: readonly ColumnName[]) => {
    preferColumns(chosenColumns)
    onView(query, chosenColumns)
  }
  const ask = (q: string) => onQuery({ ...query, q })
  const facets = useCaseFacets(useDeferredValue([query.q, query.state && `status:${query.state}`].filter(Boolean).join(' ')))
  const isRefused = cases.error instanceof Problem && cases.error.status === 422
  const total = cases.data?.pages[0]?.total
  const isFiltered = query.q !== '' || query.state !== ''
  return (
    <div className={styles.page}>
      <DropZone onCase={onCase} onPasted={(received) => onCase(received.case.number)}>
        <p className={styles.zoneText}>
          perf script, perf top, bpftrace, dmesg, /proc and cgroup files, a sosreport, or a folder. Each drop creates one case.
        </p>
      </DropZone>
      <UnfinishedUploads linkTo={linkTo} />
      <section className={styles.recent} aria-labelledby="recent">
        <div className={styles.filters}>
          <h2 id="recent">Cases</h2>
          {query.q !== '' && total !== undefined && total !== null && <span className={styles.soft}>{total === 1 ? '1 case' : `${total.toLocaleString('en')} cases`}</span>}
          <Segments
            label="State"
            value={query.state}
            options={[
              { value: '', label: 'All' },
              { value: 'open', label: 'Open' },
              { value: 'closed', label: 'Closed' },
            ]}
            onChange={(state) => onQuery({ ...query, state })}
          />
          <ColumnMenu columns={columns} onColumns={choose} tableHref={(format) => caseTableHref(format, query, columns)} />
          <QueryBox query={query.q} onQuery={ask} error={cases.error} />
          <SavedSearches query={query.q} columns={columns} onSearch={(q, saved) => onView({ ...query, q }, saved ?? columns)} />
        </div>
        {cases.error && !isRefused && !cases.isFetchNextPageError && (
          <Notice what="The list of cases could not be loaded." retry={() => void cases.refetch()}>
            {cases.error.message} Adding evidence may still work.
          </Notice>
        )}
        {cases.isPending && <div className={styles.placeholder} role="status" aria-label="Loading cases" />}
        {chosen.length > 0 && <BulkBar chosen={chosen} shownCount={items.length} onAll={() => setSelected(new Set(items.map(({ number }) => number)))} onClear={() => setSelected(new Set())} />}
        {cases.data && items.length > 0 && (
          <div className={styles.found}>
            <CaseFacets facets={facets.data?.facets ?? []} total={facets.data?.total ?? 0} counted={facets.data?.counted ?? 0} query={query.q} onQuery={ask} />
            <CaseTable cases={items} query={query} columns={columns} onQuery={onQuery} linkTo={linkTo} selected={selected} {...(canChange && { onSelect: select })} />
          </div>
        )}
        {cases.data && items.length === 0 && isFiltered && !isRefused && (
          <div className={styles.empty}>
            <p>No case matches.</p>
            <p className={styles.soft}>
              Words are found in titles, headlines, notes, hosts, file names, log lines and functions; a word is found by its beginning. Fields such as <code>host:</code>, <code>kernel:</code>, <code>finding:</code> and <code>frame:</code> are
              suggested while you type.
            </p>
            {query.q !== '' && <Button onClick={() => ask('')}>Clear the search</Button>}
          </div>
        )}
        {cases.data && items.length === 0 && !isFiltered && (
          <div className={styles.empty}>
            <p>No cases yet. Record ten seconds of CPU profile on the affected host (safe while it stalls):</p>
            <Command text={COLLECT} name="Record a profile" />
            <p>Drop perf.script.zst here.</p>
          </div>
        )}
        <More of={cases} label="More cases" />
      </section>
    </div>
  )
}
