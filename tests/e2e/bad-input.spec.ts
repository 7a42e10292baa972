import { expect, test } from '@playwright/test'
import { drop, judged, text } from './evidence'

const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb0043000806060706050807070709', 'hex')

test('a JPEG named perf.script is rejected with a sentence', async ({ page }) => {
  await page.goto('/')
  await drop(page, [{ path: 'perf.script', content: Buffer.concat([JPEG, Buffer.alloc(4096, 0xd9)]) }])
  await judged(page)
  await expect(page.getByTestId('evidence-row')).toHaveAttribute('data-state', 'rejected')
  await expect(page.getByTestId('evidence-reason')).not.toBeEmpty()
  await expect(page.getByTestId('evidence-summary')).toContainText('1 could not be read')
})

test('an empty file is rejected with a sentence, and other files are read', async ({ page }) => {
  await page.goto('/')
  await drop(page, [text('empty.txt', ''), text('proc/loadavg', '0.10 0.20 0.30 1/200 4242\n')])
  await judged(page)
  const rows = page.getByTestId('evidence-row')
  await expect(rows.filter({ hasText: 'empty.txt' })).toHaveAttribute('data-state', 'rejected')
  await expect(rows.filter({ hasText: 'loadavg' })).toHaveAttribute('data-state', 'read')
})

test('text pasted anywhere becomes a case', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByTestId('drop-zone')).toBeVisible()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '$ cat /proc/loadavg\n0.10 0.20 0.30 1/200 4242\n')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await judged(page)
  await expect(page.getByTestId('raw-evidence')).toContainText('0.10 0.20 0.30')
})

test('text typed into the field becomes a case; removed evidence comes back', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Paste text' }).click()
  await page.getByRole('textbox', { name: /^Terminal output/ }).fill('nothing that anybody knows\n')
  await page.getByRole('button', { name: 'Add evidence' }).click()
  await judged(page)
  await expect(page.getByTestId('no-findings')).toBeVisible()
  await page.getByRole('button', { name: /^▸? ?Evidence/ }).click()
  await expect(page.getByTestId('evidence-row')).toHaveCount(1)
  // The row disappears before the other requests finish; undo is still offered.
  await page.route('**/findings*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await page.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByTestId('evidence-row')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByTestId('evidence-row')).toHaveCount(1)
})

test('a missing case shows an error', async ({ page }) => {
  await page.goto('/cases/999999')
  await expect(page.getByRole('alert')).toContainText('This case could not be loaded.')
})

test('a wrong sign-in token says so and how to get another', async ({ browser }) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto('/sign-in?token=wrong')
  await expect(page.getByRole('alert')).toContainText('Sign-in failed')
  await context.close()
})

test('a visitor is redirected to the sign-in page, with the current view as next', async ({ browser }) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto('/cases/1?view=table')
  await expect(page).toHaveURL(/\/sign-in\?next=/)
  expect(new URL(page.url()).searchParams.get('next')).toBe('/cases/1?view=table')
  await context.close()
})
