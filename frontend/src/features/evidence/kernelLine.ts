import type { Evidence } from '../../api'

const FORMAT = 'kernel-log'

/** Whether a line is one of a kernel log. */
export const isKernelLine = (evidence: Pick<Evidence, 'sections'>, line: number) =>
  evidence.sections.some((section) => section.format === FORMAT && section.first_line <= line && line <= section.last_line)
