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

/** One recorded or published file of the tests. */
export const recorded = (format: string, name: string): DroppedFile => ({ path: name, content: readFileSync(join(DATA, format, name)) })

export const text = (path: string, content: string): DroppedFile => ({ path, content: Buffer.from(content) })

/** Drop files anywhere on the page, as a browser would hand them over: nested paths as folders. */
export async function drop(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const handed = files.map(({ path, content }) => ({ path, base64: content.toString('base64') }))
  await page.evaluate(async (all) => {
    type Folder = { [name: string]: Folder | File }
    const top: Folder = {}
    for (const { path, base64 } of all) {
      const names = path.split('/')
      const last = names.pop() ?? ''
      let at = top
      for (const name of names) at = (at[name] ??= {}) as Folder
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      at[last] = new File([bytes], last)
    }
    const entryOf = (name: string, value: Folder | File, parent: string): unknown => {
      const fullPath = `${parent}/${name}`
      if (value instanceof File) return { isFile: true, isDirectory: false, name, fullPath, file: (give: (file: File) => void) => give(value) }
      const createReader = () => {
        let left = Object.entries(value).map(([child, inside]) => entryOf(child, inside, fullPath))
        return {
          readEntries: (give: (entries: unknown[]) => void) => {
            give(left)
            left = []
          },
        }
      }
      return { isFile: false, isDirectory: true, name, fullPath, createReader }
    }
    const items = Object.entries(top).map(([name, value]) => ({ kind: 'file', webkitGetAsEntry: () => entryOf(name, value, '') }))
    const event = new Event('drop', { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items, files: [] } })
    document.body.dispatchEvent(event)
  }, handed)
}

/** Wait on the page of the new case until everything is read and judged. */
export async function judged(page: Page): Promise<Locator> {
  await page.waitForURL(/\/cases\/\d+/)
  const casePage = page.getByTestId('case-page')
  await expect(casePage).toHaveAttribute('data-judged', 'true', { timeout: 150_000 })
  return casePage
}
