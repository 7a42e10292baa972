import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Link to a signature page by id. */
export function SignatureLink({ id, children }: { id: string; children: ReactNode }) {
  const [area = '', name = ''] = id.split('/')
  return (
    <Link to="/signatures/$area/$name" params={{ area, name }}>
      {children}
    </Link>
  )
}
