import { expect, test } from '@playwright/test'

// Filmed each time: test-results/oidc-*/trace.zip shows every step, here and at the provider.
test.use({ storageState: { cookies: [], origins: [] }, trace: 'on' })

test('somebody signs in at the provider, comes back to the page they asked for, and is out of both', async ({ page, baseURL }, info) => {
  const name = `grace-${info.retry}@example.com`
  await page.goto('/library')
  await expect(page).toHaveURL(/\/sign-in\?next=/)
  await page.getByRole('link', { name: 'Sign in with the provider next door' }).click()
  await expect(page.getByRole('heading', { name: 'Authorize Client' })).toBeVisible()
  expect(new URL(page.url()).origin).not.toBe(baseURL)
  const asked = new URL(page.url()).searchParams
  expect([asked.get('code_challenge_method'), asked.get('response_type')]).toEqual(['S256', 'code'])
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

test('who says no at the provider is told so and stays outside', async ({ page, baseURL }) => {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Sign in with the provider next door' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('The provider next door said no.')).toBeVisible()
  await expect(page).toHaveURL(`${baseURL}/sign-in?refused=DeniedByProvider&next=%2F`)
  await expect(page.getByRole('link', { name: 'Sign in with the provider next door' })).toBeVisible()
  expect((await page.request.get('/api/v1/me')).status()).toBe(401)
})
