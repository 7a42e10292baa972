import { createRoute, lazyRouteComponent, Link, redirect, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isPaste, readLibrarySearch } from './features/library/search'
import { openPaste, usePaste } from './features/library/usePaste'
import type { EditorSearch } from './features/stories'
import { shell } from './shellRoute'

const BeginStory = lazy(() => import('./features/stories').then((room) => ({ default: room.BeginStory })))
const LibraryPage = lazyRouteComponent(() => import('./features/library'), 'LibraryPage')
const library = createRoute({
  getParentRoute: () => shell,
  path: '/library',
  validateSearch: readLibrarySearch,
  component: function Library() {
    const search = library.useSearch()
    const hash = useLocation({ select: (location) => location.hash })
    const paste = usePaste(hash)
    const navigate = useNavigate()
    if (paste === undefined) return null
    return (
      <LibraryPage
        asked={paste || (search.q ?? '')}
        search={search}
        onAsked={(asked) => {
          const { q: _, ...others } = search
          const isFirst = !search.q && !hash
          if (isPaste(asked)) void openPaste(asked, (letters) => navigate({ to: '/library', search: others, hash: letters, replace: !isFirst, resetScroll: false }))
          else void navigate({ to: '/library', search: { ...others, ...(asked && { q: asked }) }, hash: '', replace: !isFirst, resetScroll: false })
        }}
        onSearch={(next) => void navigate({ to: '/library', search: next, hash, resetScroll: false })}
        linkTo={(kind, id, text) =>
          kind === 'story' ? (
            <Link to="/library/$story" params={{ story: id }}>
              {text}
            </Link>
          ) : (
            <Link to="/signatures/$area/$name" params={{ area: id.split('/')[0] ?? '', name: id.split('/')[1] ?? '' }}>
              {text}
            </Link>
          )
        }
        newStory={
          <Suspense fallback={null}>
            <BeginStory withDrafts={!search.q && !paste} />
          </Suspense>
        }
      />
    )
  },
})

const StoryPage = lazyRouteComponent(() => import('./features/stories'), 'StoryPage')
const story = createRoute({
  getParentRoute: () => shell,
  path: '/library/$story',
  component: function OneStory() {
    const { story: name } = story.useParams()
    return <StoryPage key={name} story={name} />
  },
})

const StoryEditorPage = lazyRouteComponent(() => import('./features/stories'), 'StoryEditorPage')
const editStory = createRoute({
  getParentRoute: () => shell,
  path: '/library/$story/edit',
  validateSearch: (raw: Record<string, unknown>): EditorSearch => ({
    ...((raw.show === 'preview' || raw.show === 'revisions') && { show: raw.show }),
    ...(Number.isSafeInteger(raw.revision) && Number(raw.revision) > 0 && { revision: Number(raw.revision) }),
  }),
  component: function EditStory() {
    const { story: name } = editStory.useParams()
    const search = editStory.useSearch()
    const navigate = useNavigate()
    return (
      <StoryEditorPage
        key={name}
        story={name}
        search={search}
        onSearch={(next) => void navigate({ to: '/library/$story/edit', params: { story: name }, search: next, resetScroll: false })}
        onGone={() => void navigate({ to: '/library' })}
        onBack={() => void navigate({ to: '/library/$story/edit', params: { story: name } })}
      />
    )
  },
})

const signatures = createRoute({
  getParentRoute: () => shell,
  path: '/signatures',
  beforeLoad: () => {
    throw redirect({ to: '/library', search: { kind: 'signature' } })
  },
})

const SignaturePage = lazyRouteComponent(() => import('./features/signatures'), 'SignaturePage')
const signature = createRoute({
  getParentRoute: () => shell,
  path: '/signatures/$area/$name',
  validateSearch: (raw: Record<string, unknown>): { evidence?: string } => (typeof raw.evidence === 'string' && raw.evidence !== '' ? { evidence: raw.evidence } : {}),
  component: function Signature() {
    const { area, name } = signature.useParams()
    const { evidence } = signature.useSearch()
    const navigate = useNavigate()
    return (
      <SignaturePage
        key={`${area}/${name}`}
        area={area}
        name={name}
        shown={evidence}
        onShown={(proof) => void navigate({ to: '/signatures/$area/$name', params: { area, name }, search: { evidence: proof }, resetScroll: false })}
        allLink={<Link to="/library">Library</Link>}
      />
    )
  },
})

/** The library: searched, its signatures and stories, and stories written. */
export const libraryRoutes = [library, story, editStory, signatures, signature] as const
