import type { ReactNode } from 'react'
import { useMe } from '../../api'
import { Notice } from '../../ui'
import { AuditSection } from './AuditSection'
import { ChangesSection } from './ChangesSection'
import { JobsSection } from './JobsSection'
import { LibrariesSection } from './LibrariesSection'
import { MembersSection } from './MembersSection'
import { type PageName, pagesOf } from './pages'
import { ProfileSection } from './ProfileSection'
import { SessionsSection } from './SessionsSection'
import { SystemSection } from './SystemSection'
import styles from './settings.module.css'
import { TeamsSection } from './TeamsSection'
import { TokensSection } from './TokensSection'
import { WebhooksSection } from './WebhooksSection'

type Props = { page: PageName; linkTo: (page: PageName, title: string) => ReactNode }

/** Settings: profile, sessions, tokens, webhooks, libraries, members, teams, audit log, jobs, what changed, system. */
export function SettingsPage({ page, linkTo }: Props) {
  const me = useMe()
  if (me.error) return <Notice what="The settings could not be loaded." retry={() => void me.refetch()}>{me.error.message}</Notice>
  if (!me.data) return <p role="status">Loading…</p>
  const isAdmin = me.data.role === 'admin'
  return (
    <div className={styles.page}>
      <nav className={styles.nav} aria-label="Settings">
        {pagesOf(me.data.role).map((one) => linkTo(one.name, one.title))}
      </nav>
      <section className={styles.section} data-testid={`settings-${page}`}>
        {page === 'profile' && <ProfileSection />}
        {page === 'sessions' && <SessionsSection />}
        {page === 'tokens' && <TokensSection isAdmin={isAdmin} />}
        {page === 'webhooks' && <WebhooksSection />}
        {page === 'libraries' && <LibrariesSection />}
        {page === 'members' && <MembersSection isAdmin={isAdmin} />}
        {page === 'teams' && <TeamsSection isAdmin={isAdmin} />}
        {page === 'audit' && <AuditSection />}
        {page === 'jobs' && <JobsSection />}
        {page === 'changes' && <ChangesSection />}
        {page === 'system' && <SystemSection />}
      </section>
    </div>
  )
}
