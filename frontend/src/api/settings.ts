import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { withConfirmation } from './reauthentication'
import type { Role, TokenScope } from './types'

const key = (name: string) => ['settings', name] as const

/** A mutation that invalidates all settings; a change of credentials may ask to confirm the sign-in first. */
function useSettingsMutation<Input, Output>(action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: (input: Input) => withConfirmation(() => action(input)), onSuccess: () => cache.invalidateQueries({ queryKey: ['settings'] }) })
}

export const useMyProfile = () => useQuery({ queryKey: key('profile'), queryFn: () => take(client.GET('/api/v1/me/profile')) })
export const useMembers = () => useQuery({ queryKey: key('members'), queryFn: () => takeAll((query) => client.GET('/api/v1/members', { params: { query } })) })
export const useTeams = () => useQuery({ queryKey: key('teams'), queryFn: () => takeAll((query) => client.GET('/api/v1/teams', { params: { query } })) })
export const useInvitations = (enabled: boolean) =>
  useQuery({ queryKey: key('invitations'), queryFn: () => takeAll((query) => client.GET('/api/v1/invitations', { params: { query } })), enabled })
export const useTokens = () => useQuery({ queryKey: key('tokens'), queryFn: () => takeAll((query) => client.GET('/api/v1/tokens', { params: { query } })) })
export const useServiceTokens = (enabled: boolean) =>
  useQuery({ queryKey: key('service-tokens'), queryFn: () => takeAll((query) => client.GET('/api/v1/service-tokens', { params: { query } })), enabled })
export const useSessions = () => useQuery({ queryKey: key('sessions'), queryFn: () => takeAll((query) => client.GET('/api/v1/sessions', { params: { query } })) })
export const useAudit = (actor: string) =>
  useInfiniteQuery({
    queryKey: ['settings', 'audit', actor],
    queryFn: ({ pageParam: cursor }) => take(client.GET('/api/v1/audit', { params: { query: { limit: 50, ...(actor && { actor }), ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })

export const useFailedJobs = () =>
  useInfiniteQuery({
    queryKey: ['settings', 'failed-jobs'],
    queryFn: ({ pageParam: cursor }) => take(client.GET('/api/v1/jobs/failed', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: 15_000,
  })
/** Runs failed jobs again, or dismisses them: those of `ids`, or all with `null`. */
export const useChangeFailedJobs = () =>
  useSettingsMutation(({ change, ids }: { change: 'retry' | 'dismiss'; ids: string[] | null }) => take(client.POST(`/api/v1/jobs/failed/${change}`, { body: { ids } })))

/** State of the service: queues, and the parser sandbox of each machine with workers. */
export const useSystem = () => useQuery({ queryKey: key('system'), queryFn: () => take(client.GET('/api/v1/system')), refetchInterval: 15_000 })
export const useStatus = () => useQuery({ queryKey: key('status'), queryFn: () => take(client.GET('/api/v1/status')), refetchInterval: 15_000 })

export const useChangePassword = () =>
  useSettingsMutation((body: { current: string; password: string; revoke_tokens: boolean }) => take(client.PUT('/api/v1/me/password', { body })))
export const useSetUpCode = () => useMutation({ mutationFn: () => withConfirmation(() => take(client.POST('/api/v1/me/code'))) })
export const useConfirmCode = () => useSettingsMutation((code: string) => take(client.PUT('/api/v1/me/code', { body: { code } })))
export const useDisableCode = () => useSettingsMutation((code: string) => take(client.POST('/api/v1/me/code/off', { body: { code } })))
export const useUpdateMember = () =>
  useSettingsMutation(({ id, ...body }: { id: string; role?: Role; is_disabled?: boolean }) =>
    take(client.PATCH('/api/v1/members/{member_id}', { params: { path: { member_id: id } }, body })),
  )
export const useInvite = () =>
  useSettingsMutation((body: { role: Role; note: string }) => take(client.POST('/api/v1/invitations', { body: { ...body, days: 7 } })))
export const useRevokeInvitation = () =>
  useSettingsMutation((id: string) => take(client.DELETE('/api/v1/invitations/{invitation_id}', { params: { path: { invitation_id: id } } })))
export const useCreateTeam = () => useSettingsMutation((name: string) => take(client.POST('/api/v1/teams', { body: { name } })))
export const useDeleteTeam = () => useSettingsMutation((id: string) => take(client.DELETE('/api/v1/teams/{team_id}', { params: { path: { team_id: id } } })))
export const useTeamMember = () =>
  useSettingsMutation(({ team, member, isIn }: { team: string; member: string; isIn: boolean }) => {
    const params = { path: { team_id: team, member_id: member } }
    return take(isIn ? client.PUT('/api/v1/teams/{team_id}/members/{member_id}', { params }) : client.DELETE('/api/v1/teams/{team_id}/members/{member_id}', { params }))
  })
export const useCreateToken = () =>
  useSettingsMutation((body: { name: string; scopes: TokenScope[]; days: number }) => take(client.POST('/api/v1/tokens', { body })))
export const useRevokeToken = () =>
  useSettingsMutation(({ id, isService }: { id: string; isService: boolean }) => {
    const params = { path: { token_id: id } }
    return take(isService ? client.DELETE('/api/v1/service-tokens/{token_id}', { params }) : client.DELETE('/api/v1/tokens/{token_id}', { params }))
  })
/** Rotate a token; the old one stays valid for 24 hours. */
export const useRotateToken = () =>
  useSettingsMutation(({ id, isService }: { id: string; isService: boolean }) => {
    const request = { params: { path: { token_id: id } }, body: { overlap_hours: 24 } }
    return take(isService ? client.POST('/api/v1/service-tokens/{token_id}/rotate', request) : client.POST('/api/v1/tokens/{token_id}/rotate', request))
  })
export const useEndSession = () =>
  useSettingsMutation((id: string) => take(client.DELETE('/api/v1/sessions/{session_id}', { params: { path: { session_id: id } } })))
