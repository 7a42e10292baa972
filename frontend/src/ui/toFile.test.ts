import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileNameOf, toFile, writesItself } from './toFile'

describe('a capture with a file for its output', () => {
  it('is named by what it shows', () => {
    expect(fileNameOf('who holds the memory')).toBe('who-holds-the-memory.txt')
    expect(fileNameOf('kernel_log')).toBe('kernel-log.txt')
    expect(fileNameOf('which soft interrupts and interrupts run, and on which CPU')).toBe('which-soft-interrupts-and-interrupts-run.txt')
    expect(fileNameOf('…')).toBe('output.txt')
  })

  it('writes what it prints and what fails, quotes and variables as they are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'capture-'))
    const command = toFile(`for f in 'a b' "c"; do echo "$f"; done; echo it\\'s; ls /no/such/file; true`, 'what.txt')
    execFileSync('sh', ['-c', command], { cwd: folder })
    const lines = readFileSync(join(folder, 'what.txt'), 'utf8').split('\n')
    expect(lines.slice(0, 3)).toEqual(['a b', 'c', "it's"])
    expect(lines[3]).toContain('/no/such/file')
  })

  it('gives a command that reads its input nothing, and runs what follows', () => {
    const folder = mkdtempSync(join(tmpdir(), 'capture-'))
    execFileSync('sh', ['-c', toFile('cat; test -p /dev/stdin && echo a pipe; echo after  # of all', 'what.txt')], { cwd: folder })
    expect(readFileSync(join(folder, 'what.txt'), 'utf8')).toBe('after\n')
  })

  it('leaves commands alone that write a file themselves', () => {
    for (const own of ['sudo casebook collect', 'dmesg > /dev/shm/kernel-log.txt; lsblk', 'perf record -a\nperf script > out']) {
      expect(writesItself(own)).toBe(true)
      expect(toFile(own, 'x.txt')).toBe(own)
    }
    for (const none of ['dmesg 2>/dev/null | tail', "awk 'NR > 1' x", 'cat a 2>&1', 'bpftrace -e "a { $x = args->name; }"', 'nvme list >/dev/null']) expect([none, writesItself(none)]).toEqual([none, false])
  })
})
