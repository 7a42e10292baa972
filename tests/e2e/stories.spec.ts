import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { violations } from './axe'
import { chooseAction } from './case-menu'
import { drop, judged, sample } from './evidence'

const STACK = readFileSync(join(import.meta.dirname, '../data/published/vanishing-cpu/stack.shrink_lruvec.txt'), 'utf8')
const LIVELOCK = 'mm/shrink-lruvec-livelock'

const editor = (page: Page) => page.getByTestId('story-editor')
const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the story, in Markdown' })
const saved = (page: Page) => expect(editor(page)).toHaveAttribute('data-save-state', 'saved')
const results = (page: Page) => page.getByTestId('library-result')
const number = async (page: Page) => (await editor(page).getAttribute('data-number')) ?? ''

/** Type at the end of the text. */
async function write(page: Page, words: string): Promise<void> {
  await text(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText(words)
}

async function accessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([])
}

/** Save a draft from another session. */
async function savedElsewhere(request: APIRequestContext, story: string, words: string): Promise<void> {
  const draft = await request.get(`/api/v1/stories/${story}/draft`)
  const { title } = (await draft.json()) as { title: string }
  const answer = await request.put(`/api/v1/stories/${story}/draft`, { data: { title, text: words, sitting: 'elsewhere' }, headers: { 'If-Match': draft.headers().etag ?? '' } })
  expect(answer.status()).toBe(200)
}

test('a story is drafted from a case, survives a lost connection and a conflict, is published and found', async ({ page, context, browser }) => {
  // A dozen pages in sequence, possibly on a busy machine.
  test.slow()
  await page.goto('/')
  await drop(page, sample('reclaim-at-the-limit'))
  await judged(page)
  await chooseAction(page, 'Draft story')
  await page.getByRole('dialog').getByRole('button', { name: 'Create draft' }).click()
  await expect(text(page)).toBeVisible()
  const preview = page.getByTestId('story-preview')
  await expect(preview.getByRole('heading', { name: 'What it was' })).toBeVisible()
  await expect(preview.locator('a[href*="&line="]').first()).toBeVisible()
  await expect(preview.locator('pre').first()).toBeVisible()
  await accessible(page)
  const story = await number(page)

  await page.getByLabel('Title').fill('The night of the quuxometer')
  await page.getByLabel('Symptoms (one per line)').fill('quuxometer hangs\nnothing in perf')
  await page.getByLabel(/^Fix/).fill('More room for the quuxometer.')
  await write(page, '\n\nIt was the **quuxometer**.\n')
  await expect(preview.locator('strong', { hasText: 'quuxometer' })).toBeVisible()
  await saved(page)

  // The connection is lost and the tab closed.
  await context.setOffline(true)
  await write(page, '\nTyped in the dark.\n')
  await expect(page.getByText(/Not saved: the server does not respond. Stored in this browser/)).toBeVisible()
  await page.close()
  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto(`/library/${story}/edit`)
  await expect(again.getByTestId('story-preview')).toContainText('Typed in the dark.')
  await saved(again)

  // Edit conflict: both texts are shown, and the other is kept as a revision.
  await savedElsewhere(context.request, story, 'Theirs alone.\n')
  await write(again, '\nMine alone.\n')
  const conflict = again.getByTestId('conflict')
  await expect(conflict).toContainText('saved this story while you were editing')
  await expect(conflict.locator('[data-own]', { hasText: 'Theirs alone.' })).toBeVisible()
  await expect(conflict.locator('[data-own]', { hasText: 'Mine alone.' })).toBeVisible()
  await accessible(again)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await expect(conflict).toHaveCount(0)
  await saved(again)

  await again.getByRole('button', { name: 'Revisions' }).click()
  const revisions = again.getByTestId('revisions')
  await expect(revisions.locator('[data-kind=added]', { hasText: 'Mine alone.' })).toBeVisible()
  await revisions.getByRole('button', { name: /^4 / }).click()
  await expect(again).toHaveURL(/revision=4/)
  await expect(revisions.locator('[data-kind=added]', { hasText: 'Theirs alone.' })).toBeVisible()
  await revisions.getByRole('button', { name: 'Restore this revision' }).click()
  await expect(editor(again)).toHaveAttribute('data-revision', '6')
  await revisions.getByRole('button', { name: /^5 / }).click()
  await revisions.getByRole('button', { name: 'Restore this revision' }).click()
  await expect(editor(again)).toHaveAttribute('data-revision', '7')

  await again.getByRole('button', { name: 'Publish', exact: true }).click()
  await again.getByRole('button', { name: 'Publish for everybody' }).click()
  await expect(again.getByRole('button', { name: 'Published', exact: true })).toBeVisible()
  await again.goto('/library?q=quuxometer')
  await expect(results(again).first()).toHaveAttribute('data-key', story)
  await expect(results(again).first()).toContainText('local')
  await results(again).first().getByRole('link').click()
  await expect(again.getByTestId('story')).toContainText('Typed in the dark.')
  await expect(again.getByTestId('story')).toContainText('More room for the quuxometer.')
  await accessible(again)

  const file = await context.request.get(`/api/v1/stories/${story}/file`)
  await again.goto('/library')
  await again.getByTestId('story-file').setInputFiles({ name: 'bad.md', mimeType: 'text/markdown', buffer: Buffer.from('---\ntitel: x\n---\ntext') })
  await expect(again.getByText(/line 2: there is no key 'titel'/i)).toBeVisible()
  await again.getByTestId('story-file').setInputFiles({ name: 'night.md', mimeType: 'text/markdown', buffer: await file.body() })
  await expect(again.getByLabel('Title')).toHaveValue('The night of the quuxometer')

  // Delete and undo.
  await again.getByRole('button', { name: 'Delete' }).click()
  await expect(again).toHaveURL(/\/library$/)
  await again.getByRole('button', { name: 'Undo' }).click()
  await expect(again.getByLabel('Title')).toHaveValue('The night of the quuxometer')
  const stranger = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  expect((await stranger.request.get(`/api/v1/stories/${story}`)).status()).toBe(401)
  await stranger.close()
})

test('a search finds the story, the signature and the past case, best match first', async ({ page }) => {
  // An earlier case with its story.
  const created = await page.request.post('/api/v1/stories', {
    data: { title: 'Thirty cores and no answer', symptoms: ['clickhouse does not answer'], signatures: [LIVELOCK], fix: 'A larger group.', text: 'All of `shrink_lruvec`, none of the work.\n' },
  })
  const { number: story, revision } = (await created.json()) as { number: number; revision: number }
  expect((await page.request.post(`/api/v1/stories/${story}/publish`, { data: { revision } })).status()).toBe(200)
  const earlier = await page.request.post('/api/v1/paste', { data: { text: STACK } })
  const past = ((await earlier.json()) as { case: { number: number } }).case.number
  const other = await page.request.post('/api/v1/paste', { data: { text: STACK.replaceAll('clickhouse', 'click-house') } })
  const now = ((await other.json()) as { case: { number: number } }).case.number

  const box = page.getByRole('textbox', { name: 'Search the library' })
  const first = results(page).first()
  const settled = () => expect(page.getByTestId('library')).toHaveAttribute('data-settled', 'true')
  await page.goto('/library')
  for (const [query, key] of [
    ['ps aux hangs', 'mm/mmap-lock-held-in-reclaim'],
    ['high system CPU after deploy', 'writeback/inode-switch-wbs-storm'],
    ['shrink_lruvec', LIVELOCK],
    ['TCP: request_sock_TCP: Possible SYN flooding on port 443.', 'net/syn-queue-overflow'],
  ] as const) {
    await box.fill(query)
    await expect(first).toHaveAttribute('data-key', key)
    await settled()
  }
  await box.fill('clickhouse does not answer')
  await expect(first).toHaveAttribute('data-key', String(story))

  // A pasted stack: signature and story rank first.
  await box.fill('')
  await box.click()
  await page.keyboard.insertText(STACK)
  await expect(page.getByTestId('recognised')).toContainText('Stacks without weights')
  await expect(first).toHaveAttribute('data-key', LIVELOCK)
  await expect(page.getByRole('region', { name: 'Stories' }).getByTestId('library-result').first()).toHaveAttribute('data-key', String(story))
  await page.getByRole('group', { name: 'Kind' }).getByRole('button', { name: /^Stories/ }).click()
  await expect(page).toHaveURL(/kind=story/)
  await expect(first).toHaveAttribute('data-key', String(story))
  await first.getByRole('link').click()
  await expect(page.getByTestId('story')).toContainText('A larger group.')
  await page.getByRole('link', { name: /livelock/i }).first().click()
  await expect(page.getByTestId('signature')).toBeVisible()
  await expect(page.getByTestId('exhibits')).toBeVisible()

  // The similar case, with its shares.
  await page.goto(`/cases/${now}`)
  await judged(page)
  const similar = page.locator(`[data-testid=similar-case][data-number="${past}"]`)
  await expect(similar).toContainText(/stacks \d+ %/)
  await expect(page.getByTestId('similar-cases').getByRole('link', { name: 'Thirty cores and no answer' })).toBeVisible()
})

test('a story uploaded as evidence becomes a draft linked to its file', async ({ page }) => {
  const written = '---\ntitle: The night of the staircase\nsymptoms:\n- ping climbs down a staircase\n---\n\nIt began on a Tuesday.\n'
  const response = await page.request.put('/api/v1/evidence/night.md', { data: written })
  const { case: created } = (await response.json()) as { case: { number: number } }
  await page.goto(`/cases/${created.number}`)
  const stories = page.getByTestId('case-stories')
  await expect(stories.getByRole('link', { name: 'The night of the staircase' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('heading', { name: /^No kernel evidence here/ })).toBeVisible({ timeout: 60_000 })
  await stories.getByRole('button', { name: 'Show evidence' }).click()
  await expect(page.getByText('It began on a Tuesday.')).toBeVisible()
  await stories.getByRole('link', { name: 'The night of the staircase' }).click()
  await expect(text(page)).toContainText('It began on a Tuesday.')
})
