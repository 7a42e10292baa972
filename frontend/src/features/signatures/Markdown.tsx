import ReactMarkdown from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { Diagram } from './Diagram'
import styles from './Markdown.module.css'

/** Markdown of a story: GitHub's dialect, sanitised, headings below the page's own, diagrams as steps. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.prose}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        components={{
          h1: ({ children }) => <h2>{children}</h2>,
          h2: ({ children }) => <h3>{children}</h3>,
          h3: ({ children }) => <h4>{children}</h4>,
          pre: ({ children, node }) => {
            const code = node?.children[0]
            const isDiagram = code?.type === 'element' && String(code.properties.className ?? '').includes('language-mermaid')
            const inner = code?.type === 'element' ? code.children[0] : undefined
            return isDiagram && inner?.type === 'text' ? <Diagram source={inner.value} /> : <pre tabIndex={0}>{children}</pre>
          },
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
