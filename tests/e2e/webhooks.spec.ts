import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { violationsInBothColours } from './axe'

/** A receiver of webhooks on this machine; it answers with a status that a test may change. */
class Receiver {
  status = 503
  readonly got: { headers: IncomingHttpHeaders; body: string }[] = []
  readonly #server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      this.got.push({ headers: request.headers, body })
      response.writeHead(this.status).end(this.status < 300 ? '' : 'the queue is full')
    })
  })

  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close(): Promise<void> {
    return new Promise((done) => this.#server.close(() => done()))
  }
}

test('a webhook is added, tested, its failure shown, repeated, replayed and disabled', async ({ page }) => {
  test.slow()
  const receiver = new Receiver()
  const url = await receiver.open()
  await page.goto('/settings/webhooks')
  const form = page.getByRole('form', { name: 'New webhook' })
  await form.getByLabel('Name').fill('pager')
  await form.getByLabel('URL').fill('http://10.0.0.1/hook')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('It was not created.')).toBeVisible()
  await form.getByLabel('URL').fill(url)
  // Other tests and the worker make events of other kinds on this instance.
  await form.getByText('Which events').click()
  await form.getByLabel('webhook disabled').check()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('group', { name: 'Signing secret of pager' })).toContainText('whsec_')
  const hook = page.getByRole('article', { name: 'pager' })
  await expect(hook.getByText('Enabled', { exact: true })).toBeVisible()

  await hook.getByRole('button', { name: 'Send test' }).click()
  await hook.getByText('Log', { exact: true }).click()
  const row = hook.getByRole('row').filter({ hasText: /test/i })
  await expect(row).toContainText(/503 in \d+ ms/)
  await row.getByText('body').click()
  await expect(row).toContainText('the queue is full')
  await expect(hook).toContainText('1 waiting')
  await expect(hook.getByText(/Failing since/)).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])

  receiver.status = 204
  await expect(row).toContainText('delivered')
  await expect(hook.getByText('Enabled', { exact: true })).toBeVisible()
  const ids = () => new Set(receiver.got.map(({ headers }) => headers['webhook-id']))
  const before = receiver.got.length
  await row.getByRole('button', { name: /^Replay/ }).click()
  await expect.poll(() => receiver.got.length).toBeGreaterThan(before)
  expect(ids().size).toBe(1)
  expect(receiver.got.every(({ headers }) => String(headers['webhook-signature']).startsWith('v1,'))).toBe(true)
  expect((JSON.parse(receiver.got[0]?.body ?? '') as { type: string }).type).toBe('test')

  await hook.getByRole('button', { name: 'Disable' }).click()
  await expect(hook.getByText('Disabled', { exact: true })).toBeVisible()
  await expect(hook.getByRole('button', { name: 'Send test' })).toBeDisabled()
  await page.reload()
  await expect(hook.getByText('Disabled', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await hook.getByRole('button', { name: 'Delete' }).click()
  await expect(hook).toHaveCount(0)
  await receiver.close()
})
