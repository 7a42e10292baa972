import { useEffect, useRef, useState } from 'react'
import type { Dropped } from '../../api'
import { isTyping } from '../../ui'
import { filesOfDrop, filesOfList } from './dropped'

type Handlers = { onFiles: (files: Dropped[]) => void; onText: (text: string) => void; onPicture: () => void }

/** The whole page takes drops and pastes, except a paste into a field. Returns whether something hovers over it. */
export function useDropAnywhere(handlers: Handlers): boolean {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    let depth = 0
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      depth++
      setIsOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setIsOver(false)
    }
    const over = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setIsOver(false)
      if (!event.dataTransfer || !holdsFiles(event)) return
      event.preventDefault()
      void filesOfDrop(event.dataTransfer).then((files) => latest.current.onFiles(files))
    }
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || !event.clipboardData) return
      const { files } = event.clipboardData
      const text = event.clipboardData.getData('text/plain')
      // A terminal that copies a picture beside its text means the text.
      const isPicture = files.length > 0 && [...files].every(({ type }) => type.startsWith('image/'))
      if (text.trim() && (files.length === 0 || isPicture)) latest.current.onText(text)
      else if (isPicture) latest.current.onPicture()
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
