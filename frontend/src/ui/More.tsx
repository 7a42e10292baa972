import { Button } from './Button'
import { Notice } from './Notice'

type Props = {
  /** A list that is asked for page by page. */
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => Promise<unknown> }
  label: string
}

/** Leads on in a list that is longer than what is shown; nothing at its end. What is shown stays where the next page fails. */
export function More({ of: list, label }: Props) {
  if (!list.hasNextPage) return null
  const more = () => void list.fetchNextPage()
  if (list.isFetchNextPageError && !list.isFetchingNextPage) return <Notice what="The next page did not come. What is shown stays." retry={more} />
  return (
    <Button onClick={more} disabled={list.isFetchingNextPage}>
      {list.isFetchingNextPage ? 'Loading…' : label}
    </Button>
  )
}
