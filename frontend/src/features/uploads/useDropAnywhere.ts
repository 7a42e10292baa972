import { useEffect, useRef, useState } from 'react'
import type { Dropped } from '../../api'
import { isTyping } from '../../ui'
import { filesOfDrop, filesOfList } from './droppedFiles'

type Handlers = { onFiles: (files: Dropped[]) => void; onText: (text: string) => void; onImage: () => void }

/** Handles drops and pastes anywhere on the page, except pastes into a text field. Returns whether files are dragged over it. */
export function useDropAnywhere(handlers: Handlers): boolean {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth++
      setIsOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setIsOver(false)
    }
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setIsOver(false)
      if (!event.dataTransfer || !hasFiles(event)) return
      event.preventDefault()
      void filesOfDrop(event.dataTransfer).then((files) => latest.current.onFiles(files))
    }
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !event.clipboardData) return
      const { files } = event.clipboardData
      const text = event.clipboardData.getData('text/plain')
      // Some terminals copy an image together with the text; the text wins.
      const isImage = files.length > 0 && [...files].every(({ type }) => type.startsWith('image/'))
      if (text.trim() && (files.length === 0 || isImage)) latest.current.onText(text)
      else if (isImage) latest.current.onImage()
      else if (files.length > 0) latest.current.onFiles(filesOfList(files))
      else return
      event.preventDefault()
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    window.addEventListener('paste', paste)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
      window.removeEventListener('paste', paste)
    }
  }, [])
  return isOver
}
