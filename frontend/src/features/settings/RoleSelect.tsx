import type { Role } from '../../api'

const ROLES: readonly Role[] = ['viewer', 'responder', 'curator', 'admin']

type Props = { label: string; role: Role; onRole: (role: Role) => void; id?: string }

export function RoleSelect({ label, role, onRole, id }: Props) {
  return (
    <select id={id} aria-label={label} value={role} onChange={(event) => onRole(event.target.value as Role)}>
      {ROLES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}
