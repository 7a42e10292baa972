import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { violations } from './axe'
import { moreActions } from './case-menu'
import { RESULTS } from './results'

const STACKS = join(import.meta.dirname, '../data/bpftrace-text/memcg-reclaim-kstack-comm.txt')
const STRANGER = { storageState: { cookies: [], origins: [] } }

test('a guest pastes, reads the findings, and keeps the case after signing in; other guests cannot open it', async ({ page, browser }) => {
  const guest = await browser.newContext(STRANGER)
  const opened = await guest.newPage()
  await opened.goto('/')
  await expect(opened).toHaveURL(/\/sign-in/)
  await expect(opened.getByTestId('guest-terms')).toContainText('stored for 2 hours, then deleted with all its evidence')
  const box = opened.getByTestId('guest-box')
  await box.getByRole('textbox').fill(readFileSync(STACKS, 'utf8'))
  await opened.screenshot({ path: `${RESULTS}/guest-box.png`, fullPage: true })
  expect(await violations(opened)).toEqual([])
  await box.getByRole('button', { name: 'Analyse' }).click()
  await opened.waitForURL(/\/cases\/\d+/)
  const number = /\/cases\/(\d+)/.exec(opened.url())?.[1] ?? ''
  await expect(opened.getByTestId('case-page')).toHaveAttribute('data-judged', 'true', { timeout: 300_000 })
  await expect(opened.getByTestId('flame-graph')).toBeVisible()
  const notice = opened.getByTestId('guest-notice')
  await expect(notice).toContainText(/Deleted in (2 hours|1 hour 5\d minutes), at \d\d:\d\d UTC/)
  await expect(moreActions(opened)).toHaveCount(0)
  await expect(opened.getByRole('button', { name: 'Add files' })).toHaveCount(0)
  await opened.screenshot({ path: `${RESULTS}/guest-case.png` })
  expect(await violations(opened)).toEqual([])

  const stranger = await browser.newContext(STRANGER)
  const elsewhere = await stranger.newPage()
  await elsewhere.goto(`/cases/${number}`)
  await expect(elsewhere).toHaveURL(/\/sign-in/)
  await stranger.close()

  // An invited member signs in with the guest's browser.
  await page.goto('/settings/members')
  await page.getByLabel('Role of the new member').selectOption('responder')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const invitation = await page.getByRole('group', { name: 'Invitation link' }).innerText()
  await opened.goto(invitation.trim())
  await opened.getByLabel('Name').fill('gil')
  await opened.getByLabel('Password').fill('correct horse battery staple')
  await opened.getByRole('button', { name: 'Join' }).click()
  await expect(opened.getByTestId('drop-zone')).toBeVisible()
  await opened.getByTestId('guest-notice').getByRole('button', { name: 'Keep this case' }).click()
  await opened.waitForURL(`**/cases/${number}`)
  await expect(opened.getByTestId('guest-notice')).toHaveCount(0)
  await expect(moreActions(opened)).toBeVisible()
  await guest.close()
})

test('a guest deletes the case permanently', async ({ page, browser }) => {
  const guest = await browser.newContext(STRANGER)
  const opened = await guest.newPage()
  await opened.goto('/sign-in')
  await opened.getByTestId('guest-files').setInputFiles(STACKS)
  await opened.waitForURL(/\/cases\/\d+/)
  const number = /\/cases\/(\d+)/.exec(opened.url())?.[1] ?? ''
  await opened.getByRole('button', { name: 'Delete now' }).click()
  await opened.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(opened.getByTestId('guest-box')).toBeVisible()
  expect((await guest.request.get(`/api/v1/cases/${number}`)).status()).toBe(401)
  // The owner of the instance is an admin and sees every existing case.
  expect((await page.request.get(`/api/v1/cases/${number}`)).status()).toBe(404)
  await guest.close()
})
