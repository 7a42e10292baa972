/** Longer captures are stopped: on a sick host one read may never return. */
const SECONDS = 300
const MAX_NAME = 40

/** A file name for what a capture shows: `who-holds-the-memory.txt`. */
export function fileNameOf(what: string): string {
  const words = what.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const kept = words.reduce((name, word) => (name.length + word.length < MAX_NAME ? `${name}${name && '-'}${word}` : name), '')
  return `${kept || 'output'}.txt`
}

/**
 * The command with a time limit, its output in a file; a command that writes its own file or archive is as it was.
 * It has nothing to read: `perf script` reads a pipe at its input instead of its file.
 */
export function toFile(command: string, file: string): string {
  if (writesItself(command)) return command
  return `timeout -s KILL ${SECONDS} sh > ${file} 2>&1 <<'END'\n{ ${command.replaceAll(/\bsudo /g, '').trim()}\n} < /dev/null\nEND`
}

const QUOTED = /'[^']*'|"[^"]*"/g
const WRITES = /\bcasebook collect\b|(?:^|[^\d&>-])>\s*(?!\/dev\/null)[\w./$'{]|<<|\n/

/** Whether a command says itself where its output goes. */
export const writesItself = (command: string) => WRITES.test(command.replaceAll(QUOTED, "''"))
