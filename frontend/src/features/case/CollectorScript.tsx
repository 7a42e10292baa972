import { useCollector } from '../../api'
import { Button, Command, CopyButton, Notice, save } from '../../ui'
import styles from './collect.module.css'

const NAME = 'collect.sh'

/** The collector as a file with its checksum and as text to paste; it contains no token and sends nothing by itself. */
export function CollectorScript() {
  const collector = useCollector()
  if (collector.error) {
    return (
      <Notice what="The collector could not be loaded." retry={() => void collector.refetch()}>
        {collector.error.message}
      </Notice>
    )
  }
  if (!collector.data) return <p role="status">Loading the collector…</p>
  const { text, sha256 } = collector.data
  return (
    <div className={styles.commands}>
      <p>Copy the script to the host, run it, and drop the text that it writes on this page. It contains no token.</p>
      <div className={styles.row}>
        <Button look="primary" onClick={() => save(text, NAME, 'text/x-shellscript')}>
          Download {NAME}
        </Button>
        <CopyButton label="Copy script" text={text} />
        <span className={styles.soft}>
          {text.split('\n').length - 1} lines, {Math.ceil(text.length / 1024)} KiB
        </span>
      </div>
      <h3>Verify</h3>
      <Command text={`echo '${sha256}  ${NAME}' | sha256sum -c`} name="Verify the checksum" />
      <h3>Full (90 s)</h3>
      <Command text={`sudo sh ${NAME} --no-send`} name="Run the file" />
      <h3>Before a restart (30 s)</h3>
      <Command text={`sudo sh ${NAME} --no-send --grab`} name="Run the file before a restart" />
      <details>
        <summary>Read the script</summary>
        <pre className={styles.script} tabIndex={0} role="group" aria-label="Collector script">
          <code>{text}</code>
        </pre>
      </details>
    </div>
  )
}
