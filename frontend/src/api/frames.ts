import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

/** The cases in whose profiles a function was seen, those with its largest share first. */
export function useCasesWithFrame(name: string) {
  return useQuery({
    queryKey: keys.casesWithFrame(name),
    queryFn: ({ signal }) => take(client.GET('/api/v1/frames/cases', { params: { query: { name } }, signal })),
    enabled: name !== '',
  })
}

/** The text of a `signature.yaml` that asks for one stack of a profile. */
export function draftSignature(profileId: string, node: number): Promise<string> {
  return take(client.GET('/api/v1/profiles/{profile_id}/nodes/{node}/signature.yaml', { params: { path: { profile_id: profileId, node } }, parseAs: 'text' })) as Promise<string>
}
