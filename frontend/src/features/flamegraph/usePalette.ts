import { useComputedColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'

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

/** The colours of the page, as a canvas needs them; with more contrast where that is asked for. */
export function usePalette(): Palette {
  const scheme = useComputedColorScheme('light')
  const isStrong = useMediaQuery('(prefers-contrast: more)') ?? false
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement)
    const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise
    const isDark = scheme === 'dark'
    const most = isDark ? '#ffffff' : '#000000'
    return {
      isDark,
      ink: isStrong ? most : isDark ? '#f2efe6' : '#1c2326',
      soft: isStrong ? most : read('--ink-soft', '#4d585c'),
      line: read(isStrong ? '--line-strong' : '--line', '#dcd8cd'),
      faint: isDark ? '#2a3236' : '#e6e3da',
      paper: read('--panel', '#fff'),
      root: isDark ? '#2f3a3f' : '#d9d6cc',
      outline: isDark ? '#8fb4ff' : '#0b3cc1',
      found: isDark ? '#c44bb4' : '#d96fcb',
      foundInk: isDark ? '#ffffff' : '#1c2326',
    }
  }, [scheme, isStrong])
}
