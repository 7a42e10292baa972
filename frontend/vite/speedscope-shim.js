// Runs before speedscope, in a sandboxed frame with an opaque origin.
//
// The parent page sends the profile by `postMessage`. speedscope loads its `#profileURL` with `fetch`, which is
// replaced here: it waits for that message and makes no network request. `localStorage` throws in such a frame,
// so it is replaced by a plain object that holds the theme of the parent page.
;(() => {
  'use strict'
  const parameters = new URLSearchParams(location.hash.slice(1))
  const theme = parameters.get('theme') === 'dark' ? 'DARK' : 'LIGHT'
  Object.defineProperty(window, 'localStorage', { value: { 'speedscope-color-scheme': theme } })

  let setProfile
  const profile = new Promise((resolve) => {
    setProfile = resolve
  })
  window.addEventListener('message', (event) => {
    if (event.source === window.parent && event.data && event.data.kind === 'casebook.profile') setProfile(event.data.text)
  })
  window.fetch = () => profile.then((text) => new Response(text, { headers: { 'Content-Type': 'application/json' } }))

  window.addEventListener('keydown', (event) => {
    const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    if (event.key !== 'Escape' && !isPalette) return
    window.parent.postMessage({ kind: 'casebook.key', key: isPalette ? 'Ctrl-K' : 'Escape' }, '*')
  })
  window.parent.postMessage({ kind: 'casebook.ready' }, '*')
})()
