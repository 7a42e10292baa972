import { unifiedMergeView } from '@codemirror/merge'
import { yaml } from '@codemirror/lang-yaml'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import styles from './workbench.module.css'
import { codeTheme, nonce } from './YamlEditor'

/** Two versions of a text, removed and added lines marked; equal parts are folded. */
export default function TextDifference({ label, before, after }: { label: string; before: string; after: string }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const editor = new EditorView({
      parent: container.current ?? document.body,
      state: EditorState.create({
        doc: after,
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          lineNumbers(),
          yaml(),
          EditorView.lineWrapping,
          codeTheme,
          unifiedMergeView({ original: before, mergeControls: false, gutter: true, collapseUnchanged: { margin: 3, minSize: 6 } }),
          EditorView.cspNonce.of(nonce()),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', 'aria-readonly': 'true' }),
        ],
      }),
    })
    return () => editor.destroy()
  }, [label, before, after])
  return <div ref={container} className={styles.difference} data-testid="text-difference" />
}
