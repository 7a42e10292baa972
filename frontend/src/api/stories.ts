import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { StoryDraft } from './types'

/** Editable content of a story; cases and signatures are references. */
export type StoryContent = { title: string; area: string; symptoms: string[]; signatures: string[]; cases: number[]; fix: string; text: string }

export const EMPTY_STORY: StoryContent = { title: '', area: '', symptoms: [], signatures: [], cases: [], fix: '', text: '' }

const storyPath = (story: string) => ({ path: { story_id: story } })
const lockedParams = (story: string, version: number) => ({ ...storyPath(story), header: { 'if-match': `"${version}"` } })

/** Editable content of a draft, without its metadata. */
export const contentOf = ({ title, area, symptoms, signatures, cases, fix, text }: StoryDraft): StoryContent => ({
  title,
  area,
  symptoms,
  signatures: signatures.map(({ id }) => id),
  cases: cases.map(({ number }) => number),
  fix,
  text,
})

/** The published story. */
export function useStory(story: string) {
  return useQuery({ queryKey: keys.story(story), queryFn: () => take(client.GET('/api/v1/stories/{story_id}', { params: storyPath(story) })) })
}

export const fetchDraft = (story: string): Promise<StoryDraft> => take(client.GET('/api/v1/stories/{story_id}/draft', { params: storyPath(story) }))

/** The draft, fetched once; later changes by others are detected on save. */
export function useDraft(story: string) {
  return useQuery({ queryKey: keys.storyDraft(story), queryFn: () => fetchDraft(story), staleTime: Infinity, gcTime: 0, refetchOnReconnect: false })
}

export function useDrafts(enabled: boolean) {
  return useQuery({ queryKey: keys.storyDrafts, queryFn: () => takeAll((query) => client.GET('/api/v1/stories/drafts', { params: { query } })), enabled })
}

export function useCaseStories(caseId: string) {
  return useQuery({ queryKey: keys.caseStories(caseId), queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/stories', { params: { path: { case_id: caseId }, query } })) })
}

/** All signatures that a story can reference. */
export function useSignatures() {
  return useQuery({ queryKey: ['signatures'], queryFn: () => takeAll((query) => client.GET('/api/v1/signatures', { params: { query } })), staleTime: 300_000 })
}

/** Save a draft. Optimistic locking: 412 if `version` is stale. */
export const saveDraft = (story: string, version: number, content: StoryContent, editSession: string): Promise<StoryDraft> =>
  take(client.PUT('/api/v1/stories/{story_id}/draft', { params: lockedParams(story, version), body: { ...content, sitting: editSession } }))

export const restoreRevision = (story: string, version: number, number: number): Promise<StoryDraft> => {
  const { path, header } = lockedParams(story, version)
  return take(client.POST('/api/v1/stories/{story_id}/revisions/{number}/restore', { params: { path: { ...path, number }, header } }))
}

export function useRevisions(story: string) {
  return useQuery({ queryKey: keys.storyRevisions(story), queryFn: () => takeAll((query) => client.GET('/api/v1/stories/{story_id}/revisions', { params: { ...storyPath(story), query } })) })
}

export function useDifference(story: string, base: number, number: number) {
  return useQuery({
    queryKey: keys.storyDifference(story, base, number),
    queryFn: () => take(client.GET('/api/v1/stories/{story_id}/revisions/{number}/difference', { params: { path: { story_id: story, number }, query: { base } } })),
  })
}

/** A mutation that invalidates story lists and the library. */
function useStoryMutation<Input, Output>(action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: action,
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: keys.storyDrafts })
      void cache.invalidateQueries({ queryKey: ['library'] })
      void cache.invalidateQueries({ queryKey: ['story'], refetchType: 'none' })
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'case' && queryKey[2] === 'stories' })
    },
  })
}

export const useCreateStory = () => useStoryMutation((content: StoryContent) => take(client.POST('/api/v1/stories', { body: content })))
export const useDraftCaseStory = () => useStoryMutation((caseId: string) => take(client.POST('/api/v1/cases/{case_id}/story', { params: { path: { case_id: caseId } } })))
export const useImportStory = () =>
  useStoryMutation((file: File) =>
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
  useStoryMutation((team: string | null) => take(client.PUT('/api/v1/stories/{story_id}/team', { params: storyPath(story), body: { team_id: team } })))
export const useRequestPublication = (story: string) => useStoryMutation(() => take(client.POST('/api/v1/stories/{story_id}/offer', { params: storyPath(story) })))
export const usePublishStory = (story: string) =>
  useStoryMutation((revision: number) => take(client.POST('/api/v1/stories/{story_id}/publish', { params: storyPath(story), body: { revision } })))
export const useUnpublishStory = (story: string) => useStoryMutation(() => take(client.POST('/api/v1/stories/{story_id}/unpublish', { params: storyPath(story) })))
export const useDeleteStory = (story: string) => useStoryMutation(() => take(client.DELETE('/api/v1/stories/{story_id}', { params: storyPath(story) })))
export const useRestoreStory = (story: string) => useStoryMutation(() => take(client.POST('/api/v1/stories/{story_id}/restore', { params: storyPath(story) })))

/** Whether a file dropped on the library is a story; other files start a search. */
export const isStoryFile = (name: string): boolean => /\.(md|markdown)$/i.test(name)
