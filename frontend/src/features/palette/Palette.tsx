import { useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { Dialog } from '../../ui'
import { EntryList } from './EntryList'
import { type Entry, ranked } from './rank'
import { useCaseEntries } from './useCaseEntries'
import { useActions, usePages } from './usePages'

type Props = { onClose: () => void }

/** One search over what the page can do, what the case holds, other cases and all pages. */
export default function Palette({ onClose }: Props) {
  const { caseId } = useParams({ strict: false })
  const [query, setQuery] = useState('')
  const list = { query, onQuery: setQuery, onClose }
  return (
    <Dialog title="Go to" isWide testId="palette" onClose={onClose}>
      {caseId === undefined ? <Everywhere {...list} /> : <InCase {...list} caseId={caseId} />}
    </Dialog>
  )
}

type ListProps = Props & { query: string; onQuery: (query: string) => void }

function Everywhere(props: ListProps) {
  const query = useDeferredValue(props.query)
  return <EntryList {...props} entries={ranked(query, [...useActions(), ...usePages(query)])} />
}

function InCase({ caseId, ...props }: ListProps & { caseId: string }) {
  const query = useDeferredValue(props.query)
  const { profile } = useSearch({ strict: false })
  const inCase: Entry[] = useCaseEntries({ caseId, profileId: profile, query })
  const actions = useActions()
  const pages = usePages(query)
  // Without a query the actions lead: they are few, and files may be hundreds.
  return <EntryList {...props} entries={ranked(query, query ? [...inCase, ...actions, ...pages] : [...actions, ...inCase, ...pages])} />
}
