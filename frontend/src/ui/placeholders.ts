/** What a variable of a command stands for; the commands of signatures use these names. */
const MEANINGS: Record<string, string> = {
  ARRAY: 'array, such as /dev/md0',
  BYTES: 'limit in bytes, or with K, M or G',
  CG: 'directory of the cgroup',
  CONNECTION: 'number below /sys/fs/fuse/connections',
  CPU: 'number of the CPU',
  DEVICE: 'name of the device',
  DIRECTORY: 'directory',
  DISK: 'disk, such as sda',
  HOST: 'host name or address',
  MASK: 'CPU mask, hexadecimal',
  MOUNT: 'mount point',
  MEMBER: 'disk of the array',
  NEW_LIMIT: 'new limit, in bytes or with K, M or G',
  PID: 'process id',
  POD: 'name of the pod',
  SERVER: 'name or address of the server',
  SERVER_PID: 'process id of the server',
  UNIT: 'systemd unit',
}

const VARIABLE = /\$(?:\{([A-Z][A-Z_]+)\}|([A-Z][A-Z_]+)\b)/g
/** Set by every shell. */
const ENVIRONMENT = new Set(['HOME', 'PATH', 'PWD', 'SHELL', 'USER', 'HOSTNAME', 'RANDOM', 'SECONDS', 'EUID'])
/** Characters that no shell interprets, within quotes or without. */
const PLAIN = /^[\w@%+=:,./-]+$/

export type Placeholder = { name: string; meaning: string }

/** The variables of a command that the reader has to set, in order of appearance. */
export function placeholdersIn(command: string): Placeholder[] {
  const names = [...command.matchAll(VARIABLE)].map(([, braced, bare]) => braced ?? bare ?? '')
  return [...new Set(names)].filter((name) => !ENVIRONMENT.has(name) && !isAssigned(command, name)).map((name) => ({ name, meaning: meaningOf(name) }))
}

/** Whether a value can replace a variable as it is. */
export const isPlain = (value: string) => PLAIN.test(value)

/** The command with values in place; the shell refuses to run it while another variable is not set. */
export function filled(command: string, values: Readonly<Record<string, string>>, known: Readonly<Record<string, string>> = {}): string {
  const open = new Set(placeholdersIn(command).map(({ name }) => name))
  return command.replaceAll(VARIABLE, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? ''
    if (!open.has(name)) return whole
    const value = values[name]
    return value && (isPlain(value) || value === known[name]) ? value : `\${${name}:?${meaningOf(name)}}`
  })
}

function isAssigned(command: string, name: string): boolean {
  return new RegExp(`(?:^|[\\s;(&|])(?:${name}=|for ${name} in |read (?:-\\w+ )*${name}\\b)`).test(command)
}

function meaningOf(name: string): string {
  const known = MEANINGS[name]
  if (known) return known
  return name.startsWith('OLD_') ? 'value before the change' : name.toLowerCase().replaceAll('_', ' ')
}
