import { createRoute, lazyRouteComponent, Link, redirect, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { isPaste, readLibrarySearch } from './features/library/search'
import { openPaste, usePaste } from './features/library/usePaste'
import type { EditorSearch } from './features/stories'
import type { EditorSearch as WorkbenchSearch } from './features/workbench'
import { shell } from './shellRoute'
import { importWithRetry } from './ui'

const NewStory = lazy(() => import('./features/stories').then((stories) => ({ default: stories.NewStory })))
const LibraryPage = lazyRouteComponent(() => importWithRetry(() => import('./features/library')), 'LibraryPage')
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
        query={paste || (search.q ?? '')}
        search={search}
        onQuery={(query) => {
          const { q: _, weak: __, ...others } = search
          const isFirst = !search.q && !hash
          if (isPaste(query)) void openPaste(query, (packedPaste) => navigate({ to: '/library', search: others, hash: packedPaste, replace: !isFirst, resetScroll: false }))
          else void navigate({ to: '/library', search: { ...others, ...(query && { q: query }) }, hash: '', replace: !isFirst, resetScroll: false })
        }}
        onSearch={(next) => void navigate({ to: '/library', search: next, hash, resetScroll: false })}
        onKernel={(kernel) => void navigate({ to: '/library', search: { kernel }, hash: '', resetScroll: false })}
        linkTo={(kind, id, text) =>
          kind === 'story' ? (
            <Link to="/library/$story" params={{ story: id }}>
              {text}
            </Link>
          ) : kind === 'signature-story' ? (
            <Link to="/signatures/$area/$name/story" params={{ area: id.split('/')[0] ?? '', name: id.split('/')[1] ?? '' }}>
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
            <NewStory withDrafts={!search.q && !paste} />
          </Suspense>
        }
      />
    )
  },
})

const StoryPage = lazyRouteComponent(() => importWithRetry(() => import('./features/stories')), 'StoryPage')
const story = createRoute({
  getParentRoute: () => shell,
  path: '/library/$story',
  component: function OneStory() {
    const { story: name } = story.useParams()
    return <StoryPage key={name} story={name} />
  },
})

const StoryEditorPage = lazyRouteComponent(() => importWithRetry(() => import('./features/stories')), 'StoryEditorPage')
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
        onDeleted={() => void navigate({ to: '/library' })}
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

const SignaturePage = lazyRouteComponent(() => importWithRetry(() => import('./features/signatures')), 'SignaturePage')
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
        selected={evidence}
        onSelect={(fixture) => void navigate({ to: '/signatures/$area/$name', params: { area, name }, search: { evidence: fixture }, resetScroll: false })}
        allLink={<Link to="/library">Library</Link>}
        editLink={
          <Link to="/signatures/$area/$name/edit" params={{ area, name }}>
            Edit
          </Link>
        }
        storyLink={
          <Link to="/signatures/$area/$name/story" params={{ area, name }}>
            Read as a story
          </Link>
        }
      />
    )
  },
})

const SignatureStoryPage = lazyRouteComponent(() => importWithRetry(() => import('./features/signatures')), 'SignatureStoryPage')
const signatureStory = createRoute({
  getParentRoute: () => shell,
  path: '/signatures/$area/$name/story',
  component: function SignatureStory() {
    const { area, name } = signatureStory.useParams()
    return <SignatureStoryPage key={`${area}/${name}`} area={area} name={name} />
  },
})

const textOf = (raw: unknown): string | undefined => (typeof raw === 'string' || typeof raw === 'number' ? String(raw) : undefined)
const readEditorSearch = (raw: Record<string, unknown>): WorkbenchSearch => {
  const [caseId, proposal, team] = [textOf(raw.case), textOf(raw.proposal), textOf(raw.library)]
  return { ...(caseId && { case: caseId }), ...(proposal && { proposal }), ...(team && { library: team }) }
}

const WorkbenchPage = lazyRouteComponent(() => importWithRetry(() => import('./features/workbench')), 'WorkbenchPage')
const editSignature = createRoute({
  getParentRoute: () => shell,
  path: '/signatures/$area/$name/edit',
  validateSearch: readEditorSearch,
  component: function EditSignature() {
    const { area, name } = editSignature.useParams()
    const navigate = useNavigate()
    return (
      <WorkbenchPage
        signature={`${area}/${name}`}
        search={editSignature.useSearch()}
        onSearch={(search) => void navigate({ to: '/signatures/$area/$name/edit', params: { area, name }, search, replace: true, resetScroll: false })}
        onProposal={(proposal) => void navigate({ to: '/signature-proposals/$proposal', params: { proposal } })}
      />
    )
  },
})
const newSignature = createRoute({
  getParentRoute: () => shell,
  path: '/signatures/new',
  validateSearch: readEditorSearch,
  component: function NewSignature() {
    const navigate = useNavigate()
    return (
      <WorkbenchPage
        signature=""
        search={newSignature.useSearch()}
        onSearch={(search) => void navigate({ to: '/signatures/new', search, replace: true, resetScroll: false })}
        onProposal={(proposal) => void navigate({ to: '/signature-proposals/$proposal', params: { proposal } })}
      />
    )
  },
})

const ProposalsPage = lazyRouteComponent(() => importWithRetry(() => import('./features/workbench')), 'ProposalsPage')
const proposals = createRoute({
  getParentRoute: () => shell,
  path: '/signature-proposals',
  validateSearch: (raw: Record<string, unknown>): { state?: 'all' } => (raw.state === 'all' ? { state: 'all' } : {}),
  component: function Proposals() {
    const { state } = proposals.useSearch()
    const navigate = useNavigate()
    return <ProposalsPage state={state === 'all' ? '' : 'proposed'} onState={(next) => void navigate({ to: '/signature-proposals', search: next === '' ? { state: 'all' } : {}, replace: true })} />
  },
})

const ProposalPage = lazyRouteComponent(() => importWithRetry(() => import('./features/workbench')), 'ProposalPage')
const proposal = createRoute({
  getParentRoute: () => shell,
  path: '/signature-proposals/$proposal',
  validateSearch: readEditorSearch,
  component: function OneProposal() {
    const { proposal: id } = proposal.useParams()
    const search = proposal.useSearch()
    const navigate = useNavigate()
    return (
      <ProposalPage
        key={id}
        id={id}
        caseId={search.case ?? ''}
        onCase={(chosen) => void navigate({ to: '/signature-proposals/$proposal', params: { proposal: id }, search: chosen ? { case: chosen } : {}, replace: true, resetScroll: false })}
      />
    )
  },
})

/** Routes of the library: search, signature pages, their editor and proposals, story pages and the story editor. */
export const libraryRoutes = [library, story, editStory, signatures, signature, signatureStory, editSignature, newSignature, proposals, proposal] as const
