import { autocompletion, type Completion, type CompletionContext, type CompletionResult, startCompletion } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import type { SignatureProblem } from '../../api'
import styles from './workbench.module.css'
import { optionsAt, placeAt, type Schema } from './yamlCompletion'

type Props = {
  label: string
  value: string
  schema: Schema | undefined
  problems: readonly SignatureProblem[]
  /** The line to show; a new object scrolls again. */
  focus: { line: number } | undefined
  onChange: (text: string) => void
}

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--calm)' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-soft)' },
])

export const codeTheme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--panel)', color: 'var(--ink)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--ink-soft)', border: '0' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: 'var(--accent-wash)' },
  '.cm-tooltip': { background: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line-strong)', borderRadius: 'var(--radius)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--accent-wash)', color: 'var(--ink)' },
  '.cm-completionDetail': { color: 'var(--ink-soft)', fontStyle: 'normal' },
})

export const nonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** YAML editor with completion from a JSON Schema, and problems marked at their lines. Tab moves the focus. */
export default function YamlEditor({ label, value, schema, problems, focus, onChange }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const current = useRef({ onChange, schema })
  useEffect(() => {
    current.current = { onChange, schema }
  })
  const initialValue = useRef(value)
  useEffect(() => {
    const editor = new EditorView({
      parent: container.current ?? document.body,
      state: EditorState.create({
        doc: initialValue.current,
        extensions: [
          EditorState.lineSeparator.of('\n'),
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          indentUnit.of('  '),
          yaml(),
          syntaxHighlighting(highlighting),
          codeTheme,
          autocompletion({ override: [(context) => completions(context, current.current.schema)], icons: false }),
          keymap.of([{ key: 'Ctrl-Space', run: startCompletion }, ...defaultKeymap, ...historyKeymap]),
          EditorView.cspNonce.of(nonce()),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) current.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [label])
  useEffect(() => {
    const editor = view.current
    const text = editor?.state.doc.toString()
    if (editor && text !== undefined && text !== value) editor.dispatch({ changes: { from: 0, to: text.length, insert: value } })
  }, [value])
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const marks = problems.filter(({ line }) => line > 0).map((problem): Diagnostic => {
      const at = editor.state.doc.line(Math.min(problem.line, editor.state.doc.lines))
      return { from: at.from, to: at.to, severity: 'error', message: problem.text }
    })
    editor.dispatch(setDiagnostics(editor.state, marks))
  }, [problems])
  useEffect(() => {
    const editor = view.current
    if (!editor || !focus) return
    const at = editor.state.doc.line(Math.max(1, Math.min(focus.line, editor.state.doc.lines)))
    editor.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: 'center' }) })
    editor.focus()
  }, [focus])
  return <div ref={container} className={styles.code} data-testid="signature-text" />
}

function completions(context: CompletionContext, schema: Schema | undefined): CompletionResult | null {
  if (!schema) return null
  const place = placeAt(context.state.doc.toString(), context.pos)
  if (!place || (place.word === '' && !context.explicit && !place.isValue)) return null
  const options = optionsAt(schema, place).map(({ label, insert, detail }): Completion => ({ label, apply: insert, detail: detail.slice(0, 60) }))
  return options.length > 0 ? { from: context.pos - place.word.length, options, validFor: /^[\w.-]*$/ } : null
}
