import { useColorScheme } from '../../ui'
import { type Medium, useMedium } from './useMedium'

/** The colours of a canvas. */
export type Palette = {
  isDark: boolean
  ink: string
  soft: string
  line: string
  faint: string
  paper: string
  root: string
  outline: string
  match: string
  matchInk: string
}

/** By scheme and medium; reading colours makes the browser compute the style of the page. */
const palettes = new Map<string, Palette>()

function readPalette(isDark: boolean, { isPaper, isForced, isStrong }: Medium): Palette {
  const style = getComputedStyle(document.documentElement)
  // The style of paper is not there yet when printing begins.
  const read = (name: string, fallback: string) => (!isPaper && style.getPropertyValue(name).trim()) || fallback
  const strongest = isDark ? '#ffffff' : '#000000'
  const hasContrast = isStrong || isForced
  return {
    isDark,
    ink: hasContrast ? strongest : isDark ? '#f2efe6' : '#1c2326',
    soft: hasContrast ? strongest : read('--ink-soft', '#4d585c'),
    line: isForced ? strongest : read(isStrong ? '--line-strong' : '--line', '#dcd8cd'),
    faint: isDark ? '#2a3236' : '#e6e3da',
    paper: isForced ? 'Canvas' : read('--panel', '#fff'),
    root: isDark ? '#2f3a3f' : '#d9d6cc',
    outline: isForced ? 'Highlight' : isDark ? '#8fb4ff' : '#0b3cc1',
    match: isDark ? '#c44bb4' : '#d96fcb',
    matchInk: isDark ? '#ffffff' : hasContrast ? '#000000' : '#1c2326',
  }
}

/** The page colours for a canvas: light in print, with high contrast or system colours on request. */
export function usePalette(): Palette {
  const scheme = useColorScheme()
  const medium = useMedium()
  const { isPaper, isForced, isStrong, isForcedDark } = medium
  const isDark = !isPaper && (isForced ? isForcedDark : scheme === 'dark')
  const kind = `${isDark} ${isPaper} ${isForced} ${isStrong}`
  const known = palettes.get(kind)
  if (known) return known
  const palette = readPalette(isDark, medium)
  palettes.set(kind, palette)
  return palette
}
