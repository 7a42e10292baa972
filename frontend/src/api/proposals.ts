import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import type { ProposalCreate, ProposalState } from './types'

const PROPOSALS = ['signature-proposals'] as const

/** The JSON Schema of `signature.yaml`. */
export const useSignatureSchema = () => useQuery({ queryKey: ['signature-schema'], queryFn: () => take(client.GET('/api/v1/signatures/language/schema')), staleTime: Infinity })

/** The YAML of a signature: that of a library in use, else that of Casebook. */
export const useSignatureText = (area: string, name: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['signature-text', area, name],
    queryFn: () => take(client.GET('/api/v1/signatures/{area}/{name}/text', { params: { path: { area, name } } })),
    enabled: isEnabled,
    staleTime: Infinity,
  })

/** The YAML of a signature in one version of a library. */
export const useVersionText = (library: string, version: string, area: string, signature: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['signature-text', library, version, area, signature],
    queryFn: () =>
      take(client.GET('/api/v1/libraries/{name}/versions/{version_id}/signatures/{area}/{signature}', { params: { path: { name: library, version_id: version, area, signature } } })),
    enabled: isEnabled,
    staleTime: Infinity,
  })

/** What is wrong with the text of a signature, and its verdicts on fixtures. The last answer stays until the next one. */
export const useSignatureCheck = (text: string) =>
  useQuery({
    queryKey: ['signature-check', text],
    queryFn: ({ signal }) => take(client.POST('/api/v1/signature-check', { body: { text }, signal })),
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  })

/** Findings of the text of a signature on a case. The last answer stays until the next one. */
export const useSignatureCheckOnCase = (caseId: string, text: string) =>
  useQuery({
    queryKey: ['signature-check', 'case', caseId, text],
    queryFn: ({ signal }) => take(client.POST('/api/v1/cases/{case_id}/signature-check', { params: { path: { case_id: caseId } }, body: { text }, signal })),
    enabled: caseId !== '' && text.trim() !== '',
    placeholderData: keepPreviousData,
    // A case gets evidence meanwhile.
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
  })

/** Proposed signatures, newest first. */
export const useProposals = (state: ProposalState | '') =>
  useInfiniteQuery({
    queryKey: [...PROPOSALS, 'list', state],
    queryFn: ({ pageParam: cursor }) => take(client.GET('/api/v1/signature-proposals', { params: { query: { limit: 50, ...(state && { state }), ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })

/** One proposed signature. */
export const useProposal = (id: string) =>
  useQuery({
    queryKey: [...PROPOSALS, 'one', id],
    queryFn: () => take(client.GET('/api/v1/signature-proposals/{proposal_id}', { params: { path: { proposal_id: id } } })),
    enabled: id !== '',
  })

function useProposalMutation<Input, Output>(action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => cache.invalidateQueries({ queryKey: PROPOSALS }) })
}
export const usePropose = () => useProposalMutation((body: ProposalCreate) => take(client.POST('/api/v1/signature-proposals', { body })))
export const useChangeProposal = () =>
  useProposalMutation(({ id, text, revision }: { id: string; text: string; revision: number }) =>
    take(client.PUT('/api/v1/signature-proposals/{proposal_id}/text', { params: { path: { proposal_id: id } }, body: { text, revision } })),
  )
export const useWithdrawProposal = () => useProposalMutation((id: string) => take(client.POST('/api/v1/signature-proposals/{proposal_id}/withdraw', { params: { path: { proposal_id: id } } })))
/** Accepts or rejects a revision of a proposal. */
export const useReviewProposal = () =>
  useProposalMutation(({ id, decision, revision, comment }: { id: string; decision: 'accept' | 'reject'; revision: number; comment: string }) => {
    const request = { params: { path: { proposal_id: id } }, body: { revision, comment } }
    return take(decision === 'accept' ? client.POST('/api/v1/signature-proposals/{proposal_id}/accept', request) : client.POST('/api/v1/signature-proposals/{proposal_id}/reject', request))
  })
