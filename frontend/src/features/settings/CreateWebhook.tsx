import { useId, useState } from 'react'
import { type DestinationCreate, useCreateDestination, useSavedSearches, useTeams } from '../../api'
import { Button, Fold, Notice } from '../../ui'
import { Field } from './Field'
import { SecretReveal } from './SecretReveal'
import styles from './settings.module.css'
import { CHANNELS, KINDS, urlOf } from './webhooks'

type Channel = DestinationCreate['channel']
type Severity = NonNullable<DestinationCreate['severity']>

const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low']
const NOTHING: DestinationCreate = { name: '', channel: 'webhook', url: '', token: '', target: '', template: '', kinds: [], severity: null, team_id: null, search_id: null }

/** The form of a new webhook, and its signing secret once it is created. */
export function CreateWebhook() {
  const create = useCreateDestination()
  const teams = useTeams()
  const searches = useSavedSearches()
  const [draft, setDraft] = useState(NOTHING)
  const kinds = draft.kinds ?? []
  const set = (change: Partial<DestinationCreate>) => setDraft({ ...draft, ...change })
  return (
    <>
      <form
        className={styles.form}
        aria-label="New webhook"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(draft, { onSuccess: () => setDraft(NOTHING) })
        }}
      >
        <Field label="Name" required maxLength={100} placeholder="incident bot" value={draft.name} onValue={(name) => set({ name })} />
        <Choice label="Send to" value={draft.channel} onValue={(channel) => set({ channel: channel as Channel, url: '', token: '', target: '' })} options={CHANNELS.map(({ channel, label }) => [channel, label])} />
        <Field label="URL" required={draft.channel !== 'slack' && draft.channel !== 'github'} maxLength={2000} placeholder={urlOf(draft.channel)} value={draft.url} onValue={(url) => set({ url })} />
        {(draft.channel === 'slack' || draft.channel === 'github') && (
          <>
            <Field label="Token" type="password" autoComplete="off" maxLength={500} required={draft.channel === 'github'} value={draft.token} onValue={(token) => set({ token })} />
            <Field label={draft.channel === 'slack' ? 'Channel' : 'Repository'} maxLength={200} required={draft.channel === 'github'} placeholder={draft.channel === 'slack' ? '#incidents' : 'owner/repository'} value={draft.target} onValue={(target) => set({ target })} />
          </>
        )}
        <Button type="submit" look="primary" disabled={create.isPending || draft.name.trim() === ''}>
          Create
        </Button>
        <Fold className={styles.filters} summary="Which events">
          <fieldset className={styles.choices} aria-label="Kinds of events">
            {KINDS.map(({ kind, label }) => (
              <label key={kind}>
                <input type="checkbox" checked={kinds.includes(kind)} onChange={({ target }) => set({ kinds: target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind) })} /> {label}
              </label>
            ))}
          </fieldset>
          {draft.channel !== 'webhook' && <Field label="Template" maxLength={2000} placeholder="{event}: {headline} {url}" value={draft.template} onValue={(template) => set({ template })} />}
          <p className={styles.soft}>None ticked: all events.</p>
          <div className={styles.form}>
            <Choice label="Severity, at least" value={draft.severity ?? ''} onValue={(value) => set({ severity: (value || null) as Severity | null })} options={SEVERITIES.map((one) => [one, one])} any="any" />
            <Choice label="Team" value={draft.team_id ?? ''} onValue={(value) => set({ team_id: value || null })} options={teams.data?.map(({ id, name }) => [id, name]) ?? []} any="any" />
            <Choice label="Saved search" value={draft.search_id ?? ''} onValue={(value) => set({ search_id: value || null })} options={searches.data?.items.map(({ id, name }) => [id, name]) ?? []} any="none" />
          </div>
        </Fold>
      </form>
      {create.error && <Notice what="It was not created.">{create.error.message}</Notice>}
      {create.data?.secret && <SecretReveal label={`Signing secret of ${create.data.destination.name}`} secret={create.data.secret} />}
    </>
  )
}

type ChoiceProps = { label: string; value: string; onValue: (value: string) => void; options: [string, string][]; any?: string }

function Choice({ label, value, onValue, options, any }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onValue(target.value)}>
        {any !== undefined && <option value="">{any}</option>}
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
