import { isValidElement, type ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import styles from './Markdown.module.css'

type Props = {
  text: string
  isSmall?: boolean
  isBody?: boolean
  isArticle?: boolean
  diagramOf?: (source: string) => ReactNode
  codeOf?: (text: string) => ReactNode
  anchorOf?: (heading: string) => string
  linkOf?: (href: string, text: ReactNode) => ReactNode
  imageOf?: (source: string) => string | undefined
}

/** The text of a heading, without its markup. */
const plain = (node: ReactNode): string =>
  Array.isArray(node) ? node.map(plain).join('') : typeof node === 'string' || typeof node === 'number' ? String(node) : isValidElement<{ children?: ReactNode }>(node) ? plain(node.props.children) : ''

/**
 * Sanitised GitHub Flavored Markdown. Headings are shifted below the page title; with `isBody`
 * they start at the second level, with `isArticle` at the first. Images are rendered as links, so that no
 * external resource is loaded, unless `imageOf` has the address of a file of ours. `codeOf` renders inline
 * code that it knows, `linkOf` links; `anchorOf` makes the ids of headings.
 */
export function Markdown({ text, isSmall = false, isBody = false, isArticle = false, diagramOf, codeOf, anchorOf, linkOf, imageOf }: Props) {
  const isDeep = !isBody && !isArticle
  const heading = (level: 1 | 2 | 3 | 4) => {
    const Heading = `h${level}` as const
    return ({ children }: { children?: ReactNode }) => <Heading id={anchorOf?.(plain(children))}>{children}</Heading>
  }
  return (
    <div className={styles.prose} data-small={isSmall || undefined}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        components={{
          h1: heading(isArticle ? 1 : 2),
          h2: heading(isDeep ? 3 : 2),
          h3: heading(isDeep ? 4 : 3),
          pre: ({ children, node }) => {
            const code = node?.children[0]
            const isDiagram = code?.type === 'element' && String(code.properties.className ?? '').includes('language-mermaid')
            const inner = code?.type === 'element' ? code.children[0] : undefined
            return diagramOf && isDiagram && inner?.type === 'text' ? diagramOf(inner.value) : <pre tabIndex={0}>{children}</pre>
          },
          code: ({ children, className }) => (codeOf && !className && typeof children === 'string' && codeOf(children)) || <code className={className}>{children}</code>,
          img: ({ src, alt }) => {
            const source = typeof src === 'string' ? src : undefined
            const ours = source === undefined ? undefined : imageOf?.(source)
            return ours === undefined ? (
              <a href={source} rel="noreferrer" target="_blank">
                {alt || 'image'}
              </a>
            ) : (
              <img src={ours} alt={alt} />
            )
          },
          a: ({ children, href }) =>
            linkOf ? (
              linkOf(href ?? '', children)
            ) : (
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
