import { describe, expect, it } from 'vitest'
import { commandValues } from './commandValues'

describe('the variables of commands', () => {
  it('are names that the evidence states', () => {
    expect(commandValues({ extract: { interface: 'eth0' } })).toEqual({ DEVICE: 'eth0' })
    expect(commandValues({ extract: { disk: 'sdc', server: 'nas1' } })).toEqual({ DISK: 'sdc', DEVICE: '/dev/sdc', SERVER: 'nas1' })
  })

  it('read the cgroup of a process where it is not known', () => {
    expect(commandValues({ extract: { pid: '7', holder_tid: '8', cgroup_version: 'v1' } }).CG).toBe("/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/8/cgroup)")
    expect(commandValues({ extract: { pid: '7' } }).CG).toBe("/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/7/cgroup)")
  })

  it('find a cgroup below the root of its version, both where the version is not known', () => {
    expect(commandValues({ extract: { cgroup: '/job', cgroup_version: 'v2' } }).CG).toBe('/sys/fs/cgroup/job')
    expect(commandValues({ extract: { cgroup: '/job', cgroup_version: 'v1' } }).CG).toBe('/sys/fs/cgroup/memory/job')
    expect(commandValues({ extract: { cgroup: '/sys/fs/cgroup/job' } }).CG).toBe('/sys/fs/cgroup/job')
    expect(commandValues({ extract: { cgroup: '/job' } }).CG).toBe('$(g=/job; for r in /sys/fs/cgroup /sys/fs/cgroup/memory; do [ -d $r$g ] && break; done; echo $r$g)')
  })

  it('hold no option, no step upwards, nothing that a shell interprets, and no disk that is none', () => {
    expect(commandValues({ extract: { interface: '--change', server: '-oProxyCommand=x' } })).toEqual({})
    expect(commandValues({ extract: { interface: 'eth0; reboot', disk: 'ata3.00', mount: '/srv/$(id)' } })).toEqual({})
    expect(commandValues({ extract: { cgroup: '/../../etc', mount: '/srv/../etc' } })).toEqual({})
  })
})
