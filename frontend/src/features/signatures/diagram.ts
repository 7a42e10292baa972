/** One line of a diagram told in words: who does what to whom. `depth` indents what happens inside a loop. */
export type Step = { text: string; depth: number }

/** What happens in a sequence, from the top down. A block runs until its `end`. */
export type Happening =
  | { kind: 'message'; from: string; to: string; text: string; isAnswer: boolean }
  | { kind: 'note'; over: string[]; text: string }
  | { kind: 'block'; text: string }
  | { kind: 'end' }

export type Arrow = { from: string; to: string; text: string; isDotted: boolean }
export type Span = { text: string; section: string; from: number; to: number }

/** A Mermaid diagram as values; names are by id, in the order in which they appear. */
export type Told =
  | { kind: 'sequence'; names: Map<string, string>; happenings: Happening[] }
  | { kind: 'flow'; isSideways: boolean; names: Map<string, string>; questions: Set<string>; arrows: Arrow[] }
  | { kind: 'gantt'; title: string; spans: Span[] }

const label = (raw: string): string => raw.replaceAll(/<br\/?>/g, ' ').replaceAll(/^["']|["']$/g, '').trim()

/** Read the kinds of Mermaid diagram that stories use. Null for others. */
export function readDiagram(source: string): Told | null {
  const lines = source.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('%%'))
  const kind = lines[0] ?? ''
  if (kind.startsWith('sequenceDiagram')) return sequence(lines.slice(1))
  if (kind.startsWith('flowchart') || kind.startsWith('graph')) return flow(lines.slice(1), /\b(?:LR|RL)\b/.test(kind))
  if (kind.startsWith('gantt')) return gantt(lines.slice(1))
  return null
}

function sequence(lines: string[]): Told {
  const names = new Map<string, string>()
  const happenings: Happening[] = []
  for (const line of lines) {
    const participant = /^(?:participant|actor) (\w+)(?: as (.*))?$/.exec(line)
    const block = /^(loop|alt|opt|else|par)\s*(.*)$/.exec(line)
    const message = /^(\w+)\s*(-{1,2})>{1,2}\s*(\w+)\s*:\s*(.*)$/.exec(line)
    const note = /^Note (?:over|left of|right of) ([^:]*):\s*(.*)$/i.exec(line)
    if (participant?.[1]) names.set(participant[1], label(participant[2] ?? participant[1]))
    else if (block) happenings.push({ kind: 'block', text: `${block[1]} ${label(block[2] ?? '')}`.trim() })
    else if (line === 'end') happenings.push({ kind: 'end' })
    else if (message?.[1] && message[3]) {
      for (const id of [message[1], message[3]]) if (!names.has(id)) names.set(id, id)
      happenings.push({ kind: 'message', from: message[1], to: message[3], text: label(message[4] ?? ''), isAnswer: message[2] === '--' })
    } else if (note?.[1]) happenings.push({ kind: 'note', over: note[1].split(',').map((id) => id.trim()), text: label(note[2] ?? '') })
  }
  return { kind: 'sequence', names, happenings }
}

function flow(lines: string[], isSideways: boolean): Told {
  const names = new Map<string, string>()
  const questions = new Set<string>()
  const arrows: Arrow[] = []
  for (const line of lines) {
    for (const [, id, bracket, text] of line.matchAll(/(\w+)(\[|\{|\(\[?)([^\]})]+)(?:\]|\}|\]?\))/g)) {
      if (id && text) names.set(id, label(text))
      if (id && bracket === '{') questions.add(id)
    }
    const bare = line.replaceAll(/(\w+)(?:\[[^\]]*\]|\{[^}]*\}|\([^)]*\))/g, '$1')
    const chain = bare.split(/\s*(?:--\s*([^->]+?)\s*)?(-->|-\.->)\s*(?:\|([^|]*)\|)?\s*/)
    for (let at = 0; at + 4 < chain.length; at += 4) {
      const [from, before, line_, after, to] = [chain[at]?.trim(), chain[at + 1], chain[at + 2], chain[at + 3], chain[at + 4]?.trim()]
      if (!from || !to) continue
      for (const id of [from, to]) if (!names.has(id)) names.set(id, id)
      arrows.push({ from, to, text: label(before ?? after ?? ''), isDotted: line_ === '-.->' })
    }
  }
  return { kind: 'flow', isSideways, names, questions, arrows }
}

function gantt(lines: string[]): Told {
  const spans: Span[] = []
  let [title, section] = ['', '']
  for (const line of lines) {
    const head = /^(title|section) (.*)$/.exec(line)
    const span = /^(.*?)\s*:(?:\s*\w+,)*\s*(\d+),\s*(\d+)$/.exec(line)
    if (head?.[1] === 'title') title = label(head[2] ?? '')
    else if (head) section = label(head[2] ?? '')
    else if (span) spans.push({ text: label(span[1] ?? ''), section, from: Number(span[2]), to: Number(span[3]) })
  }
  return { kind: 'gantt', title, spans }
}

/** Tell a diagram as steps, with names in place of ids: what a screen reader reads beside the drawing. */
export function stepsOf(told: Told): Step[] {
  if (told.kind === 'flow') {
    const name = (id: string): string => told.names.get(id) ?? id
    return told.arrows.map(({ from, to, text }) => ({ text: `${name(from)} → ${text ? `${text}: ` : ''}${name(to)}`, depth: 0 }))
  }
  if (told.kind === 'gantt') {
    const steps: Step[] = told.title ? [{ text: told.title, depth: 0 }] : []
    told.spans.forEach(({ text, section, from, to }, at) => {
      if (section !== told.spans[at - 1]?.section) steps.push({ text: section, depth: 0 })
      steps.push({ text: `${text}, from ${from} to ${to}`, depth: 1 })
    })
    return steps
  }
  let depth = 0
  return told.happenings.flatMap((happening) => {
    if (happening.kind === 'end') {
      depth = Math.max(0, depth - 1)
      return []
    }
    if (happening.kind === 'block') return [{ text: happening.text, depth: depth++ }]
    if (happening.kind === 'note') return [{ text: happening.text, depth }]
    const [from, to] = [told.names.get(happening.from) ?? happening.from, told.names.get(happening.to) ?? happening.to]
    return [{ text: `${from} → ${to}: ${happening.text}`, depth }]
  })
}
