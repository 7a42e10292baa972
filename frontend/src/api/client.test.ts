import { expect, it } from 'vitest'
import { takeAll } from './client'

const page = <T>(items: T[], next_cursor: string | null = null) => ({ data: { items, next_cursor }, response: new Response() })

it('fetches all pages of a list', async () => {
  const cursors: (string | undefined)[] = []
  const rows = await takeAll(({ cursor }) => {
    cursors.push(cursor)
    return Promise.resolve(cursor ? page([3]) : page([1, 2], 'WyI='))
  })
  expect(rows).toEqual([1, 2, 3])
  expect(cursors).toEqual([undefined, 'WyI='])
})

it('rejects with the error of the server when a page fails', async () => {
  const failure = { error: { detail: 'there is no case 7', code: 'NotFound' }, response: new Response(null, { status: 404 }) }
  await expect(takeAll<string>(() => Promise.resolve(failure))).rejects.toThrow('There is no case 7.')
})
