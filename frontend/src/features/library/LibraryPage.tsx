import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { isStoryFile, useLibrary, useMe } from '../../api'
import { Button, CodeSpans, More, Notice, useKeys } from '../../ui'
import { useDropAnywhere } from '../uploads'
import { Facets } from './Facets'
import styles from './library.module.css'
import { Results } from './Results'
import { SearchBox } from './SearchBox'
import { isPaste, type LibrarySearch, MAX_KERNEL_CHARS, MAX_PASTE_CHARS, namesKernel, requestOf, textOf, withShelf } from './search'
import { Shelves } from './Shelves'

type Props = {
  /** Search words or pasted text. */
  query: string
  search: LibrarySearch
  onQuery: (query: string) => void
  onSearch: (search: LibrarySearch) => void
  /** Shows the status of all signatures on the kernel that a text names. */
  onKernel: (kernel: string) => void
  linkTo: (kind: string, key: string, text: ReactNode) => ReactNode
  newStory?: ReactNode
}

/** The links of results and stories that keys move between, one of each. */
const LINKS = '[data-testid="library-result"] h3 a, [data-testid="shelves"] [data-testid="library-result"] a, [data-testid="library-story"] a'

/** Library search over signatures and stories, by words, function names or pasted terminal text. */
export function LibraryPage({ query, search, onQuery, onSearch, onKernel, linkTo, newStory }: Props) {
  const response = useLibrary(requestOf(query, search))
  const { error, isPending, isFetching, refetch } = response
  const data = response.data?.pages[0]
  const results = response.data?.pages.flatMap((page) => page.items)
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const step = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>(LINKS) ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (at + by < 0) box.current?.focus()
    else links[Math.min(at + by, links.length - 1)]?.focus()
  }
  useKeys({ '/': () => box.current?.focus(), j: () => step(1), k: () => step(-1) })
  const [dropMessage, setDropMessage] = useState('')
  const me = useMe().data
  const mayWrite = me !== undefined && me.role !== 'viewer'
  const drop = (name: string, others: number, read: Promise<string | undefined>) =>
    void read.then(
      (text) => {
        const ignored = others > 0 ? ` ${others} more ${others === 1 ? 'file' : 'files'} ignored.` : ''
        if (text) onQuery(text)
        setDropMessage(text ? `Search text: ${name}, up to ${MAX_PASTE_CHARS.toLocaleString('en')} characters.${ignored}` : `${name} contains no text. Drop it on the Cases page, which also reads archives.`)
      },
      () => setDropMessage(`${name} could not be read. Drop it again, or paste its text.`),
    )
  const isOver = useDropAnywhere({
    onFiles: ([first, ...rest]) => {
      if (first && !(mayWrite && isStoryFile(first.path))) drop(first.path, rest.length, textOf(first.file))
    },
    onText: onQuery,
    onImage: () => setDropMessage('Images are not supported. Paste the terminal text instead.'),
  })
  const onArrow = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    step(by)
  }
  const isShelved = query === '' && !search.kernel
  const isFiltered = Object.keys(search).some((name) => !['q', 'kernel', 'shelf', 'weak'].includes(name))
  return (
    <div className={styles.page} data-testid="library" data-settled={!isFetching && !isPending} data-drop-message={isOver ? 'Drop to search' : undefined}>
      <header className={styles.head}>
        <h1>Library</h1>
        <p className={styles.soft}>Known kernel performance problems: symptoms, evidence, affected versions and fixes.</p>
        {newStory}
      </header>
      <SearchBox ref={box} query={query} onQuery={onQuery} onDown={() => step(1)} />
      {dropMessage && (
        <p className={styles.message} role="status" data-testid="dropped">
          {dropMessage}
        </p>
      )}
      {data && query !== '' && data.recognised.length > 0 && (
        <p className={styles.message} data-testid="recognised">
          <strong>Recognised:</strong>{' '}
          {data.recognised.map((piece) => `${piece.title}, ${piece.first_line === piece.last_line ? `line ${piece.first_line}` : `lines ${piece.first_line} to ${piece.last_line}`}`).join(' · ')}
          . Not stored.
          {namesKernel(data.recognised) && (
            <>
              {' '}
              <Button onClick={() => onKernel(query.slice(0, MAX_KERNEL_CHARS))}>Check as my kernel</Button>
            </>
          )}
        </p>
      )}
      {data?.kernel && (
        <p className={styles.message} data-testid="my-kernel">
          <strong>My kernel:</strong> <CodeSpans text={data.kernel} />
        </p>
      )}
      {data?.unread && <p className={styles.message}>Not readable as evidence: {data.unread}. Searched as words.</p>}
      {data?.did_you_mean && (
        <p className={styles.message} data-testid="did-you-mean">
          Did you mean <Button look="quiet" onClick={() => onQuery(data.did_you_mean ?? '')}>{data.did_you_mean}</Button>? Results include both.
        </p>
      )}
      {error && !response.isFetchNextPageError && (
        <Notice what="The library could not be searched." retry={() => void refetch()}>
          {error.message} Your input is kept.
        </Notice>
      )}
      <div className={styles.columns}>
        <Facets facets={data?.facets} search={search} onSearch={onSearch} />
        <section aria-label="Results">
          <p role="status" className={styles.soft}>
            {isPending ? 'Searching…' : data && `${data.count} ${data.count === 1 ? 'result' : 'results'}${query === '' ? (search.kernel ? ', by kernel status' : '') : ', best match first'}`}
          </p>
          {/* Arrow keys move the focus between result links. */}
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
          <div ref={list} onKeyDown={onArrow}>
            {isShelved ? (
              <Shelves results={results ?? []} areas={data?.facets.area ?? []} symptoms={data?.facets.symptom ?? []} by={search.shelf ?? 'area'} onBy={(shelf) => onSearch(withShelf(search, shelf))} linkTo={linkTo} />
            ) : (
              <Results results={results ?? []} linkTo={linkTo} />
            )}
          </div>
          {data && data.weak_count > 0 && (
            <p className={styles.soft} data-testid="weak">
              {data.weak_count} more with few of these words. <Button look="quiet" onClick={() => onSearch({ ...search, weak: 'true' })}>Show them</Button>
            </p>
          )}
          <More of={response} label="Show more results" />
          {data?.count === 0 && (
            <Notice tone="plain" what={isFiltered ? 'No results with these filters.' : 'No results.'}>
              {isFiltered && (
                <p>
                  <Button onClick={() => onSearch({ ...(search.q && { q: search.q }), ...(search.kernel && { kernel: search.kernel }) })}>Clear filters</Button>
                </p>
              )}
              <p>
                {!isPaste(query) && 'Paste a stack, perf top output or a kernel log line. '}
                Or drop your files on the Cases page: a case shows where CPU time is spent even without a match.
              </p>
            </Notice>
          )}
        </section>
      </div>
    </div>
  )
}
