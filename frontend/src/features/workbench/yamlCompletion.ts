/** Completion of YAML by a JSON Schema: keys and values at a place of the text. */

export type Schema = {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export type Option = { label: string; insert: string; detail: string }

/** A place in a YAML text: the keys around it (`[]` in a list), and what is typed there so far. */
export type Place = { path: string[]; isValue: boolean; word: string; siblings: Set<string> }

const KEY = /^(\s*)((?:- )*)([\w.-]+):(?:\s(.*))?$/
const LIST = '[]'
const MOST_DEPTH = 12

type Level = { indent: number; name: string }

/** Where a position is in a YAML text; null inside comments. Flow style is followed on the line of the position. */
export function placeAt(text: string, position: number): Place | null {
  const before = text.slice(0, position).split('\n')
  const line = before.pop() ?? ''
  if (/(^|\s)#/.test(line)) return null
  const levels: Level[] = []
  let siblings = new Set<string>()
  const open = (raw: string) => {
    const found = KEY.exec(raw)
    if (!found) return
    const [, space = '', dashes = '', name = ''] = found
    const indent = space.length + dashes.length
    while (levels.length > 0 && (levels.at(-1)?.indent ?? 0) >= (dashes ? space.length : indent) && !(levels.at(-1)?.name === LIST && (levels.at(-1)?.indent ?? 0) < indent)) levels.pop()
    if (dashes) levels.push({ indent: space.length, name: LIST })
    levels.push({ indent, name })
  }
  for (const raw of before) open(raw)
  const [, space = '', dashes = '', rest = ''] = /^(\s*)((?:- )*)(.*)$/.exec(line) ?? []
  const indent = space.length + dashes.length
  const limit = dashes ? space.length : indent
  const around = levels.filter((level) => level.indent < limit || (level.name === LIST && level.indent < indent)).map(({ name }) => name)
  if (dashes) around.push(LIST)
  siblings = siblingsIn(text.split('\n'), before.length, indent, dashes !== '')
  return inFlow(rest, around, siblings)
}

/** Follow `{key: value, …}` and `[…]` in what stands left of the position on its line. */
function inFlow(rest: string, around: string[], outer: Set<string>): Place {
  const path = [...around]
  let siblings = outer
  const found = /^([\w.-]+):(\s+|$)(.*)$/.exec(rest)
  if (!found || !/\s/.test(found[2] ?? '')) return { path, isValue: false, word: rest.trim(), siblings }
  path.push(found[1] ?? '')
  let part = found[3] ?? ''
  for (let depth = 0; depth < MOST_DEPTH; depth += 1) {
    const inner = openBracket(part)
    if (!inner) break
    const pieces = splitFlow(inner.content)
    const last = (pieces.at(-1) ?? '').trimStart()
    if (inner.kind === '[') {
      path.push(LIST)
      part = last
      if (!openBracket(part)) return { path, isValue: true, word: part, siblings }
      continue
    }
    siblings = new Set(pieces.slice(0, -1).map((piece) => piece.split(':')[0]?.trim() ?? ''))
    const entry = /^([\w.-]+):(\s+|$)(.*)$/.exec(last)
    if (!entry || !/\s/.test(entry[2] ?? '')) return { path, isValue: false, word: last, siblings }
    path.push(entry[1] ?? '')
    part = entry[3] ?? ''
  }
  return { path, isValue: true, word: part, siblings }
}

/** The content of a flow mapping or list that is opened and not closed. */
function openBracket(text: string): { kind: '{' | '['; content: string } | null {
  const kind = text[0]
  if (kind !== '{' && kind !== '[') return null
  let depth = 0
  for (const one of text) {
    if (one === '{' || one === '[') depth += 1
    if (one === '}' || one === ']') depth -= 1
  }
  return depth > 0 ? { kind, content: text.slice(1) } : null
}

/** The entries of a flow collection, split at its own commas. */
function splitFlow(text: string): string[] {
  const pieces = ['']
  let depth = 0
  for (const one of text) {
    if (one === '{' || one === '[') depth += 1
    if (one === '}' || one === ']') depth -= 1
    if (one === ',' && depth === 0) pieces.push('')
    else pieces[pieces.length - 1] += one
  }
  return pieces
}

/** Keys of the mapping that a line is in. */
function siblingsIn(lines: readonly string[], at: number, indent: number, isFirst: boolean): Set<string> {
  const found = new Set<string>()
  const collect = (from: number, step: number) => {
    for (let number = from; number >= 0 && number < lines.length; number += step) {
      const row = lines[number] ?? ''
      if (row.trim() === '') continue
      const key = KEY.exec(row)
      const own = key ? (key[1] ?? '').length + (key[2] ?? '').length : row.length - row.trimStart().length
      if (own < indent || (step > 0 && key?.[2] && own === indent)) return
      if (key && own === indent) found.add(key[3] ?? '')
      if (key?.[2] && own === indent) return
    }
  }
  if (!isFirst) collect(at - 1, -1)
  collect(at + 1, 1)
  return found
}

/** The schemas that apply at a path, alternatives side by side. */
export function schemasAt(root: Schema, path: readonly string[]): Schema[] {
  let found = expanded(root, root)
  for (const name of path) found = found.flatMap((schema) => (name === LIST ? inList(schema) : inMapping(schema, name)).flatMap((inner) => expanded(inner, root)))
  return found
}

function inList({ items }: Schema): Schema[] {
  return typeof items === 'object' ? [items] : []
}

function inMapping({ properties, patternProperties, additionalProperties }: Schema, name: string): Schema[] {
  const own = properties?.[name]
  if (own) return [own]
  const patterns = Object.entries(patternProperties ?? {}).filter(([pattern]) => new RegExp(pattern, 'u').test(name))
  if (patterns.length > 0) return patterns.map(([, schema]) => schema)
  return typeof additionalProperties === 'object' ? [additionalProperties] : []
}

function expanded(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > MOST_DEPTH) return []
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const target = schema.$ref?.startsWith('#/') ? schema.$ref.slice(2).split('/').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root) : undefined
  return [schema, ...(target ? [target as Schema] : []), ...parts].flatMap((one, at) => (at === 0 ? [one] : expanded(one, root, depth + 1)))
}

/** What may be written at a place, by name. */
export function optionsAt(root: Schema, place: Place): Option[] {
  const schemas = schemasAt(root, place.path)
  const found = new Map<string, Option>()
  if (place.isValue) {
    for (const schema of schemas) {
      const values = [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const]), ...(schema.type === 'boolean' ? [true, false] : [])]
      for (const value of values) if (typeof value !== 'object') found.set(String(value), { label: String(value), insert: String(value), detail: schema.description ?? '' })
    }
  } else {
    for (const schema of schemas)
      for (const [name, inner] of Object.entries(schema.properties ?? {}))
        if (!place.siblings.has(name)) found.set(name, { label: name, insert: `${name}: `, detail: describe(inner, root) })
  }
  return [...found.values()].toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}

function describe(schema: Schema, root: Schema): string {
  const parts = expanded(schema, root)
  const words = parts.find(({ description }) => description)?.description
  const values = parts.flatMap((part) => part.enum ?? [])
  return words ?? (values.length > 0 ? values.slice(0, 4).join(', ') : '')
}
