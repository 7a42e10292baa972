import { describe, expect, it } from 'vitest'
import { filled, placeholdersIn } from './placeholders'

const LIMIT = 'echo "$NEW_LIMIT" > $CG/memory.max'

describe('the variables of a command', () => {
  it('are those that the command does not set itself', () => {
    expect(placeholdersIn(LIMIT).map(({ name }) => name)).toEqual(['NEW_LIMIT', 'CG'])
    expect(placeholdersIn('for t in 1 2; do cat $t; done; PID=7; ls /proc/$PID $HOME $1')).toEqual([])
  })

  it('are replaced by what is known, and guarded otherwise', () => {
    expect(filled(LIMIT, { CG: '/sys/fs/cgroup/db', NEW_LIMIT: '8G' })).toBe('echo "8G" > /sys/fs/cgroup/db/memory.max')
    expect(filled(LIMIT, { CG: '/sys/fs/cgroup/db' })).toBe('echo "${NEW_LIMIT:?new limit, in bytes or with K, M or G}" > /sys/fs/cgroup/db/memory.max')
  })

  it('take no value that a shell would interpret', () => {
    expect(filled('cat $MOUNT/x', { MOUNT: '/mnt; reboot' })).toBe('cat ${MOUNT:?mount point}/x')
  })
})
