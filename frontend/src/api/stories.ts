import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { StoryDraft } from './types'

/** All that somebody writes of a story; cases and signatures are named, not told. */
export type StoryContent = { title: string; area: string; symptoms: string[]; signatures: string[]; cases: number[]; fix: string; text: string }

export const EMPTY_STORY: StoryContent = { title: '', area: '', symptoms: [], signatures: [], cases: [], fix: '', text: '' }

const of = (story: string) => ({ path: { story_id: story } })
const held = (story: string, version: number) => ({ ...of(story), header: { 'if-match': `"${version}"` } })

/** What of a draft is written, without how it stands. */
export const contentOf = ({ title, area, symptoms, signatures, cases, fix, text }: StoryDraft): StoryContent => ({
  title,
  area,
  symptoms,
  signatures: signatures.map(({ id }) => id),
  cases: cases.map(({ number }) => number),
  fix,
  text,
})

/** What everybody reads. */
export function useStory(story: string) {
  return useQuery({ queryKey: keys.story(story), queryFn: () => take(client.GET('/api/v1/stories/{story_id}', { params: of(story) })) })
}

export const fetchDraft = (story: string): Promise<StoryDraft> => take(client.GET('/api/v1/stories/{story_id}/draft', { params: of(story) }))

/** The story in the making, asked once: from then on who writes knows best, and saving tells of others. */
export function useDraft(story: string) {
  return useQuery({ queryKey: keys.storyDraft(story), queryFn: () => fetchDraft(story), staleTime: Infinity, gcTime: 0, refetchOnReconnect: false })
}

export function useDrafts(enabled: boolean) {
  return useQuery({ queryKey: keys.storyDrafts, queryFn: () => takeAll((query) => client.GET('/api/v1/stories/drafts', { params: { query } })), enabled })
}

export function useCaseStories(caseId: string) {
  return useQuery({ queryKey: keys.caseStories(caseId), queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/stories', { params: { path: { case_id: caseId }, query } })) })
}

/** Every signature that a story can speak of. */
export function useSignatures() {
  return useQuery({ queryKey: ['signatures'], queryFn: () => takeAll((query) => client.GET('/api/v1/signatures', { params: { query } })), staleTime: 300_000 })
}

/** Save what the draft says; `version` is the one that was read, and 412 says that somebody else saved since. */
export const saveDraft = (story: string, version: number, content: StoryContent, sitting: string): Promise<StoryDraft> =>
  take(client.PUT('/api/v1/stories/{story_id}/draft', { params: held(story, version), body: { ...content, sitting } }))

export const restoreRevision = (story: string, version: number, number: number): Promise<StoryDraft> => {
  const { path, header } = held(story, version)
  return take(client.POST('/api/v1/stories/{story_id}/revisions/{number}/restore', { params: { path: { ...path, number }, header } }))
}

export function useRevisions(story: string) {
  return useQuery({ queryKey: keys.storyRevisions(story), queryFn: () => takeAll((query) => client.GET('/api/v1/stories/{story_id}/revisions', { params: { ...of(story), query } })) })
}

export function useDifference(story: string, base: number, number: number) {
  return useQuery({
    queryKey: keys.storyDifference(story, base, number),
    queryFn: () => take(client.GET('/api/v1/stories/{story_id}/revisions/{number}/difference', { params: { path: { story_id: story, number }, query: { base } } })),
  })
}

/** Something done to stories after which lists of them, and the library, are asked again. */
function useStoryAction<Asked, Answer>(act: (asked: Asked) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: keys.storyDrafts })
      void cache.invalidateQueries({ queryKey: ['library'] })
      void cache.invalidateQueries({ queryKey: ['story'], refetchType: 'none' })
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'case' && queryKey[2] === 'stories' })
    },
  })
}

export const useBeginStory = () => useStoryAction((content: StoryContent) => take(client.POST('/api/v1/stories', { body: content })))
export const useBeginCaseStory = () => useStoryAction((caseId: string) => take(client.POST('/api/v1/cases/{case_id}/story', { params: { path: { case_id: caseId } } })))
export const useImportStory = () =>
  useStoryAction((file: File) =>
    take(
      client.POST('/api/v1/stories/import', {
        params: { query: { filename: file.name } },
        body: file as unknown as string,
        bodySerializer: (body) => body,
        headers: { 'Content-Type': 'text/markdown' },
      }),
    ),
  )
export const useSetStoryTeam = (story: string) =>
  useStoryAction((team: string | null) => take(client.PUT('/api/v1/stories/{story_id}/team', { params: of(story), body: { team_id: team } })))
export const useOfferStory = (story: string) => useStoryAction(() => take(client.POST('/api/v1/stories/{story_id}/offer', { params: of(story) })))
export const usePublishStory = (story: string) =>
  useStoryAction((revision: number) => take(client.POST('/api/v1/stories/{story_id}/publish', { params: of(story), body: { revision } })))
export const useUnpublishStory = (story: string) => useStoryAction(() => take(client.POST('/api/v1/stories/{story_id}/unpublish', { params: of(story) })))
export const useDeleteStory = (story: string) => useStoryAction(() => take(client.DELETE('/api/v1/stories/{story_id}', { params: of(story) })))
export const useRestoreStory = (story: string) => useStoryAction(() => take(client.POST('/api/v1/stories/{story_id}/restore', { params: of(story) })))

/** Whether a file that was dropped on the library is a story; any other is a question. */
export const isStoryFile = (name: string): boolean => /\.(md|markdown)$/i.test(name)
