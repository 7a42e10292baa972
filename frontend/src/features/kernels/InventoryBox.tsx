import { useState } from 'react'
import { useDeleteInventory, useInventories, useReplaceInventory } from '../../api'
import { Button, Command, DataTable, Notice, RelativeTime } from '../../ui'
import styles from './kernels.module.css'

const EXAMPLE = 'casebook kernels upload hosts.csv --source cmdb'

/** Uploaded lists of hosts: each is replaced as a whole under the name of its source. */
export function InventoryBox({ source, onSource }: { source: string | undefined; onSource: (source: string) => void }) {
  const inventories = useInventories()
  const remove = useDeleteInventory()
  const items = inventories.data ?? []
  return (
    <section className={styles.inventories}>
      <h2>Inventories</h2>
      {inventories.error && (
        <Notice what="The inventories could not be loaded." retry={() => void inventories.refetch()}>
          {inventories.error.message}
        </Notice>
      )}
      {remove.error && <Notice what="The inventory was not deleted.">{remove.error.message}</Notice>}
      {items.length > 0 && (
        <DataTable label="Inventories" columns={['Source', 'Hosts', 'Not read', 'Seen by', 'Uploaded', { name: 'Actions', isHidden: true }]}>
          {items.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.source}</th>
              <td>{one.hosts.toLocaleString('en')}</td>
              <td>{one.rejected.toLocaleString('en')}</td>
              <td>{one.team ?? 'everybody'}</td>
              <td>
                <RelativeTime at={one.updated_at} /> by {one.author}
              </td>
              <td>
                <Button look="quiet" aria-pressed={one.source === source} onClick={() => onSource(one.source === source ? '' : one.source)}>
                  {one.source === source ? 'All sources' : 'Only these'}
                </Button>
                <Button look="quiet" disabled={remove.isPending} onClick={() => window.confirm(`Delete the inventory ${one.source}?`) && remove.mutate(one)}>
                  Delete<span className="sr-only"> {one.source}</span>
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <Upload />
    </section>
  )
}

function Upload() {
  const replace = useReplaceInventory()
  const [source, setSource] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const done = replace.data
  return (
    <form
      className={styles.upload}
      onSubmit={(event) => {
        event.preventDefault()
        if (file && source.trim()) replace.mutate({ source: source.trim(), file })
      }}
    >
      <p className={styles.soft}>
        CSV with a header, or a JSON array: <code>host</code>, <code>release</code>, and optionally <code>build</code> (<code>uname -v</code>), <code>distro</code>, <code>instance_type</code>, <code>cluster</code>. At most 100,000 hosts. It replaces all hosts of its source.
      </p>
      <div className={styles.filters}>
        <label>
          Source
          <input value={source} maxLength={100} required placeholder="cmdb" onChange={(event) => setSource(event.target.value)} />
        </label>
        <label>
          File
          <input type="file" accept=".csv,.json,.txt,.tsv" required onChange={(event) => setFile(event.target.files?.[0] ?? null)} />
        </label>
        <Button type="submit" disabled={replace.isPending || !file || !source.trim()}>
          {replace.isPending ? 'Uploading…' : 'Upload'}
        </Button>
      </div>
      <Command text={EXAMPLE} />
      {replace.error && <Notice what="The inventory was not taken; the one before stays.">{replace.error.message}</Notice>}
      {done && (
        <div role="status">
          <p>
            {done.hosts.toLocaleString('en')} hosts of {done.source} stored.{done.rejected > 0 && ` ${done.rejected.toLocaleString('en')} rows could not be read:`}
          </p>
          {done.first_rejected.length > 0 && (
            <ul className={styles.rejected}>
              {done.first_rejected.map((one) => (
                <li key={one.row}>
                  row {one.row}: {one.reason}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </form>
  )
}
