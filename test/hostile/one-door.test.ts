import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const files = globSync('{src,commands,server}/**/*.ts', { cwd: root }).sort();

/** Modules that can open a connection, and their names that cannot. */
const modules: Readonly<Record<string, readonly string[]>> = {
  undici: [],
  'node:http': ['IncomingMessage', 'ServerResponse'],
  'node:https': [],
  'node:http2': [],
  'node:net': ['isIP', 'isIPv4', 'isIPv6', 'BlockList'],
  'node:tls': ['createSecureContext', 'rootCertificates'],
  'node:dgram': [],
  'node:dns': [],
  'node:dns/promises': [],
  'node:child_process': [],
  'node:cluster': [],
  'node:inspector': [],
  'node:quic': [],
  'node:module': ['enableCompileCache', 'stripTypeScriptTypes'],
  'node:vm': [],
  'node:wasi': [],
};

/**
 * The door, the listener, the test whether its address is free, and the command line's way to its own instance. Also
 * programs of the platform that are run on request, and the gate that keeps tested clients from the network.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/remote/transport/pools.ts': ['undici Pool'],
  'src/remote/transport/connect.ts': ['node:net connect', 'node:tls connect'],
  'src/remote/transport/tunnel.ts': ['node:http request'],
  'src/remote/transport/transport.ts': ['node:dns/promises lookup'],
  'server/bind-error.ts': ['node:net createServer'],
  'server/listen.ts': ['node:http createServer', 'node:https createServer'],
  'src/program/run-outside.ts': ['node:child_process spawn'],
  'commands/client-test/gate.ts': ['node:http createServer', 'node:http request', 'node:net connect'],
  'commands/fileset/check-tree.ts': ['node:child_process spawn'],
  'src/authoring/chart/render-chart.ts': ['node:child_process spawn'],
  // the only way to the garbage collector of a running thread; the code that it runs is that one name
  'src/base/release-memory.ts': ['node:vm runInNewContext'],
  // runs in the browser, where the policy of the page admits this instance alone
  'server/ui/assets/suggest.ts': ['fetch('],
  'commands/client/instance-client.ts': [
    'node:dns/promises lookup',
    'undici Agent',
    'undici ProxyAgent',
    'undici request',
  ],
};

/**
 * The permitted users of the parts of the door; all other modules use the finished transport. A client test makes one that
 * reaches only the addresses that the operator gave.
 */
const insiders: Readonly<Record<string, readonly string[]>> = {
  'connect.ts': [
    'src/remote/transport/pools.ts',
    'src/remote/transport/transport.ts',
    'src/remote/transport/answers-in-tls.ts',
  ],
  'pools.ts': ['src/remote/transport/transport.ts'],
  'tunnel.ts': ['src/remote/transport/connect.ts'],
  'transport.ts': [
    'src/operation/context.ts',
    'src/remote/fetch-document.ts',
    'commands/client-test/lookout.ts',
  ],
};

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*([^)]*?)\s*\)/g;

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1');
}

/** Whether the text before an opened parenthesis defines a method, and is not a call. */
function isDefinition(code: string, start: number, afterOpening: number): boolean {
  if (!/(?:^|[\n{,;}])\s*(?:async\s+)?$/.test(code.slice(Math.max(0, start - 60), start))) return false;
  let depth = 1;
  let at = afterOpening;
  for (; at < code.length && depth > 0; at += 1) {
    if (code[at] === '(') depth += 1;
    else if (code[at] === ')') depth -= 1;
  }
  return code[afterOpening - 1] === '(' && /^\s*[:{]/.test(code.slice(at, at + 20));
}

/** Every way in which a text could reach the network by itself. */
function findConnectors(text: string): string[] {
  const code = withoutComments(text);
  const found: string[] = [];
  for (const [, isType, clause = '', from, bare, dynamic] of code.matchAll(importPattern)) {
    if (dynamic !== undefined) {
      const literal = /^['"]([^'"]+)['"]$/.exec(dynamic)?.[1];
      if (literal === undefined) found.push(`import(${dynamic})`);
      else if (literal in modules || `node:${literal}` in modules) found.push(`${literal} *`);
      continue;
    }
    const name = (from ?? bare)!;
    const key = name in modules ? name : `node:${name}`;
    const harmless = modules[key];
    if (harmless === undefined || isType !== undefined) continue;
    const named = /^\{([\s\S]*)\}$/.exec(clause.trim())?.[1];
    if (named === undefined) found.push(`${key} *`);
    else
      for (const one of named.split(',').map((part) => part.trim())) {
        const imported = one.split(/\s+as\s+/)[0]!;
        if (imported === '' || one.startsWith('type ') || harmless.includes(imported)) continue;
        found.push(`${key} ${imported}`);
      }
  }
  for (const match of code.matchAll(
    /(?<![.\w#])(?:fetch|require|eval|WebSocket|EventSource|XMLHttpRequest|WebSocketStream)\s*\(|\bnew\s+(?:WebSocket|EventSource|Function)\b|\bglobalThis\b|\bprocess\s*\.\s*(?:binding|getBuiltinModule|dlopen)\b|\bcreateRequire\b/g,
  ))
    if (!isDefinition(code, match.index, match.index + match[0].length)) found.push(match[0].trim());
  return found;
}

test('nothing but the door can open a connection', () => {
  const wrong = files.flatMap((file) => {
    const permitted = allowed[file] ?? [];
    return findConnectors(readFileSync(join(root, file), 'utf8'))
      .filter((what) => !permitted.includes(what))
      .map((what) => `${file}: ${what}`);
  });
  assert.deepEqual(wrong, []);
});

test('what is permitted is used: no exception outlives its reason', () => {
  for (const [file, permitted] of Object.entries(allowed)) {
    const used = new Set(findConnectors(readFileSync(join(root, file), 'utf8')));
    assert.deepEqual([...used].sort(), [...permitted].sort(), file);
  }
});

test('the parts of the door are taken by the door alone, and one transport is made from the configuration', () => {
  const wrong = files.flatMap((file) => {
    const code = withoutComments(readFileSync(join(root, file), 'utf8'));
    return [...code.matchAll(importPattern)].flatMap(([, isType, clause = '', from]) => {
      const part = /(?:^|\/)(connect|pools|transport)\.ts$/.exec(from ?? '')?.[0]?.replace('/', '');
      const isOwn = part !== undefined && (from!.includes('remote/') || file.startsWith('src/remote/'));
      const isValue = isType === undefined && clause.split(',').some((one) => !/^\s*\{?\s*type\s/.test(one));
      return isOwn && isValue && !insiders[part]!.includes(file) ? [`${file}: ${from}`] : [];
    });
  });
  assert.deepEqual(wrong, []);
});

test('a client beside the door is found, however it is opened', () => {
  for (const text of [
    "import { request } from 'undici';",
    "import * as undici from 'undici';",
    "import undici from 'undici';",
    "import { Agent as A } from 'undici';",
    "import http from 'node:http';",
    "import { get } from 'node:https';",
    "import { get } from 'https';",
    "import { isIP, connect } from 'node:net';",
    "import { Socket } from 'node:net';",
    "import { createSecureContext, connect as dial } from 'node:tls';",
    "import { connect } from 'node:http2';",
    "import { createSocket } from 'node:dgram';",
    "import { resolve } from 'node:dns/promises';",
    "import { spawn } from 'node:child_process';",
    "export { request } from 'undici';",
    "export * from 'node:net';",
    "import 'undici';",
    "const { request } = await import('undici');",
    "const net = await import('node:net');",
    "const net = await import('net');",
    'const any = await import(name);',
    "const any = await import('node:' + name);",
    "const answer = await fetch('https://x.example');",
    'const f = globalThis.fetch;',
    'void fetch(url);',
    'x ? fetch(url) : y;',
    "new WebSocket('wss://x.example');",
    "const net = process.getBuiltinModule('node:net');",
    "import { createRequire } from 'node:module';",
    "const net = require('net');",
    "/* a comment */ import { request } from 'undici'; // and another",
  ])
    assert.notDeepEqual(findConnectors(text), [], text);
  for (const text of [
    "import type { Dispatcher } from 'undici';",
    "import { type Dispatcher } from 'undici';",
    "import { isIP } from 'node:net';",
    "// import { request } from 'undici';",
    'const blob = await spool.fetch(blob);',
    'const spool = { async fetch(blob, open) { return blob; } };',
    'interface Spool { fetch(blob: Blob): Promise<void>; }',
    "const { x } = await import('./x.ts');",
    'this.#require(id);',
  ])
    assert.deepEqual(findConnectors(text), [], text);
});
