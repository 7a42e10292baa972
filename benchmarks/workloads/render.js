// Views that render each other to a depth that varies: frames of a just-in-time compiler.
const text = JSON.stringify(Array.from({ length: 3000 }, (_, at) => ({ at, name: String(at) })))
const views = []

function render(depth, seed) {
  const next = (seed * 1103515245 + 12345) % 2147483647
  if (depth > 0) return views[next % views.length](depth - 1, next)
  let sum = 0
  for (let at = 0; at < 4000; at++) sum += (next ^ at) % 7
  return sum
}

for (let at = 0; at < 60; at++) {
  views.push(new Function('render', `return function view${at}(depth, seed) { return render(depth, seed + ${at}) + 1 }`)(render))
}

for (let seed = 1; ; seed++) {
  render(6 + (seed % 12), seed)
  if (seed % 50 === 0) JSON.stringify(JSON.parse(text))
}
