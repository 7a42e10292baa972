import { useNavigate } from '@tanstack/react-router'
import { useCases, useMe } from '../../api'
import { useOfferedActions } from '../../ui'
import { pagesOf } from '../settings'
import type { Entry } from './rank'

const page = (label: string, act: () => void): Entry => ({ id: `page ${label}`, group: 'Pages', label, act })

/** Pages of the application, and the cases that a query finds. */
export function usePages(query: string): Entry[] {
  const navigate = useNavigate()
  const role = useMe().data?.role
  const cases = useCases({ q: query, state: '', sort: query ? 'relevance' : '-updated_at' })
  return [
    ...(cases.data?.pages[0]?.items ?? []).map(({ number, name, state, hosts }) => ({
      id: `case ${number}`,
      group: 'Cases',
      label: `${number} ${name || 'Untitled'}`,
      hint: [state === 'closed' ? 'closed' : '', ...hosts.slice(0, 2)].filter(Boolean).join(' · '),
      // The service finds cases by all that they say.
      words: query,
      act: () => void navigate({ to: '/cases/$caseId', params: { caseId: String(number) } }),
    })),
    page('All cases', () => void navigate({ to: '/' })),
    page('Library of signatures and stories', () => void navigate({ to: '/library' })),
    page('Problems', () => void navigate({ to: '/case-problems' })),
    page('Unexplained problems', () => void navigate({ to: '/case-problems', search: { kind: 'cluster' } })),
    page('Kernels of hosts', () => void navigate({ to: '/kernels' })),
    page('Baselines', () => void navigate({ to: '/baselines' })),
    page('Compare two profiles', () => void navigate({ to: '/compare' })),
    page('Help', () => void navigate({ to: '/help' })),
    ...pagesOf(role).map(({ name, title }) => page(`Settings: ${title}`, () => void navigate({ to: '/settings/$page', params: { page: name } }))),
  ]
}

/** What the page behind the palette offers to do. */
export function useActions(): Entry[] {
  return useOfferedActions().map(({ label, group, hint, act }) => ({ id: `action ${group} ${label}`, group, label, hint, act }))
}
