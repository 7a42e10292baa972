import { expect, test } from '@playwright/test'
import { drop, judged, recorded } from './evidence'

test('the wait graph names the root blocker and links boxes and lines both ways', async ({ page }) => {
  await page.goto('/')
  await drop(page, [recorded('recorded/hangs/loop-on-frozen-file-system', 'stacks.1.txt')])
  await judged(page)
  await page.keyboard.press('b')
  const view = page.getByTestId('waits')
  await expect(view.getByRole('heading', { level: 2 })).toContainText('5 tasks wait behind kworker/u8:3+loop1:26371')
  await expect(page).toHaveURL(/view=waits/)

  // The keyboard goes from the root blocker to the task that waits for it; its lines are shown below.
  const graph = view.getByTestId('wait-graph')
  await graph.getByRole('button', { name: /^Root blocker/ }).first().press('ArrowRight')
  const details = view.getByTestId('wait-node')
  await expect(details).toContainText('jbd2/loop1-8:4623')
  await expect(details).toContainText('jbd2_journal_commit_transaction')
  await expect(page).toHaveURL(/line=8/)

  // A cited line selects its box.
  await page.goto(page.url().replace(/line=\d+/, 'line=24'))
  await expect(view.getByTestId('wait-node')).toContainText('jbd2_log_wait_commit')

  const [download] = await Promise.all([page.waitForEvent('download'), view.getByRole('button', { name: /Download/ }).click().then(() => page.getByRole('menuitem', { name: /Picture/ }).click())])
  expect(download.suggestedFilename()).toMatch(/^wait-graph-\d+\.svg$/)
})
