import { useState } from 'react'
import type { Facet, LibraryResults } from '../../api'
import { Button } from '../../ui'
import styles from './library.module.css'
import { type LibrarySearch, MAX_KERNEL_CHARS } from './search'

type Props = { facets: LibraryResults['facets'] | undefined; search: LibrarySearch; onSearch: (search: LibrarySearch) => void }

const GROUPS = [
  { name: 'kind', facet: 'kind', title: 'Kind' },
  { name: 'symptom', facet: 'symptom', title: 'Symptom' },
  { name: 'area', facet: 'area', title: 'Area' },
  { name: 'fix', facet: 'has_fix', title: 'Fix' },
] as const

/** Filters of the search results; selecting an active filter removes it. */
export function Facets({ facets, search, onSearch }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = (name: keyof LibrarySearch, value: string) => {
    const { [name]: selected, ...others } = search
    onSearch(selected === value ? others : ({ ...others, [name]: value } as LibrarySearch))
  }
  const active = GROUPS.filter(({ name }) => search[name] !== undefined).length
  return (
    <aside className={styles.facets} aria-label="Filters" data-open={isOpen || undefined}>
      <Button className={styles.facetsButton} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Filters{active > 0 && ` (${active} active)`} <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
      </Button>
      {GROUPS.map(({ name, facet, title }) => (
        <FilterGroup key={name} title={title} options={facets?.[facet] ?? []} selected={search[name]} onToggle={(value) => toggle(name, value)} />
      ))}
      <KernelField key={search.kernel ?? ''} kernel={search.kernel ?? ''} onKernel={(kernel) => {
        const { kernel: _, verdict: __, ...others } = search
        onSearch(kernel ? { ...others, kernel } : others)
      }} />
      {search.kernel && <FilterGroup title="Kernel status" options={facets?.kernel_verdict ?? []} selected={search.verdict} onToggle={(value) => toggle('verdict', value)} />}
    </aside>
  )
}

type FilterGroupProps = { title: string; options: readonly Facet[]; selected: string | undefined; onToggle: (value: string) => void }

function FilterGroup({ title, options, selected, onToggle }: FilterGroupProps) {
  if (options.length === 0) return null
  return (
    <div role="group" aria-label={title} className={styles.group}>
      <h2>{title}</h2>
      <ul>
        {options.map((option) => (
          <li key={option.value}>
            <button type="button" className={styles.facet} aria-pressed={option.value === selected} onClick={() => onToggle(option.value)}>
              <span>{option.title}</span> <span className={styles.count}>{option.count}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Kernel to check against the affected versions of each signature, as a release, `uname -a`, image name or os-release; applied on submit. */
function KernelField({ kernel, onKernel }: { kernel: string; onKernel: (kernel: string) => void }) {
  const [draft, setDraft] = useState(kernel)
  return (
    <form
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault()
        onKernel(draft.trim())
      }}
    >
      <h2>
        <label htmlFor="library-kernel">My kernel</label>
      </h2>
      <div className={styles.kernel}>
        <textarea
          id="library-kernel"
          rows={2}
          value={draft}
          maxLength={MAX_KERNEL_CHARS}
          placeholder="uname -a, image name or os-release"
          spellCheck={false}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
        <Button type="submit">Check</Button>
      </div>
    </form>
  )
}
