declare module 'd3-flame-graph' {
  type Node = { data: { name: string }; value: number; children?: Node[] }
  type FlameGraph = {
    (selection: unknown): void
    width: (pixels: number) => FlameGraph
    cellHeight: (pixels: number) => FlameGraph
    transitionDuration: (milliseconds: number) => FlameGraph
    zoomTo: (node: Node) => void
  }
  export default function flamegraph(): FlameGraph
}
