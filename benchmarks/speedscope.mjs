// speedscope's own importer of perf script, out of its page and into node: reads FILE and prints what it made.
//
//   node benchmarks/speedscope.mjs FILE
//
// The page is one script that starts an application. The importer is found in it by its shape and handed out before the
// application asks for a document, which ends the script here.

import { readFileSync, readdirSync } from 'node:fs'
import { runInThisContext } from 'node:vm'

const DIRECTORY = new URL('../node_modules/speedscope/dist/release/', import.meta.url)
const SHAPE = /function (\w+)\(\w\)\{let \w=new Map,\w=null;for\(let \w of \w+\(\w\)\)\{[^}]*eventType.*?\}var (\w+)=\w+\(\(\)=>/s
const START = '"use strict";(()=>{'

const page = readdirSync(DIRECTORY).find((name) => /^speedscope-\w+\.js$/.test(name))
const script = readFileSync(new URL(page, DIRECTORY), 'utf8')
const found = SHAPE.exec(script)
if (!found) throw new Error('the importer of this version of speedscope looks otherwise')
const [, importer, prepare] = found
try {
  runInThisContext(script.replace(START, `${START}globalThis.importPerf=(text)=>{${prepare}();return ${importer}(text)};`))
} catch (error) {
  if (!(error instanceof ReferenceError)) throw error
}

const text = readFileSync(process.argv[2], 'utf8')
const group = globalThis.importPerf({ splitLines: () => text.split('\n') })
const samples = group.profiles.reduce((sum, profile) => sum + profile.samples.length, 0)
console.log(`${group.profiles.length} profiles, ${samples} samples`)
