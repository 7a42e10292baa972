import { useMutation, useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import { problemFrom, unreachable } from './problem'

/** Token lifetime in days: short, since the token may stay in shell history. */
export const COLLECT_DAYS = 1

/** Create an upload-only token for the case; the secret is returned only once. */
export const useCollectToken = (caseId: string) =>
  useMutation({
    mutationFn: () =>
      take(client.POST('/api/v1/cases/{case_id}/tokens', { params: { path: { case_id: caseId } }, body: { name: 'collect.sh', days: COLLECT_DAYS } })),
  })

/** The collector without a token, with the SHA-256 digest that the service states, in hexadecimal. */
export type Collector = { text: string; sha256: string }

async function fetchCollector(): Promise<Collector> {
  const response = await fetch('/collect.sh').catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw problemFrom({}, response.status)
  return { text: await response.text(), sha256: hexDigest(response.headers.get('Repr-Digest')) }
}

/** The SHA-256 digest of a `Repr-Digest` field (RFC 9530) in hexadecimal, as `sha256sum` writes it; empty if there is none. */
export function hexDigest(field: string | null): string {
  const encoded = field?.match(/sha-256=:([A-Za-z0-9+/=]+):/)?.[1] ?? ''
  return [...atob(encoded)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}

export const useCollector = () => useQuery({ queryKey: keys.collector, queryFn: fetchCollector, staleTime: Infinity })
