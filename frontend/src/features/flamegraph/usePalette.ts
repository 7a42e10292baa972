import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { useMedium } from './useMedium'

/** The colours that a canvas draws with. */
export type Palette = {
  isDark: boolean
  ink: string
  soft: string
  line: string
  faint: string
  paper: string
  root: string
  outline: string
  found: string
  foundInk: string
}

/** The colours of the page, as a canvas needs them: on paper the light ones, with more contrast or the system's own where that is asked for. */
export function usePalette(): Palette {
  const scheme = useComputedColorScheme('light')
  const { isPaper, isForced, isStrong, isForcedDark } = useMedium()
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement)
    const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise
    const isDark = !isPaper && (isForced ? isForcedDark : scheme === 'dark')
    const most = isDark ? '#ffffff' : '#000000'
    const hasContrast = isStrong || isForced
    return {
      isDark,
      ink: hasContrast ? most : isDark ? '#f2efe6' : '#1c2326',
      soft: hasContrast ? most : read('--ink-soft', '#4d585c'),
      line: isForced ? most : read(isStrong ? '--line-strong' : '--line', '#dcd8cd'),
      faint: isDark ? '#2a3236' : '#e6e3da',
      paper: isForced ? 'Canvas' : read('--panel', '#fff'),
      root: isDark ? '#2f3a3f' : '#d9d6cc',
      outline: isForced ? 'Highlight' : isDark ? '#8fb4ff' : '#0b3cc1',
      found: isDark ? '#c44bb4' : '#d96fcb',
      foundInk: isDark ? '#ffffff' : hasContrast ? '#000000' : '#1c2326',
    }
  }, [scheme, isPaper, isForced, isStrong, isForcedDark])
}
