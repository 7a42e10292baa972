import { expect, test } from '@playwright/test'
import { violationsInBothColours } from './axe'

test('the stories of signatures are a shelf, are found by search, and open as articles', async ({ page }) => {
  await page.goto('/library')
  await page.getByRole('button', { name: 'Stories', exact: true }).click()
  await expect(page).toHaveURL(/shelf=story/)
  const shelf = page.getByTestId('library-story')
  await expect.poll(() => shelf.count()).toBeGreaterThan(80)
  await expect(page.locator('[data-key="mm/mmap-lock-held-in-reclaim"]')).toContainText(/Why ps hangs \d+ min/)
  expect(await violationsInBothColours(page, '[data-testid=shelves]')).toEqual([])

  await page.goto('/library?q=ps hangs')
  const found = page.getByRole('region', { name: 'Stories' })
  await expect(found.getByTestId('library-story').first()).toContainText('Why ps hangs')
  await expect(page.getByTestId('library')).not.toContainText('100 %')
  await found.getByRole('link', { name: 'Why ps hangs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Why ps hangs' })).toBeVisible()
  const article = page.getByTestId('signature-story')
  for (const name of ['Signature', 'Fixes', 'Kernels', 'Cases', 'Example evidence']) await expect(article.getByRole('region', { name, exact: true })).toBeVisible()
  await article.getByRole('region', { name: 'Signature', exact: true }).getByRole('link').click()
  await expect(page).toHaveURL(/\/signatures\/mm\/mmap-lock-held-in-reclaim$/)
})
