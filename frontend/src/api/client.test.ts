import { expect, it } from 'vitest'
import { takeAll, takePage } from './client'

const LINK = '</api/v1/cases/7/notes?limit=2&cursor=WyI%3D>; rel="next"'
const answered = <T>(data: T, link?: string) => ({ data, response: new Response(null, link ? { headers: { Link: link } } : {}) })

it('reads from the link of a page where the next begins', async () => {
  expect(await takePage(Promise.resolve(answered(['one'], LINK)))).toEqual({ told: ['one'], next: 'WyI=' })
  expect(await takePage(Promise.resolve(answered(['two'])))).toEqual({ told: ['two'], next: undefined })
})

it('asks for one page after the other until none is left', async () => {
  const asked: (string | undefined)[] = []
  const rows = await takeAll(({ cursor }) => {
    asked.push(cursor)
    return Promise.resolve(cursor ? answered([3]) : answered([1, 2], LINK))
  })
  expect(rows).toEqual([1, 2, 3])
  expect(asked).toEqual([undefined, 'WyI='])
})

it('ends with what the server says when a page is refused', async () => {
  const refused = { error: { detail: 'there is no case 7', code: 'NotFound' }, response: new Response(null, { status: 404 }) }
  await expect(takeAll<string>(() => Promise.resolve(refused))).rejects.toThrow('There is no case 7.')
})
