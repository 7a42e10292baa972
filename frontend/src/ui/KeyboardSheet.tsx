import styles from './KeyboardHelp.module.css'

const groups: readonly [string, readonly [string, string][]][] = [
  ['Everywhere', [['Ctrl K', 'go to a page, case, finding, file or function; run an action'], ['?', 'keyboard shortcuts'], ['Ctrl V', 'add clipboard content as evidence']]],
  ['Case', [['1  2  3  4', 'tabs: findings, timeline, hosts, phases'], ['j  k', 'next, previous finding'], ['n  p', 'next, previous citation'], ['y', 'copy link to this view'], ['f', 'flame graph'], ['t', 'table of functions'], ['l', 'lanes: CPU and thread activity'], ['d', 'diff'], ['b', 'wait graph'], ['o', 'speedscope']]],
  ['Flame graph', [['← → ↑ ↓', 'select adjacent frame'], ['Enter', 'zoom to the selected frame'], ['Backspace', 'zoom out one step'], ['0', 'whole graph'], ['i', 'invert: callees first'], ['s', 'sandwich: callers and callees'], ['/', 'search names'], ['n  N', 'next, previous match'], ['Shift F10', 'context menu of the selected frame'], ['w', 'toggle full size'], ['Esc', 'clear search and selection']]],
  ['Wait graph', [['← →', 'select a blocker, a waiter'], ['↑ ↓', 'select the task above, below'], ['0', 'whole graph']]],
  ['Library', [['/', 'search'], ['j  k', 'next, previous result'], ['Enter', 'open result']]],
  ['Heat map and lanes', [['← → ↑ ↓', 'move; Shift extends the selection'], ['Enter', 'apply time selection to all views'], ['Esc', 'clear time selection']]],
]

/** All keyboard shortcuts. */
export default function KeyboardSheet() {
  return groups.map(([title, keys]) => (
    <section key={title}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.keys}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
