// Runs before speedscope, in a sandboxed frame without an origin of its own.
//
// The page around the frame hands the profile over by message; speedscope asks for its `#profileURL` by
// `fetch`, which here waits for that message and reaches no network. `localStorage`, which throws in such a
// frame, is a plain object that starts with the theme of the page around it.
;(() => {
  'use strict'
  const parameters = new URLSearchParams(location.hash.slice(1))
  const theme = parameters.get('theme') === 'dark' ? 'DARK' : 'LIGHT'
  Object.defineProperty(window, 'localStorage', { value: { 'speedscope-color-scheme': theme } })

  let give
  const given = new Promise((resolve) => {
    give = resolve
  })
  window.addEventListener('message', (event) => {
    if (event.source === window.parent && event.data && event.data.kind === 'casebook.profile') give(event.data.text)
  })
  window.fetch = () => given.then((text) => new Response(text, { headers: { 'Content-Type': 'application/json' } }))

  window.addEventListener('keydown', (event) => {
    const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    if (event.key !== 'Escape' && !isPalette) return
    window.parent.postMessage({ kind: 'casebook.key', key: isPalette ? 'Ctrl-K' : 'Escape' }, '*')
  })
  window.parent.postMessage({ kind: 'casebook.ready' }, '*')
})()
