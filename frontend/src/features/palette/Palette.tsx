import { useParams, useSearch } from '@tanstack/react-router'
import { EntryList } from './EntryList'
import { ranked } from './rank'
import { useCaseEntries } from './useCaseEntries'
import { useActions, usePages } from './usePages'

type Props = { query: string; onQuery: (query: string) => void; onClose: () => void }

/** One search over what the page can do, what the case holds, other cases and all pages. */
export default function Palette(props: Props) {
  const { caseId } = useParams({ strict: false })
  return caseId === undefined ? <Everywhere {...props} /> : <InCase {...props} caseId={caseId} />
}

// The list is of the query as it stands, not deferred: Enter runs what is selected, and must not run what an older query found.
function Everywhere(props: Props) {
  return <EntryList {...props} entries={ranked(props.query, [...useActions(), ...usePages(props.query)])} />
}

function InCase({ caseId, ...props }: Props & { caseId: string }) {
  const { query } = props
  const { profile } = useSearch({ strict: false })
  const inCase = useCaseEntries({ caseId, profileId: profile, query })
  const actions = useActions()
  const pages = usePages(query)
  // Without a query the actions lead: they are few, and files may be hundreds.
  return <EntryList {...props} entries={ranked(query, query ? [...inCase, ...actions, ...pages] : [...actions, ...inCase, ...pages])} />
}
