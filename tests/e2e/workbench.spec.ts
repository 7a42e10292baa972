import { expect, test } from '@playwright/test'
import { violationsInBothColours } from './axe'

const SHIPPED = 'mm/memcg-limit-reclaim'
const PHONE = { width: 390, height: 844 }

test('a signature is written with completion, judged as it is typed, proposed, and accepted into a library', async ({ page }) => {
  test.slow()
  // What is read of a case that is still being read is judged.
  await page.goto('/cases/2')
  await expect(page.getByTestId('case-page')).toHaveAttribute('data-judged', 'true', { timeout: 300_000 })
  await page.goto(`/signatures/${SHIPPED}/edit?case=2&library=e2e`)
  const checked = page.getByTestId('signature-check')
  const editor = page.getByRole('textbox', { name: 'signature.yaml' })
  await expect(editor).toBeVisible()
  await expect(checked).toHaveAttribute('data-state', 'checked')
  const stored = (await (await page.request.get('/api/v1/cases/2/findings')).json()) as { items: { signature?: string; verdict: string }[] }
  const before = stored.items.find(({ signature }) => signature === SHIPPED)
  await expect(page.getByTestId('finding-card').first()).toHaveAttribute('data-verdict', before?.verdict ?? 'none')
  await expect(checked.getByText('as expected', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Propose' })).toBeDisabled()

  await editor.press('ControlOrMeta+End')
  await editor.pressSequentially('appl')
  await page.getByRole('option', { name: 'applies' }).click()
  await expect(editor).toContainText('applies: ')
  await expect(checked.getByRole('list', { name: 'Problems' })).toContainText(/Line \d+/)
  await checked.getByRole('button', { name: /^Line/ }).first().click()
  await expect(editor).toBeFocused()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await editor.press('ControlOrMeta+Home')
  await editor.press('Control+Space')
  await expect(page.getByRole('option').first()).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
  await page.keyboard.press('Escape')
  await editor.press('ControlOrMeta+Home')
  await editor.pressSequentially('# ours\n')
  await expect(checked).toHaveAttribute('data-state', 'checked')

  await page.getByRole('button', { name: 'Propose' }).click()
  await expect(page.getByTestId('proposal')).toHaveAttribute('data-state', 'proposed')
  await expect(page.getByTestId('text-difference')).toContainText('# ours')
  expect(await violationsInBothColours(page)).toEqual([])
  await page.getByRole('link', { name: 'Proposed signatures' }).click()
  await page.getByRole('link', { name: SHIPPED }).click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByTestId('proposal')).toHaveAttribute('data-state', 'accepted')

  await page.getByRole('link', { name: 'Preview and activate it' }).click()
  const library = page.getByRole('region', { name: 'Library e2e' })
  await expect(library.getByText('shadow', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await library.getByText('1 signature', { exact: true }).first().click()
  await library.getByRole('button', { name: `Text of ${SHIPPED}` }).first().click()
  await expect(page.getByTestId('signature-difference').getByTestId('text-difference')).toContainText('# ours')
})

test('the editor fits a phone, says what failed, and keeps an unsaved text', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/signatures/new')
  const editor = page.getByRole('textbox', { name: 'signature.yaml' })
  await editor.press('ControlOrMeta+End')
  await editor.pressSequentially('# kept')
  await page.reload()
  await expect(editor).toContainText('# kept')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
  await page.route('**/api/v1/signature-check', (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"title":"Unavailable","status":503,"detail":"the check is busy"}' }))
  await editor.pressSequentially('!')
  await expect(page.getByText('the check is busy')).toBeVisible()
  await page.goto('/signature-proposals')
  await expect(page.getByTestId('proposals')).toBeVisible()
  expect(await violationsInBothColours(page)).toEqual([])
})

test('the source of a Git library is changed, its token stays with the old one, and the new one is pulled', async ({ page }, { repeatEachIndex }) => {
  test.slow()
  const name = `moved${repeatEachIndex}`
  await page.goto('/settings/libraries')
  const added = page.getByRole('form', { name: 'New library' })
  await added.getByLabel('URL').fill(`https://127.0.0.1:9/team/${name}.git`)
  await added.getByLabel('Deploy token').fill('s3cret-deploy')
  await added.getByRole('button', { name: 'Add' }).click()
  const library = page.getByRole('region', { name: `Library ${name}` })
  // Behind the sample cases, which a fresh service reads.
  await expect(library.getByRole('alert')).toContainText('the server did not answer', { timeout: 300_000 })

  await library.getByText('Change the source', { exact: true }).click()
  const source = page.getByRole('form', { name: `Source of ${name}` })
  await expect(source.getByLabel('Deploy token')).toHaveAttribute('placeholder', 'the stored one')
  await source.getByLabel('URL').fill('https://127.0.0.2:9/team/signatures.git')
  await source.getByLabel('Branch or tag').fill('release')
  await expect(library.getByText('The stored token goes to the old URL only')).toBeVisible()
  await source.getByRole('button', { name: 'Change and pull' }).click()
  await expect(library.getByText('https://127.0.0.2:9/team/signatures.git at release')).toBeVisible()
  await library.getByText('All versions', { exact: true }).click()
  // The newest version, and the list of both.
  await expect(library.getByTestId('library-version')).toHaveCount(3)
  await expect(source.getByLabel('Deploy token')).toHaveAttribute('placeholder', 'none')
  expect(await violationsInBothColours(page)).toEqual([])
})
