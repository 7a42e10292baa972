import type { ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import styles from './Markdown.module.css'

type Props = { text: string; isSmall?: boolean; isBody?: boolean; diagramOf?: (source: string) => ReactNode; codeOf?: (text: string) => ReactNode }

/**
 * Sanitised GitHub Flavored Markdown. Headings are shifted below the page title; with `isBody`
 * they start at the second level. Images are rendered as links, so that no external resource
 * is loaded. `codeOf` renders inline code that it knows.
 */
export function Markdown({ text, isSmall = false, isBody = false, diagramOf, codeOf }: Props) {
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
          code: ({ children, className }) => (codeOf && !className && typeof children === 'string' && codeOf(children)) || <code className={className}>{children}</code>,
          img: ({ src, alt }) => (
            <a href={typeof src === 'string' ? src : undefined} rel="noreferrer" target="_blank">
              {alt || 'image'}
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
