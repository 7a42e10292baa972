import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { isStoryFile, useLibrary, useMe } from '../../api'
import { Button, More, Notice, useKeys } from '../../ui'
import { useDropAnywhere } from '../uploads'
import { Facets } from './Facets'
import styles from './library.module.css'
import { ResultCard } from './ResultCard'
import { SearchBox } from './SearchBox'
import { askOf, isPaste, type LibrarySearch, LONGEST_PASTE, textOf } from './search'

type Props = {
  /** What is asked: words, or a paste. */
  asked: string
  search: LibrarySearch
  onAsked: (asked: string) => void
  onSearch: (search: LibrarySearch) => void
  linkTo: (kind: string, key: string, text: ReactNode) => ReactNode
  newStory?: ReactNode
}

/** Signatures and stories, found by words, by functions, or by anything copied from a terminal. */
export function LibraryPage({ asked, search, onAsked, onSearch, linkTo, newStory }: Props) {
  const answers = useLibrary(askOf(asked, search))
  const { error, isPending, isFetching, refetch } = answers
  const data = answers.data?.pages[0]?.told
  const results = answers.data?.pages.flatMap((page) => page.told.results)
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const step = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('h2 a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (at + by < 0) box.current?.focus()
    else links[Math.min(at + by, links.length - 1)]?.focus()
  }
  useKeys({ '/': () => box.current?.focus(), j: () => step(1), k: () => step(-1) })
  const [told, setTold] = useState('')
  const me = useMe().data
  const mayWrite = me !== undefined && me.role !== 'viewer'
  const drop = (name: string, others: number, read: Promise<string | undefined>) =>
    void read.then(
      (text) => {
        const left = others > 0 ? ` The other ${others === 1 ? 'file was' : `${others} files were`} left out.` : ''
        if (text) onAsked(text)
        setTold(text ? `${name} is asked about, its first ${LONGEST_PASTE.toLocaleString('en')} characters at most.${left}` : `${name} holds no text. Dropped on the Cases page it becomes a case, where archives are read too.`)
      },
      () => setTold(`${name} could not be read here. Drop it again, or paste its text.`),
    )
  const isOver = useDropAnywhere({
    onFiles: ([first, ...rest]) => {
      if (first && !(mayWrite && isStoryFile(first.path))) drop(first.path, rest.length, textOf(first.file))
    },
    onText: onAsked,
    onPicture: () => setTold('That is a picture. Copy the text of the terminal instead, and paste it here.'),
  })
  const walk = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    step(by)
  }
  const isNarrowed = Object.keys(search).some((name) => name !== 'q' && name !== 'kernel')
  return (
    <div className={styles.page} data-testid="library" data-settled={!isFetching && !isPending} data-veil={isOver ? 'Let go to search with it' : undefined}>
      <header className={styles.head}>
        <h1>Library</h1>
        <p className={styles.soft}>What is known to go wrong in kernels: how it looks, what it is not, who has it, what helps.</p>
        {newStory}
      </header>
      <SearchBox ref={box} asked={asked} onAsked={onAsked} onDown={() => step(1)} />
      {told && (
        <p className={styles.told} role="status" data-testid="dropped">
          {told}
        </p>
      )}
      {data && asked !== '' && data.recognised.length > 0 && (
        <p className={styles.told} data-testid="recognised">
          <strong>Recognised and judged:</strong>{' '}
          {data.recognised.map((piece) => `${piece.title}, ${piece.first_line === piece.last_line ? `line ${piece.first_line}` : `lines ${piece.first_line} to ${piece.last_line}`}`).join(' · ')}
          . Nothing of it is kept.
        </p>
      )}
      {data?.unread && <p className={styles.told}>It could not be read as evidence: {data.unread}. Its words are searched.</p>}
      {data?.did_you_mean && (
        <p className={styles.told} data-testid="did-you-mean">
          Did you mean <Button look="quiet" onClick={() => onAsked(data.did_you_mean ?? '')}>{data.did_you_mean}</Button>? Both are searched for.
        </p>
      )}
      {error && !answers.isFetchNextPageError && (
        <Notice what="The library could not be searched." retry={() => void refetch()}>
          {error.message} What you asked is still in the box.
        </Notice>
      )}
      <div className={styles.columns}>
        <Facets facets={data?.facets} search={search} onSearch={onSearch} />
        <section aria-label="Answers">
          <p role="status" className={styles.soft}>
            {isPending ? 'Searching…' : data && `${data.count} ${data.count === 1 ? 'answer' : 'answers'}${asked === '' ? ', the gravest first' : ', best first'}`}
          </p>
          {/* Arrows walk the links, which have the focus themselves. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <ol ref={list} className={styles.results} onKeyDown={walk}>
            {results?.map((result) => (
              <ResultCard key={`${result.kind} ${result.key}`} result={result} linkTo={linkTo} />
            ))}
          </ol>
          <More of={answers} label="More answers" />
          {data?.count === 0 && (
            <Notice tone="plain" what={isNarrowed ? 'Nothing here answers that.' : 'Nothing in the library speaks of that.'}>
              {isNarrowed && (
                <p>
                  <Button onClick={() => onSearch({ ...(search.q && { q: search.q }), ...(search.kernel && { kernel: search.kernel }) })}>Search all of the library</Button>
                </p>
              )}
              <p>
                {isPaste(asked) ? 'As a case it can be joined with more evidence: ' : 'Paste a stack, a screen of perf top or a line of the kernel log, or open a case: '}
                drop what you have on the Cases page. It says where the CPU went even when nothing is known.
              </p>
            </Notice>
          )}
        </section>
      </div>
    </div>
  )
}
