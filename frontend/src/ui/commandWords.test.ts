import { expect, it } from 'vitest'
import { commandParts } from './commandWords'

const unbroken = (command: string) => commandParts(command).flatMap(({ text, isUnbroken }) => (isUnbroken ? [text] : []))

it('keeps options, variables and short quoted texts whole', () => {
  expect(unbroken('ip -s -s link')).toEqual(['ip', '-s', '-s', 'link'])
  expect(unbroken('ethtool -i "${DEVICE:?network interface}"; cat x')).toEqual(['ethtool', '-i', '"${DEVICE:?network interface}";', 'cat', 'x'])
})

it('lets a long word break, and a long quoted text between its words', () => {
  const script = "awk '/^Slab/ {print $2 / 1024} /^SUnreclaim/ {print $2 / 1024}' /proc/meminfo"
  expect(unbroken(script)).toContain('{print')
  expect(unbroken(`cat ${'/sys/fs/cgroup'.repeat(4)}`)).toEqual(['cat'])
})

it('loses no character', () => {
  const commands = ['a  b\n\tc', "echo $'x' \"open", 'sed -n "s/^0:://p" /proc/$PID/cgroup', '${A} $(cat "x y") \'']
  for (const command of commands) expect(commandParts(command).map(({ text }) => text).join('')).toBe(command)
})
