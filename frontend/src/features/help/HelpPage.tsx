import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Notice, PagePending } from '../../ui'
import { Markdown } from '../markdown'
import styles from './help.module.css'
import { anchorOf, targetOf } from './links'
import { TASKS } from './topics'

const ROOT = '../../../../docs'
/** The documentation of this version, built into the application: it is there without a network. */
const TEXTS = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' })
const FILES = import.meta.glob<string>(['../../../../docs/images/*.webp', '../../../../docs/ci/*', '../../../../docs/systemd/*'], { query: '?url', import: 'default', eager: true })
const PAGES = new Set(Object.keys(TEXTS).map((path) => path.slice(ROOT.length + 1, -'.md'.length)))

type Props = { page: string; hash: string; linkTo: (page: string, hash: string, text: ReactNode) => ReactNode }

/** A page of the documentation. */
export function HelpPage({ page, hash, linkTo }: Props) {
  const load = TEXTS[`${ROOT}/${page}.md`]
  const { data, error, refetch } = useQuery({ queryKey: ['help', page], queryFn: () => load?.(), enabled: load !== undefined, staleTime: Infinity, retry: false })
  const title = /^# (.*)$/m.exec(data ?? '')?.[1] ?? 'Help'
  useEffect(() => {
    document.title = `${title} · Casebook help`
    if (data !== undefined && hash) document.getElementById(hash)?.scrollIntoView()
  }, [title, data, hash])
  const link = (href: string, text: ReactNode): ReactNode => {
    const target = targetOf(href, page, PAGES)
    if (target === null) return text
    if ('page' in target) return linkTo(target.page, target.hash, text)
    const address = 'url' in target ? target.url : FILES[`${ROOT}/${target.file}`]
    return address === undefined ? (
      text
    ) : (
      <a href={address} rel="noreferrer" target="_blank">
        {text}
      </a>
    )
  }
  return (
    <div className={styles.page}>
      <nav className={styles.tasks} aria-label="Help">
        {linkTo('README', '', 'All pages')}
        {TASKS.map(([name, text]) => (
          <span key={name}>{linkTo(name, '', text)}</span>
        ))}
      </nav>
      <article>
        {load === undefined && <Notice what="There is no such help page.">{linkTo('README', '', 'All pages')}</Notice>}
        {error && (
          <Notice what="The help page could not be loaded." retry={() => void refetch()}>
            {error.message}
          </Notice>
        )}
        {load !== undefined && data === undefined && !error && <PagePending />}
        {data !== undefined && <Markdown text={data.replaceAll(/^<!--.*-->$/gm, '')} isArticle anchorOf={anchorOf} linkOf={link} imageOf={(source) => FILES[`${ROOT}/${source}`]} />}
      </article>
    </div>
  )
}
