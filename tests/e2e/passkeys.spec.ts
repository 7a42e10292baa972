import { expect, test } from '@playwright/test'
import { violations } from './axe'
import { moveSignIns } from './sign-in'

const NAME = 'keyed'

test('a passkey is added on the page, and then offered to confirm a change', async ({ browser, page, baseURL }) => {
  const invited = await page.request.post('/api/v1/invitations', { data: { role: 'admin', note: '', days: 7 } })
  const secret = ((await invited.json()) as { url: string }).url.split(/[#=]/).at(-1) ?? ''
  // A passkey is bound to a host name.
  const local = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  const context = await browser.newContext({ baseURL: local, storageState: { cookies: [], origins: [] } })
  expect((await context.request.post('/api/v1/join', { data: { secret, name: NAME, password: 'correct horse battery staple' } })).status()).toBe(201)
  const own = await context.newPage()
  const authenticator = await context.newCDPSession(own)
  await authenticator.send('WebAuthn.enable')
  await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  })

  await own.goto('/settings/profile')
  await own.getByLabel(/^Name of the passkey/).fill('laptop')
  await own.getByRole('button', { name: 'Add passkey' }).click()
  await expect(own.getByTestId('passkey')).toContainText('laptop')
  expect(await violations(own)).toEqual([])

  moveSignIns(NAME, 'an hour ago')
  await own.getByLabel(/^Name of the passkey/).fill('again')
  await own.getByRole('button', { name: 'Add passkey' }).click()
  // The test browser has no picker of passkeys: signatures are tested over HTTP with an authenticator in software.
  await expect(own.getByTestId('confirm-sign-in').getByRole('button', { name: 'Confirm with a passkey' })).toBeEnabled()
  await context.close()
})

test('a page opened by an IP address says how to use a passkey', async ({ page }) => {
  test.skip(!/\/\/\d/.test(process.env.CASEBOOK_E2E_URL ?? ''), 'the instance has a host name')
  await page.goto('/settings/profile')
  await expect(page.getByText(/open http:\/\/localhost:\d+ instead of/)).toBeVisible()
})
