import { expect, type Page, test } from '@playwright/test'
import { violationsInBothColours } from './axe'

const HOSTS = 'host,release,distro,instance_type,cluster\nweb1,6.12.20,Arch,m7i.large,eu\nweb2,6.12.94,Arch,m7i.large,us\n,6.12.20,,,\n'

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('an inventory is uploaded, its kernels say what clears most, and a link leads to each', async ({ page }) => {
  await page.goto('/kernels')
  await page.getByLabel('Source').fill('racks')
  await page.getByLabel('File').setInputFiles({ name: 'hosts.csv', mimeType: 'text/csv', buffer: Buffer.from(HOSTS) })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('row 4: no host')).toBeVisible()
  await page.getByLabel('Cluster').selectOption('eu')
  await expect(page).toHaveURL(/cluster=eu/)
  const row = page.getByRole('row', { name: /6\.12\.20/ })
  await expect(row).toContainText('6.12.94 clears')
  await expect(page.getByRole('row', { name: /^6\.12\.94/ })).toHaveCount(0)
  expect(await violationsInBothColours(page)).toEqual([])
  await row.getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Which release clears most' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('row', { name: /web1/ })).toContainText('inventory racks')
  expect(await violationsInBothColours(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  for (const address of ['/kernels', '/case-problems', '/?q=memory']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => fits(page), address).toBe(true)
  }
  await page.request.delete('/api/v1/inventories/racks')
})

test('lists of problems and of found cases have no axe violations', async ({ page }) => {
  for (const [address, shown] of [
    ['/case-problems', 'problems'],
    ['/case-problems/mm/memcg-limit-reclaim', 'problem'],
    ['/?q=memory', 'case-table'],
  ] as const) {
    await page.goto(address)
    await expect(page.getByTestId(shown)).toBeVisible()
    expect(await violationsInBothColours(page), address).toEqual([])
  }
})
