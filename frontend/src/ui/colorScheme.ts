import { useSyncExternalStore } from 'react'

export type ColorScheme = 'light' | 'dark'

/** Also read by `public/color-scheme.js`, which sets the attribute before the first paint. */
const KEY = 'casebook-color-scheme'
const listeners = new Set<() => void>()

function apply(scheme: ColorScheme): void {
  document.documentElement.dataset.colorScheme = scheme
  for (const listener of listeners) listener()
}

/** Follow what is chosen in any tab, else what the system prefers. */
export function followColorScheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const follow = () => {
    const chosen = localStorage.getItem(KEY)
    apply(chosen === 'dark' || (chosen !== 'light' && system.matches) ? 'dark' : 'light')
  }
  follow()
  system.addEventListener('change', follow)
  window.addEventListener('storage', ({ key }) => key === KEY && follow())
}

/** Use a colour scheme, whatever the system prefers. */
export function chooseColorScheme(scheme: ColorScheme): void {
  localStorage.setItem(KEY, scheme)
  apply(scheme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The colour scheme of the page. */
export const useColorScheme = (): ColorScheme => useSyncExternalStore(subscribe, () => (document.documentElement.dataset.colorScheme === 'dark' ? 'dark' : 'light'))
