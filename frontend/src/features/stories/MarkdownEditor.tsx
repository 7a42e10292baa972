import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import styles from './stories.module.css'

type Props = { label: string; value: string; onChange: (text: string) => void; onSave: () => void }

const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, color: 'var(--calm)' },
  { tag: [tags.quote, tags.processingInstruction, tags.contentSeparator], color: 'var(--ink-soft)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--panel)', color: 'var(--ink)', fontSize: '13.5px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '10px 4px', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: 'var(--accent-wash)' },
})

/** Markdown editor with undo history. Tab moves the focus, as in other fields. */
export default function MarkdownEditor({ label, value, onChange, onSave }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const handlers = useRef({ onChange, onSave })
  useEffect(() => {
    handlers.current = { onChange, onSave }
  })
  const initialValue = useRef(value)
  useEffect(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
    const save = () => {
      handlers.current.onSave()
      return true
    }
    const editor = new EditorView({
      parent: container.current ?? document.body,
      state: EditorState.create({
        doc: initialValue.current,
        extensions: [
          // Stored text always has LF line endings.
          EditorState.lineSeparator.of('\n'),
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          markdown(),
          syntaxHighlighting(highlighting),
          theme,
          keymap.of([{ key: 'Mod-Enter', run: save }, { key: 'Mod-s', run: save }, ...defaultKeymap, ...historyKeymap]),
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) handlers.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label])
  useEffect(() => {
    const current = view.current?.state.doc.toString()
    if (view.current && current !== undefined && current !== value) view.current.dispatch({ changes: { from: 0, to: current.length, insert: value } })
  }, [value])
  return <div ref={container} className={styles.code} data-testid="story-text" />
}
