import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'

test('the command of a case collects from this machine, and the case has it', async ({ page }) => {
  test.slow()
  const created = await page.request.post('/api/v1/cases', { data: { title: 'db7 stalls' } })
  const { number } = (await created.json()) as { number: number }
  await page.goto(`/cases/${number}`)
  await page.getByRole('button', { name: 'Collect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Collect from a host' })
  await dialog.getByRole('button', { name: 'Create command' }).click()
  const command = await dialog.getByRole('group', { name: 'Collect', exact: true }).innerText()
  expect(command.trim()).toMatch(/^curl -fsS -H 'Authorization: Bearer cbk_c_\w+' http\S+\/collect\.sh \| sudo sh$/)
  await dialog.getByRole('button', { name: 'Close dialog' }).click()
  await expect(dialog).toBeHidden()

  await expect(page.getByRole('button', { name: 'Collect' })).toBeFocused()
  await page.keyboard.press('c')
  await dialog.getByRole('button', { name: 'File or text' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Download collect.sh' }).click()])
  const sha256 = createHash('sha256').update(readFileSync(await download.path())).digest('hex')
  await expect(dialog.getByRole('group', { name: 'Verify the checksum' })).toHaveText(`echo '${sha256}  collect.sh' | sha256sum -c`)
  await dialog.getByRole('button', { name: 'Close dialog' }).click()

  // The copied command, but fast, without root and without confirmation.
  execFileSync('sh', ['-c', command.replace(/sudo sh\s*$/, 'sh -s -- --grab --user --seconds 1 --yes')], { stdio: 'pipe' })
  await expect(page.getByText(/casebook-.*\.txt/).first()).toBeVisible()
  await expect(page.getByTestId('case-progress')).toHaveText('')
})
