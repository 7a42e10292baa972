import { useState } from 'react'
import type { Facet, LibraryAnswers } from '../../api'
import { Button } from '../../ui'
import styles from './library.module.css'
import type { LibrarySearch } from './search'

type Props = { facets: LibraryAnswers['facets'] | undefined; search: LibrarySearch; onSearch: (search: LibrarySearch) => void }

const GROUPS = [
  { name: 'kind', facet: 'kind', title: 'Kind' },
  { name: 'symptom', facet: 'symptom', title: 'Symptom' },
  { name: 'area', facet: 'area', title: 'Area' },
  { name: 'fix', facet: 'has_fix', title: 'Fix' },
] as const

/** What answers can be narrowed to; a pressed one is pressed again to widen. */
export function Facets({ facets, search, onSearch }: Props) {
  const choose = (name: keyof LibrarySearch, value: string) => {
    const { [name]: chosen, ...others } = search
    onSearch(chosen === value ? others : ({ ...others, [name]: value } as LibrarySearch))
  }
  return (
    <aside className={styles.facets} aria-label="Narrow the answers">
      {GROUPS.map(({ name, facet, title }) => (
        <Choice key={name} title={title} options={facets?.[facet] ?? []} chosen={search[name]} onChoose={(value) => choose(name, value)} />
      ))}
      <KernelField key={search.kernel ?? ''} kernel={search.kernel ?? ''} onKernel={(kernel) => {
        const { kernel: _, verdict: __, ...others } = search
        onSearch(kernel ? { ...others, kernel } : others)
      }} />
      {search.kernel && <Choice title="Is it affected?" options={facets?.kernel_verdict ?? []} chosen={search.verdict} onChoose={(value) => choose('verdict', value)} />}
    </aside>
  )
}

type ChoiceProps = { title: string; options: readonly Facet[]; chosen: string | undefined; onChoose: (value: string) => void }

function Choice({ title, options, chosen, onChoose }: ChoiceProps) {
  if (options.length === 0) return null
  return (
    <div role="group" aria-label={title} className={styles.group}>
      <h2>{title}</h2>
      <ul>
        {options.map((option) => (
          <li key={option.value}>
            <button type="button" className={styles.facet} aria-pressed={option.value === chosen} onClick={() => onChoose(option.value)}>
              <span>{option.title}</span> <span className={styles.count}>{option.count}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A release to judge every signature's version table by; asked on Enter, as half a release says something else. */
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
        <label htmlFor="library-kernel">Your kernel</label>
      </h2>
      <div className={styles.kernel}>
        <input id="library-kernel" value={draft} maxLength={200} placeholder="uname -r" spellCheck={false} onChange={(event) => setDraft(event.target.value)} />
        <Button type="submit">Judge</Button>
      </div>
    </form>
  )
}
