import type { ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import styles from './Markdown.module.css'

type Props = { text: string; isSmall?: boolean; isBody?: boolean; diagramOf?: (source: string) => ReactNode }

/**
 * GitHub's dialect of Markdown, sanitised, headings below the page's own; those of a body,
 * whose title stands elsewhere, begin with the second. Pictures are links: nothing is fetched
 * from outside because somebody wrote its address.
 */
export function Markdown({ text, isSmall = false, isBody = false, diagramOf }: Props) {
  return (
    <div className={styles.prose} data-small={isSmall || undefined}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        components={{
          h1: ({ children }) => <h2>{children}</h2>,
          h2: ({ children }) => (isBody ? <h2>{children}</h2> : <h3>{children}</h3>),
          h3: ({ children }) => (isBody ? <h3>{children}</h3> : <h4>{children}</h4>),
          pre: ({ children, node }) => {
            const code = node?.children[0]
            const isDiagram = code?.type === 'element' && String(code.properties.className ?? '').includes('language-mermaid')
            const inner = code?.type === 'element' ? code.children[0] : undefined
            return diagramOf && isDiagram && inner?.type === 'text' ? diagramOf(inner.value) : <pre tabIndex={0}>{children}</pre>
          },
          img: ({ src, alt }) => (
            <a href={typeof src === 'string' ? src : undefined} rel="noreferrer" target="_blank">
              {alt || 'picture'}
            </a>
          ),
          a: ({ children, href }) => (
            <a href={href} rel="noreferrer" target="_blank">
              {children}
            </a>
          ),
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}
