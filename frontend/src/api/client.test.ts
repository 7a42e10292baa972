import { expect, it } from 'vitest'
import { takeAll, takePage } from './client'

const LINK = '</api/v1/cases/7/notes?limit=2&cursor=WyI%3D>; rel="next"'
const response = <T>(data: T, link?: string) => ({ data, response: new Response(null, link ? { headers: { Link: link } } : {}) })

it('reads the next cursor from the Link header', async () => {
  expect(await takePage(Promise.resolve(response(['one'], LINK)))).toEqual({ body: ['one'], next: 'WyI=' })
  expect(await takePage(Promise.resolve(response(['two'])))).toEqual({ body: ['two'], next: undefined })
})

it('fetches all pages of a list', async () => {
  const cursors: (string | undefined)[] = []
  const rows = await takeAll(({ cursor }) => {
    cursors.push(cursor)
    return Promise.resolve(cursor ? response([3]) : response([1, 2], LINK))
  })
  expect(rows).toEqual([1, 2, 3])
  expect(cursors).toEqual([undefined, 'WyI='])
})

it('rejects with the error of the server when a page fails', async () => {
  const failure = { error: { detail: 'there is no case 7', code: 'NotFound' }, response: new Response(null, { status: 404 }) }
  await expect(takeAll<string>(() => Promise.resolve(failure))).rejects.toThrow('There is no case 7.')
})
