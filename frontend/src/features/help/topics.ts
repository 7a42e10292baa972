/** Pages by task, in the order of the list beside every page of the help. */
export const TASKS: readonly (readonly [page: string, title: string])[] = [
  ['on-call', 'On call'],
  ['support', 'Support'],
  ['ci', 'CI gate'],
  ['integrating', 'Integrations'],
  ['curating', 'Curating'],
  ['operating', 'Operating'],
  ['install', 'Install'],
  ['troubleshooting', 'Troubleshooting'],
  ['stability', 'Stability'],
]

/** Addresses of the application with the help page, and section, of what is done there; the first that fits. */
const TOPICS: readonly (readonly [path: RegExp, topic: string])[] = [
  [/^\/sign-in$/, 'troubleshooting#sign-in'],
  [/^\/join$/, 'troubleshooting#sign-in'],
  [/^\/s$/, 'support#a-case-that-you-received'],
  [/^\/(?:open)?$/, 'on-call'],
  [/^\/cases\//, 'on-call#the-case-page'],
  [/^\/compare$/, 'flame-graphs'],
  [/^\/case-problems/, 'curating#what-happens-again'],
  [/^\/kernels?$/, 'kernels#kernels-of-hosts'],
  [/^\/baselines/, 'ci#comparing-two-builds'],
  [/^\/library\/[^/]+\/edit$/, 'curating#stories'],
  [/^\/library/, 'library'],
  [/^\/signature-proposals/, 'curating#into-the-service'],
  [/^\/signatures/, 'signatures'],
  [/^\/settings\/(?:webhooks|tokens)$/, 'integrating'],
  [/^\/settings\/libraries$/, 'libraries'],
  [/^\/settings\/(?:profile|sessions)$/, 'troubleshooting#sign-in'],
  [/^\/settings/, 'operating'],
]

/** The help page for an address of the application, with the section after `#`; the index for any other. */
export function topicOf(pathname: string): { page: string; hash: string } {
  const [page = '', hash = ''] = (TOPICS.find(([path]) => path.test(pathname))?.[1] ?? 'README').split('#')
  return { page, hash }
}
