import '../src/styles/index.css'
import { createRoot } from 'react-dom/client'
import { followColorScheme, Shell } from '../src/ui'
import type { Answers } from './answers'
import { PARTS } from './parts'
import { STATES } from './states'

const name = new URLSearchParams(window.location.search).get('state') ?? ''
const problem = (status: number, title: string, detail: string) => ({ type: 'about:blank', title, status, detail, code: title.replaceAll(' ', ''), instance: '' })

/** Answer the requests of the application from a table; whatever it lacks is an empty list. */
function answerFrom(answers: Answers): void {
  window.fetch = async (input) => {
    const path = new URL(input instanceof Request ? input.url : String(input), window.location.href).pathname.replace('/api/v1', '')
    // All files have the same lines.
    const answer = answers[path.replace(/^\/evidence\/\w+/, '/evidence/e7')] ?? { body: { items: [], next_cursor: null } }
    if (answer === 'pending') return new Promise(() => undefined)
    if (answer === 'unreachable') throw new TypeError('Failed to fetch')
    if ('body' in answer) return Response.json(answer.body)
    const { status, title, detail, retryAfter } = answer
    return Response.json(problem(status, title, detail), { status, headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) } })
  }
}

const state = STATES[name]
if (state) {
  answerFrom(state.answers)
  if (state.isOffline) Object.defineProperty(navigator, 'onLine', { get: () => false })
  window.history.replaceState(null, '', state.path)
  await import('../src/main')
} else {
  followColorScheme()
  const part = PARTS[name]
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <Shell home={<a href="/">Gallery of states</a>}>
        {!name.startsWith('page-') && <h1 className="sr-only">{name || 'States'}</h1>}
        {part ?? (
          <ul>
            {[...Object.keys(STATES), ...Object.keys(PARTS)].map((each) => (
              <li key={each}>
                <a href={`/?state=${each}`}>{each}</a>
              </li>
            ))}
          </ul>
        )}
      </Shell>,
    )
}
