import { execFileSync } from 'node:child_process'
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
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()

  // The copied command, but fast, without root and without confirmation.
  execFileSync('sh', ['-c', command.replace(/sudo sh\s*$/, 'sh -s -- --grab --user --seconds 1 --yes')], { stdio: 'pipe' })
  await expect(page.getByText(/casebook-.*\.txt/).first()).toBeVisible()
  await expect(page.getByTestId('case-progress')).toHaveText('')
})
