// Before the first paint, so that a dark page never flashes white.
;(() => {
  const chosen = localStorage.getItem('casebook-color-scheme')
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-color-scheme', isDark ? 'dark' : 'light')
})()
