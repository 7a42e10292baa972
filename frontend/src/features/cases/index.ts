export { CasesPage } from './CasesPage'
export { type ColumnName, DEFAULT_COLUMNS, preferredColumns, readColumns, writeColumns } from './columns'
