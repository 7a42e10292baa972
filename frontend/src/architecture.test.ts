import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = join(process.cwd(), 'src')

type Import = { from: string; to: string; isPackage: boolean }

/** The room a file lives in: `api`, `profile`, `ui`, `styles`, `features/<x>`, or `` for the files that join them. */
function roomOf(file: string): string {
  const [first, second] = file.split(sep)
  if (first === 'features') return `features/${second}`
  return file.includes(sep) ? (first ?? '') : ''
}

function importsOf(file: string, source: string): Import[] {
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '')
  return specifiers.map((specifier) =>
    specifier.startsWith('.')
      ? { from: file, to: relative(SRC, join(SRC, dirname(file), specifier)), isPackage: false }
      : { from: file, to: specifier, isPackage: true },
  )
}

/** Why an import is not allowed, or nothing. */
function faultOf({ from, to, isPackage }: Import): string {
  const [here, there] = [roomOf(from), isPackage ? '' : roomOf(`${to}${sep}index`)]
  const isTest = /\.test\.tsx?$/.test(from)
  if (here === 'profile' && (isPackage ? !isTest : there !== 'profile')) return 'profile/ imports nothing outside itself'
  if (isPackage || here === there || here === '') return ''
  if (here === 'ui' && (there === 'api' || there.startsWith('features'))) return 'ui/ knows neither the api nor features'
  if (here === 'api' && (there === 'ui' || there.startsWith('features'))) return 'api/ knows neither ui nor features'
  const isDoor = to === there.split('/').join(sep) || there === 'styles'
  return isDoor ? '' : 'rooms meet through index.ts'
}

function sources(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.gen.ts'))
}

const importFrom = (from: string, specifier: string) => importsOf(from.split('/').join(sep), `import x from '${specifier}'`)[0] as Import

describe('rooms', () => {
  it('import only what they may', () => {
    const faults = sources().flatMap((file) =>
      importsOf(file, readFileSync(join(SRC, file), 'utf8'))
        .map((each) => ({ each, fault: faultOf(each) }))
        .filter(({ fault }) => fault)
        .map(({ each, fault }) => `${each.from} imports ${each.to}: ${fault}`),
    )
    expect(faults).toEqual([])
  })

  it.each([
    ['profile/layout.ts', '../api', 'profile/ imports nothing outside itself'],
    ['profile/layout.ts', 'd3-scale', 'profile/ imports nothing outside itself'],
    ['ui/Button.tsx', '../api', 'ui/ knows neither the api nor features'],
    ['ui/Button.tsx', '../features/cases', 'ui/ knows neither the api nor features'],
    ['api/cases.ts', '../ui', 'api/ knows neither ui nor features'],
    ['features/case/CasePage.tsx', '../findings/words', 'rooms meet through index.ts'],
    ['features/case/CasePage.tsx', '../../api/client', 'rooms meet through index.ts'],
  ])('a planted violation is caught: %s imports %s', (from, specifier, fault) => {
    expect(faultOf(importFrom(from, specifier))).toBe(fault)
  })

  it('keep every component within 250 lines', () => {
    const long = sources().filter((file) => readFileSync(join(SRC, file), 'utf8').split('\n').length > 250 && !file.endsWith('.test.ts'))
    expect(long).toEqual([])
  })
})
