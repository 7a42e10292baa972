import { useNavigate } from '@tanstack/react-router'
import { useEvidence, useFindings, useProfiles, useTop } from '../../api'
import { format } from '../../profile'
import { nameOf } from '../evidence'
import { headlineOf, hostAndPhase, inRank, isListed } from '../findings'
import type { Entry } from './rank'

/** Shorter words name half of all functions. */
const LEAST_LETTERS = 3
const WHOLE_PROFILE = {}
const escaped = (text: string) => text.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

type Place = { caseId: string; profileId: string | undefined; query: string }

/** Findings, files and functions of a case. */
export function useCaseEntries({ caseId, profileId, query }: Place): Entry[] {
  const navigate = useNavigate()
  const findings = useFindings(caseId).data?.items ?? []
  const files = useEvidence(caseId).data ?? []
  const profiles = useProfiles(caseId).data ?? []
  const profile = profiles.find(({ id }) => id === profileId) ?? profiles[0]
  const word = query.trim().length >= LEAST_LETTERS ? escaped(query) : ''
  const functions = useTop(word ? (profile?.id ?? '') : '', { sort: 'total', q: word, offset: 0 }, WHOLE_PROFILE).data?.items ?? []
  const open = (search: Record<string, string | undefined>) => void navigate({ to: '/cases/$caseId', params: { caseId }, search, resetScroll: false })
  return [
    ...inRank(findings)
      .filter(isListed)
      .map((finding) => ({ id: `finding ${finding.id}`, group: 'Findings', label: headlineOf(finding), hint: hostAndPhase(finding), words: finding.signature, act: () => open({ finding: finding.id }) })),
    ...files.map((file) => ({ id: `file ${file.id}`, group: 'Files', label: nameOf(file), act: () => open({ evidence: file.id }) })),
    ...(word ? functions : []).map(({ name, module, total_share }) => ({
      id: `function ${name} ${module}`,
      group: 'Functions',
      label: name,
      hint: `${format.share(total_share)} ${module}`,
      act: () => open({ ...(profile && { profile: profile.id }), view: 'sandwich', of: name }),
    })),
  ]
}
