import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'

const DATA = join(import.meta.dirname, '../data')
const SAMPLES = join(import.meta.dirname, '../../backend/evidence/sample_cases')

export type DroppedFile = { path: string; content: Buffer }

/** All files of a sample case, with their paths below it. */
export function sample(name: string): DroppedFile[] {
  const folder = join(SAMPLES, name)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile() && path !== 'PROVENANCE.md')
    .toSorted()
    .map((path) => ({ path, content: readFileSync(join(folder, path)) }))
}

/** One recorded or published test file. */
export const recorded = (format: string, name: string): DroppedFile => ({ path: name, content: readFileSync(join(DATA, format, name)) })

export const text = (path: string, content: string): DroppedFile => ({ path, content: Buffer.from(content) })

/** Drop files on the page once it accepts them; nested paths become folder entries. */
export async function drop(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const encoded = files.map(({ path, content }) => ({ path, base64: content.toString('base64') }))
  // A page that is still starting does not listen yet, and lets the event pass.
  await expect.poll(() => isTaken(page, encoded)).toBe(true)
}

/** Dispatch a drop; return whether the page took it. */
function isTaken(page: Page, files: readonly { path: string; base64: string }[]): Promise<boolean> {
  return page.evaluate((all) => {
    type Folder = { [name: string]: Folder | File }
    const top: Folder = {}
    for (const { path, base64 } of all) {
      const names = path.split('/')
      const last = names.pop() ?? ''
      let folder = top
      for (const name of names) folder = (folder[name] ??= {}) as Folder
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      folder[last] = new File([bytes], last)
    }
    const entryOf = (name: string, value: Folder | File, parent: string): unknown => {
      const fullPath = `${parent}/${name}`
      if (value instanceof File) return { isFile: true, isDirectory: false, name, fullPath, file: (callback: (file: File) => void) => callback(value) }
      const createReader = () => {
        let entries = Object.entries(value).map(([childName, child]) => entryOf(childName, child, fullPath))
        return {
          readEntries: (callback: (entries: unknown[]) => void) => {
            callback(entries)
            entries = []
          },
        }
      }
      return { isFile: false, isDirectory: true, name, fullPath, createReader }
    }
    const items = Object.entries(top).map(([name, value]) => ({ kind: 'file', webkitGetAsEntry: () => entryOf(name, value, '') }))
    const event = new Event('drop', { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items, files: [] } })
    return !document.body.dispatchEvent(event)
  }, files)
}

/** Wait on the new case page until all evidence is processed. */
export async function judged(page: Page): Promise<Locator> {
  await page.waitForURL(/\/cases\/\d+/)
  const casePage = page.getByTestId('case-page')
  await expect(casePage).toHaveAttribute('data-judged', 'true', { timeout: 300_000 })
  return casePage
}
