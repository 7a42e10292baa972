import { type ProblemRead, useIsCurator, useTakeBackProblem } from '../../api'
import { Button, RelativeTime, useToast } from '../../ui'
import styles from './problems.module.css'

type Props = { problemKey: string; made: NonNullable<ProblemRead['made']>; onTakenBack: () => void }

/** Who merged or split a problem, of which clusters its cases are, and how to take it back. */
export function MadeBy({ problemKey, made, onTakenBack }: Props) {
  const takeBack = useTakeBackProblem()
  const mayTakeBack = useIsCurator()
  const toast = useToast()
  const run = () =>
    takeBack.mutate(problemKey, {
      onSuccess: () => {
        toast('The cases belong again to what they belonged to.')
        onTakenBack()
      },
      onError: (error) => toast(error.message, { isError: true }),
    })
  return (
    <p className={styles.soft}>
      Made by {made.author} <RelativeTime at={made.created_at} /> of {made.clusters.map(({ value, count }) => `${value} (${count})`).join(', ')}{' '}
      {mayTakeBack && (
        <Button look="quiet" disabled={takeBack.isPending} onClick={run}>
          Take back
        </Button>
      )}
    </p>
  )
}
