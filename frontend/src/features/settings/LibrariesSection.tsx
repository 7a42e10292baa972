import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type LibraryVersion, type TeamLibrary, useActivateVersion, useBeginHunt, useHunts, useLibraries, useLibraryVersions, usePullLibrary, useRetireLibrary } from '../../api'
import { Button, Fold, More, Notice, RelativeTime, Tag, type Tone, useToast } from '../../ui'
import { AddLibrary } from './AddLibrary'
import { ChangeSource } from './ChangeSource'
import { HuntsOf } from './HuntsOf'
import { commitOf, hasPreview, signatureWords, sourceWords } from './libraries'
import styles from './settings.module.css'

const SignatureDifference = lazy(() => import('../workbench').then((feature) => ({ default: feature.SignatureDifference })))
const TONES: Record<LibraryVersion['state'], Tone> = { pulling: 'plain', failed: 'suspect', shadow: 'plain', active: 'calm', retired: 'plain' }

/** Libraries of teams: add, pull, hunt, activate, retire; versions with their lint messages. */
export function LibrariesSection() {
  const found = useLibraries()
  const hunts = useHunts()
  return (
    <>
      <h1>Libraries</h1>
      <p className={styles.soft}>
        Signatures of your team, judged beside those of Casebook. A version begins in shadow: it is judged and counted, and shown to curators only. A preview of the retro-hunt shows which past cases it gains and loses before you activate it.
      </p>
      <p>
        <Link to="/signatures/new">Write a signature</Link> · <Link to="/signature-proposals">Proposed signatures</Link>
      </p>
      <AddLibrary />
      {found.error && <Notice what="The libraries could not be loaded." retry={() => void found.refetch()}>{found.error.message}</Notice>}
      {found.isPending && <p role="status">Loading the libraries…</p>}
      {found.data?.items.length === 0 && <p className={styles.soft}>No library yet. Add a Git repository, or an archive of &lt;area&gt;/&lt;name&gt;/signature.yaml.</p>}
      {found.data?.items.map((library) => <LibraryCard key={library.name} library={library} isPreviewed={(version) => hasPreview(hunts.data?.items ?? [], version)} />)}
      <HuntsOf hunts={hunts} />
    </>
  )
}

function LibraryCard({ library, isPreviewed }: { library: TeamLibrary; isPreviewed: (version: string) => boolean }) {
  const pull = usePullLibrary()
  const retire = useRetireLibrary()
  const toast = useToast()
  const onError = (error: Error) => toast(error.message, { isError: true })
  const isReading = library.newest?.state === 'pulling'
  const inUse = [library.active, library.shadow, library.newest].filter((one, at, all): one is LibraryVersion => one !== null && all.findIndex((other) => other?.id === one.id) === at)
  return (
    <section className={styles.card} aria-label={`Library ${library.name}`} data-testid="library">
      <div className={styles.cardHead}>
        <h2>{library.name}</h2>
        <span className={styles.soft}>{sourceWords(library)}</span>
        <span className={styles.actions}>
          {library.source !== 'upload' && (
            <Button disabled={isReading || pull.isPending} onClick={() => pull.mutate(library.name, { onError })}>
              Pull
            </Button>
          )}
          {(library.active ?? library.shadow) && (
            <Button disabled={retire.isPending} onClick={() => retire.mutate(library.name, { onError, onSuccess: () => toast(`${library.name} is retired. Activate a version to use it again.`) })}>
              Retire
            </Button>
          )}
        </span>
      </div>
      {inUse.map((version) => (
        <Version key={version.id} library={library} version={version} base={library.active && library.active.id !== version.id ? library.active : undefined} isPreviewed={isPreviewed(version.id)} />
      ))}
      {library.source === 'git' && (
        <Fold summary="Change the source">
          <ChangeSource library={library} />
        </Fold>
      )}
      <Fold summary="All versions">
        <Versions library={library} isReading={isReading} isPreviewed={isPreviewed} />
      </Fold>
    </section>
  )
}

function Versions({ library, isReading, isPreviewed }: { library: TeamLibrary; isReading: boolean; isPreviewed: (version: string) => boolean }) {
  const versions = useLibraryVersions(library.name, isReading)
  if (versions.error && !versions.isFetchNextPageError) return <Notice what="The versions could not be loaded." retry={() => void versions.refetch()}>{versions.error.message}</Notice>
  if (versions.isPending) return <p role="status">Loading the versions…</p>
  const all = versions.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {all.map((version, at) => (
        <Version key={version.id} library={library} version={version} base={all.slice(at + 1).find(({ signatures }) => signatures.length > 0)} isPreviewed={isPreviewed(version.id)} />
      ))}
      <More of={versions} label="Show older versions" />
    </>
  )
}

/** `base` is the version that this one is compared with. */
type VersionProps = { library: TeamLibrary; version: LibraryVersion; base: LibraryVersion | undefined; isPreviewed: boolean }

function Version({ library, version, base, isPreviewed }: VersionProps) {
  const [shown, setShown] = useState<string>()
  const [isSure, setSure] = useState(false)
  const activate = useActivateVersion()
  const hunt = useBeginHunt()
  const toast = useToast()
  const onError = (error: Error) => toast(error.message, { isError: true })
  const isUnchecked = version.messages.length > 0 || !isPreviewed
  const canActivate = version.state === 'shadow' || (version.state === 'retired' && version.signatures.length > 0)
  return (
    <div className={styles.version} data-testid="library-version">
      <div className={styles.cardHead}>
        <code>{commitOf(version)}</code>
        <Tag tone={TONES[version.state]}>{version.state === 'pulling' ? 'Reading…' : version.state}</Tag>
        <span className={styles.soft}>
          {version.author}, <RelativeTime at={version.created_at} />
        </span>
        {version.state === 'shadow' && <span className={styles.soft}>would show in {version.shadow_cases.toLocaleString('en')} new cases</span>}
        <span className={styles.actions}>
          {canActivate && (
            <Button disabled={hunt.isPending} onClick={() => hunt.mutate({ library: library.name, version: version.id, applies: false }, { onError })}>
              Preview
            </Button>
          )}
          {(version.state === 'active' || (version.state === 'retired' && !library.active)) && version.signatures.length > 0 && (
            <Button disabled={hunt.isPending} onClick={() => hunt.mutate({ library: library.name, version: version.id, applies: true }, { onError })}>
              Judge past cases
            </Button>
          )}
          {canActivate && (
            <Button
              look={isUnchecked ? 'plain' : 'primary'}
              disabled={activate.isPending}
              onClick={() => {
                if (isUnchecked && !isSure) setSure(true)
                else activate.mutate({ name: library.name, version: version.id, unchecked: isUnchecked }, { onError, onSettled: () => setSure(false) })
              }}
            >
              {isSure ? 'Activate all the same' : 'Activate'}
            </Button>
          )}
        </span>
      </div>
      {isSure && <p role="status">{version.messages.length > 0 ? 'Lint has messages about this version.' : 'No preview of this version is finished.'} Press again to activate it all the same.</p>}
      {version.problem && <p role="alert">{version.problem}</p>}
      {version.messages.length > 0 && (
        <ul className={styles.messages} aria-label="Lint messages">
          {version.messages.map((message) => (
            <li key={message}>
              <code>{message}</code>
            </li>
          ))}
        </ul>
      )}
      {version.signatures.length > 0 && (
        <Fold summary={`${version.signatures.length} signature${version.signatures.length === 1 ? '' : 's'}`}>
          <ul>
            {version.signatures.map((one) => (
              <li key={one.id}>
                <code>{one.id}</code> {signatureWords(one)}: {one.title}{' '}
                <Button onClick={() => setShown(one.id)} aria-label={`${base ? 'Differences' : 'Text'} of ${one.id}`}>
                  {base ? 'Differences' : 'Text'}
                </Button>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {shown && (
        <Suspense fallback={null}>
          <SignatureDifference
            library={library.name}
            signature={shown}
            before={base?.signatures.some(({ id }) => id === shown) ? { id: base.id, commit: commitOf(base) } : null}
            after={{ id: version.id, commit: commitOf(version) }}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}
