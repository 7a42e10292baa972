import { useMemo } from 'react'
import { useColorScheme } from '../../ui'
import { useMedium } from './useMedium'

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

/** The page colours for a canvas: light in print, with high contrast or system colours on request. */
export function usePalette(): Palette {
  const scheme = useColorScheme()
  const { isPaper, isForced, isStrong, isForcedDark } = useMedium()
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement)
    const read = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback
    const isDark = !isPaper && (isForced ? isForcedDark : scheme === 'dark')
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
  }, [scheme, isPaper, isForced, isStrong, isForcedDark])
}
