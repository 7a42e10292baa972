import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import styles from './stories.module.css'

type Props = { label: string; value: string; onChange: (text: string) => void; onSave: () => void }

const words = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, color: 'var(--calm)' },
  { tag: [tags.quote, tags.processingInstruction, tags.contentSeparator], color: 'var(--ink-soft)' },
])

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--panel)', color: 'var(--ink)', fontSize: '13.5px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '10px 4px', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: 'var(--accent-wash)' },
})

/** Markdown to be written: undone and redone by its own history. Tab leaves it, as on every other field. */
export default function MarkdownEditor({ label, value, onChange, onSave }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const told = useRef({ onChange, onSave })
  useEffect(() => {
    told.current = { onChange, onSave }
  })
  const first = useRef(value)
  useEffect(() => {
    const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
    const saving = () => {
      told.current.onSave()
      return true
    }
    const made = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          // What is kept and compared has one kind of line end.
          EditorState.lineSeparator.of('\n'),
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          markdown(),
          syntaxHighlighting(words),
          look,
          keymap.of([{ key: 'Mod-Enter', run: saving }, { key: 'Mod-s', run: saving }, ...defaultKeymap, ...historyKeymap]),
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) told.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [label])
  useEffect(() => {
    const now = view.current?.state.doc.toString()
    if (view.current && now !== undefined && now !== value) view.current.dispatch({ changes: { from: 0, to: now.length, insert: value } })
  }, [value])
  return <div ref={place} className={styles.code} data-testid="story-text" />
}
