import type { Finding } from '../../api'

/** Not an option of the command that it is put into. */
const NAME = /^\w[\w@%+:,.-]*$/
const DISK = /^(?:sd|hd|vd|xvd|nvme|mmcblk|dasd)\w+$/
/** Without a step upwards. */
const PATH = /^(?!.*\/\.\.(?:\/|$))\/[\w@%+:,./-]+$/

const V1_ROOT = '/sys/fs/cgroup/memory'
const V2_ROOT = '/sys/fs/cgroup'

/** Names of devices and servers of the evidence, under the variables that commands use for them. */
function namedValues({ interface: nic, pci_address: pci, disk, server, mount }: Finding['extract']): Record<string, string> {
  const [device, slot, block, host] = [nic, pci, disk, server].map((name) => (name && NAME.test(name) ? name : undefined))
  return {
    ...(block && DISK.test(block) && { DISK: block, DEVICE: `/dev/${block}` }),
    ...(slot && { PCI_ADDRESS: slot, DEVICE: slot }),
    ...(device && { DEVICE: device }),
    ...(host && { SERVER: host }),
    ...(mount && PATH.test(mount) && { MOUNT: mount }),
  }
}

/** Variables of commands that the finding extracted from the evidence; the cgroup of a process is read from the process. */
export function commandValues({ extract }: Pick<Finding, 'extract'>): Record<string, string> {
  const pid = /^\d+$/.exec(extract.holder_tid ?? extract.pid ?? '')?.[0]
  const cgroup = PATH.exec(extract.cgroup ?? '')?.[0]
  const isV1 = extract.cgroup_version === 'v1'
  const root = isV1 ? V1_ROOT : V2_ROOT
  const own = `${root}$(sed -n 's/^${isV1 ? '[0-9]*:memory' : '0:'}://p' /proc/${pid}/cgroup)`
  // A kernel log names the group and not the version.
  const either = `$(g=${cgroup}; for r in ${V2_ROOT} ${V1_ROOT}; do [ -d $r$g ] && break; done; echo $r$g)`
  const named = cgroup?.startsWith('/sys/') ? cgroup : extract.cgroup_version ? `${root}${cgroup}` : either
  const directory = cgroup ? named : pid && own
  return { ...namedValues(extract), ...(directory && { CG: directory }), ...(pid && { PID: pid }) }
}
