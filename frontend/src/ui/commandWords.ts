/** A longer word of a command may break inside, as it would not fit into a narrow column. */
const MAX_UNBROKEN = 36
/** Space, or a word with its quotes and `${…}`. */
const PART = /\s+|(?:"[^"\n]*"|'[^'\n]*'|\$\{[^}\n]*\}|[^\s"'$]+|["'$])+/g

export type CommandPart = { text: string; isUnbroken: boolean }

/** The parts of a command in order: options, variables and short quoted texts are not broken between lines. */
export function commandParts(command: string): CommandPart[] {
  return (command.match(PART) ?? []).flatMap((part) => {
    if (/^\s/.test(part)) return [{ text: part, isUnbroken: false }]
    if (part.length <= MAX_UNBROKEN) return [{ text: part, isUnbroken: true }]
    return part.split(/(\s+)/).map((text) => ({ text, isUnbroken: text.trim() !== '' && text.length <= MAX_UNBROKEN }))
  })
}
