import { expect, test } from '@playwright/test'

test('the API reference opens from the settings and executes a request', async ({ page, context }) => {
  const errors: string[] = []
  context.on('weberror', (error) => errors.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto('/settings/tokens')
  const [reference] = await Promise.all([context.waitForEvent('page'), page.getByRole('link', { name: 'API reference' }).click()])
  // The first request of a service generates the schema.
  await expect(reference.getByRole('heading', { name: /^Casebook/ })).toBeVisible({ timeout: 90_000 })
  await reference.getByPlaceholder('Filter by tag').fill('cases')
  const list = reference.locator('#operations-cases-list_cases')
  await list.getByRole('button', { name: /\/api\/v1\/cases/ }).first().click()
  await list.getByRole('button', { name: 'Try it out' }).click()
  await list.getByRole('button', { name: 'Execute' }).click()
  await expect(list.locator('.live-responses-table .response-col_status').last()).toContainText('200')
  expect(errors).toEqual([])
})
