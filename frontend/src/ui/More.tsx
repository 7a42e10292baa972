import { Button } from './Button'
import { Notice } from './Notice'

type Props = {
  /** An infinite query. */
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => Promise<unknown> }
  label: string
}

/** Button that loads the next page of a list; renders nothing at the end of the list. */
export function More({ of: list, label }: Props) {
  if (!list.hasNextPage) return null
  const loadNext = () => void list.fetchNextPage()
  if (list.isFetchNextPageError && !list.isFetchingNextPage) return <Notice what="The next page could not be loaded." retry={loadNext} />
  return (
    <Button onClick={loadNext} disabled={list.isFetchingNextPage}>
      {list.isFetchingNextPage ? 'Loading…' : label}
    </Button>
  )
}
