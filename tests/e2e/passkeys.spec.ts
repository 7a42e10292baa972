import { expect, test } from '@playwright/test'
import { violations } from './axe'
import { moveSignIns } from './sign-in'

test('a passkey is added on the page, confirms a change, signs in, and is unknown once it is removed', async ({ browser, page, baseURL }, { repeatEachIndex }) => {
  const name = `keyed-${repeatEachIndex}`
  const invited = await page.request.post('/api/v1/invitations', { data: { role: 'admin', note: '', days: 7 } })
  const secret = ((await invited.json()) as { url: string }).url.split(/[#=]/).at(-1) ?? ''
  // A passkey is bound to a host name.
  const local = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  const context = await browser.newContext({ baseURL: local, storageState: { cookies: [], origins: [] } })
  expect((await context.request.post('/api/v1/join', { data: { secret, name, password: 'correct horse battery staple' } })).status()).toBe(201)
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

  moveSignIns(name, 'an hour ago')
  await own.getByLabel(/^Name of the passkey/).fill('again')
  await own.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = own.getByTestId('confirm-sign-in')
  expect(await violations(own)).toEqual([])
  await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(own.getByText('This authenticator has a passkey of your account already.')).toBeVisible()

  await own.request.delete('/api/v1/session')
  await own.goto('/sign-in')
  expect(await violations(own)).toEqual([])
  await own.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(own.getByTestId('drop-zone')).toBeVisible()

  await own.goto('/settings/profile')
  await own.getByRole('button', { name: 'Remove laptop' }).click()
  await expect(own.getByTestId('passkey')).toHaveCount(0)
  await own.request.delete('/api/v1/session')
  await own.goto('/sign-in')
  await own.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(own.getByText(/the passkey is unknown here/i)).toBeVisible()
  await context.close()
})

test('a page opened by an IP address says how to use a passkey', async ({ page }) => {
  await page.goto('/settings/profile')
  await expect(page.getByText(/open http:\/\/localhost:\d+ instead of/)).toBeVisible()
})
