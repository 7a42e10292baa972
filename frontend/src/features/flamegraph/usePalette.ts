import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import type { Palette } from './draw'

/** The colours of the page, as a canvas needs them. */
export function usePalette(): Palette {
  const scheme = useComputedColorScheme('light')
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement)
    const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise
    const isDark = scheme === 'dark'
    return {
      isDark,
      ink: isDark ? '#f2efe6' : '#1c2326',
      faint: isDark ? '#262d31' : '#e6e3da',
      paper: read('--panel', '#fff'),
      root: isDark ? '#2f3a3f' : '#d9d6cc',
      outline: isDark ? '#8fb4ff' : '#0b3cc1',
      found: isDark ? '#c44bb4' : '#d96fcb',
      foundInk: isDark ? '#ffffff' : '#1c2326',
    }
  }, [scheme])
}
