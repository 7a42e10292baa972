import { expect, test } from '@playwright/test'

test.use({ storageState: { cookies: [], origins: [] } })

test('sign-in at the provider returns to the requested page, and sign-out ends both sessions', async ({ page, baseURL }) => {
  const name = 'grace@example.com'
  await page.goto('/library')
  await expect(page).toHaveURL(/\/sign-in\?next=/)
  await page.getByRole('link', { name: 'Sign in with the provider next door' }).click()
  await expect(page.getByRole('heading', { name: 'Authorize Client' })).toBeVisible()
  expect(new URL(page.url()).origin).not.toBe(baseURL)
  const parameters = new URL(page.url()).searchParams
  expect([parameters.get('code_challenge_method'), parameters.get('response_type')]).toEqual(['S256', 'code'])
  await page.locator('input[name=sub]').fill(name)
  await page.getByRole('button', { name: 'Authorize' }).click()

  await expect(page).toHaveURL(`${baseURL}/library`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const me = (await (await page.request.get('/api/v1/me')).json()) as { name: string; role: string }
  expect([me.name, me.role]).toEqual([name, 'viewer'])
  expect(await page.evaluate(() => document.cookie)).toBe('')

  await page.goto('/settings/sessions')
  await page.getByRole('button', { name: 'Sign out of the provider next door too' }).click()
  await expect(page.getByRole('heading', { name: 'End Session' })).toBeVisible()
  expect((await page.request.get('/api/v1/me')).status()).toBe(401)
})

test('a denied sign-in at the provider shows the reason', async ({ page, baseURL }) => {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Sign in with the provider next door' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('The provider next door denied the sign-in.')).toBeVisible()
  await expect(page).toHaveURL(`${baseURL}/sign-in?refused=DeniedByProvider&next=%2F`)
  await expect(page.getByRole('link', { name: 'Sign in with the provider next door' })).toBeVisible()
  expect((await page.request.get('/api/v1/me')).status()).toBe(401)
})
