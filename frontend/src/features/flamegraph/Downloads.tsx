import type { RefObject } from 'react'
import { exportUrl, type Profile } from '../../api'
import { MenuButton, save, useToast } from '../../ui'
import type { GraphState } from './types'

type Props = { profile: Profile; state: GraphState; view: RefObject<HTMLElement | null>; caption: string }

/** Exports the current selection of the profile as a file. */
export function Downloads({ profile, state, view, caption }: Props) {
  const toast = useToast()
  const { selection, inverted, order } = state
  const savePng = async () => {
    const canvas = view.current?.querySelector('canvas')
    if (!canvas) return toast('This view cannot be exported as an image; use the flame graph.')
    const blob = await imageOf(canvas, caption)
    if (!blob) return toast('The image could not be created.', { isError: true })
    save(blob, `${profile.event.replaceAll(/[^\w.-]+/g, '-') || 'profile'}.png`)
  }
  return (
    <MenuButton
      label="Download"
      items={[
        { label: 'speedscope', hint: '.speedscope.json', href: exportUrl(profile.id, 'speedscope.json', selection), isDownload: true },
        { label: 'Firefox Profiler', hint: '.firefox.json', href: exportUrl(profile.id, 'firefox.json', selection), isDownload: true },
        { label: 'Folded stacks', hint: '.folded', href: exportUrl(profile.id, 'folded', selection), isDownload: true },
        { label: 'Image of the whole graph', hint: '.svg', href: exportUrl(profile.id, 'svg', selection, { inverted, order }), isDownload: true, startsGroup: true },
        { label: 'Image of this view', hint: '.png', act: () => void savePng() },
      ]}
    />
  )
}

/** The canvas as PNG, with a caption below. */
function imageOf(canvas: HTMLCanvasElement, caption: string): Promise<Blob | null> {
  const ratio = window.devicePixelRatio || 1
  const foot = Math.round(26 * ratio)
  const page = document.createElement('canvas')
  page.width = canvas.width
  page.height = canvas.height + foot
  const context = page.getContext('2d')
  if (!context) return Promise.resolve(null)
  const style = getComputedStyle(document.documentElement)
  context.fillStyle = style.getPropertyValue('--panel')
  context.fillRect(0, 0, page.width, page.height)
  context.drawImage(canvas, 0, 0)
  context.fillStyle = style.getPropertyValue('--ink-soft')
  context.font = `${12 * ratio}px Inter, sans-serif`
  context.fillText(caption, 6 * ratio, page.height - 8 * ratio)
  return new Promise((resolve) => page.toBlob(resolve, 'image/png'))
}
