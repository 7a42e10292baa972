import type { Fix } from '../../api'
import { ShellCommand } from '../../ui'
import styles from './findings.module.css'

type Props = {
  fix: Fix
  /** Values of the evidence for the variables of commands. */
  values?: Readonly<Record<string, string>> | undefined
  isFirst?: boolean
}

/** A fix: command, risk, verification and undo. */
export function FixCard({ fix, values, isFirst = false }: Props) {
  const isHarmless = fix.risk === 'none' && fix.undo === 'nothing was changed'
  const place = [fix.kind, fix.scope, fix.first_on && `run on ${fix.first_on}`].filter(Boolean).join(' · ')
  const rows: [string, string | null | undefined][] = [
    ['Risk', isHarmless ? 'none: changes nothing' : fix.risk],
    ['Unsafe if', fix.unsafe_if.join('; ')],
    ['Undo', isHarmless || isCommand(fix.undo) ? '' : fix.undo],
    ['Verify', fix.verify],
    ['Source', fix.status?.replaceAll('UNVERIFIED', 'not verified').replaceAll('STORY-ONLY', 'from the story only')],
  ]
  return (
    <div className={styles.fix} data-first={isFirst || undefined}>
      <p className={styles.fixTitle}>{fix.title}</p>
      {fix.run && <ShellCommand text={fix.run} name={fix.title} values={values} />}
      <dl className={styles.small}>
        {rows.map(([name, text]) =>
          text ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ) : null,
        )}
        {isCommand(fix.undo) && (
          <div>
            <dt>Undo</dt>
            <dd>
              <code>{fix.undo}</code>
            </dd>
          </div>
        )}
      </dl>
      {place && <p className={styles.place}>{place}</p>}
    </div>
  )
}

/** Whether an undo is a command and not a sentence. */
function isCommand(undo: string | null | undefined): boolean {
  return Boolean(undo && /[$>=]|^\w+ -|^\w+ \/|^(?:sysctl|systemctl|ethtool|mount|dmsetup|fsfreeze|tune2fs|kubectl|nft|ip) /.test(undo))
}
