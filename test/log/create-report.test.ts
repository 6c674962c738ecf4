import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { type LogLevel, silentReport } from '../../src/base/report.ts';
import { createReport, type ReportOptions } from '../../src/log/create-report.ts';
import { teeReport } from '../../src/log/tee-report.ts';
import { svcError } from '../../src/text/error.ts';
import { createRecordingReport } from '../kit/instance/recording-report.ts';

function createFixture(options: Partial<ReportOptions> = {}) {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line), on: () => undefined };
  const report = createReport({
    level: 'debug',
    stream,
    pretty: false,
    meter: silentReport.meter,
    ...options,
  });
  return {
    report,
    lines,
    record: () => JSON.parse(lines.at(-1)!) as Record<string, unknown>,
  };
}

test('a record is one line of JSON: time, level, message, then the fields', () => {
  const { report, lines, record } = createFixture();
  report.log('warn', 'Something happened', { runId: 'r1', recipe: 'web', absent: undefined, count: 3 });
  assert.ok(lines[0]!.endsWith('}\n'));
  const { ts, ...rest } = record();
  assert.match(ts as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, { level: 'warn', msg: 'Something happened', runId: 'r1', recipe: 'web', count: 3 });
  assert.deepEqual(Object.keys(record()).slice(0, 3), ['ts', 'level', 'msg']);
});

test('records below the level are dropped, at each level', () => {
  const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
  for (const [i, level] of order.entries()) {
    const { report, lines } = createFixture({ level });
    for (const each of order) report.log(each, each);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).level),
      order.slice(i),
    );
  }
});

test('the same record told many times is written as often', () => {
  const { report, lines } = createFixture();
  for (let i = 0; i < 100; i += 1) report.log('info', 'again', { same: true });
  assert.equal(lines.length, 100);
});

test('an audit record has its schema and is written at every level', () => {
  const { report, record } = createFixture({ level: 'error', fields: { instance: 'x' } });
  report.child({ correlationId: 'c1' }).audit({
    actor: 'ana',
    action: 'account.create',
    target: 'bo',
    outcome: 'success',
    origin: '192.0.2.1',
    details: { role: 'viewer', actor: 'forged', logType: 'forged' } as never,
  });
  const { ts, ...rest } = record();
  assert.equal(typeof ts, 'string');
  assert.deepEqual(rest, {
    level: 'info',
    msg: 'Audit: account.create',
    instance: 'x',
    correlationId: 'c1',
    auditSchema: 1,
    logType: 'audit',
    actor: 'ana',
    action: 'account.create',
    target: 'bo',
    outcome: 'success',
    origin: '192.0.2.1',
    role: 'viewer',
  });
});

test('a child carries its fields, and a record may have its own of the name', () => {
  const { report, record } = createFixture({ fields: { a: 1 } });
  report.child({ b: 2 }).child({ c: 3 }).log('info', 'x', { b: 4 });
  const { ts: _ts, ...rest } = record();
  assert.deepEqual(rest, { level: 'info', msg: 'x', a: 1, b: 4, c: 3 });
});

test('no field takes the place of time, level or message', () => {
  const { report, record } = createFixture();
  report.log('info', 'true', { ts: 'forged', level: 'forged', msg: 'forged' });
  assert.equal(record().level, 'info');
  assert.equal(record().msg, 'true');
  assert.notEqual(record().ts, 'forged');
});

test('what could steer a terminal or forge a line leaves as an escape, and JSON still means the same', () => {
  const hostile = 'a\nb\r\x1b[31mred\x07 \u009b2J \u202eevil\u2066 \u2028 \x7f \ufeff "q" \\';
  const { report, lines, record } = createFixture();
  report.log('info', hostile, { recipe: hostile, [hostile]: 1 });
  assert.doesNotMatch(lines[0]!.slice(0, -1), /[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]/);
  assert.equal(record().msg, hostile);
  assert.equal(record().recipe, hostile);

  const pretty = createFixture({ pretty: true });
  pretty.report.log('info', hostile, { recipe: hostile, [hostile]: [hostile] });
  assert.doesNotMatch(pretty.lines[0]!.slice(0, -1), /[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff]/);
});

test('pretty lines show time, level, message and fields for people', () => {
  const { report, lines } = createFixture({ pretty: true });
  report.log('warn', 'Disk is slow', { recipe: 'web', note: 'two words', count: 2 });
  assert.match(lines[0]!, /^\d\d:\d\d:\d\d WARN {2}Disk is slow {2}recipe=web note="two words" count=2\n$/);
  report.audit({ actor: 'ana', action: 'prune', target: 'app:1', outcome: 'success' });
  assert.match(lines[1]!, / AUDIT Audit: prune .*actor=ana/);
  assert.ok(!lines.join('').includes('\x1b'));
  const coloured = createFixture({ pretty: true, colours: true });
  coloured.report.log('error', 'x');
  assert.match(coloured.lines[0]!, /\x1b\[31mERROR/);
});

test('secrets appear nowhere: not in messages, fields, nested values, errors or encoded', () => {
  const secret = 'p@ss/word "1"';
  const token = `svc_${'aB3_-'.repeat(9).slice(0, 43)}`;
  const redact = new Set<string>();
  for (const pretty of [false, true]) {
    const { report, lines } = createFixture({ redact, pretty });
    redact.add(secret);
    redact.add('ab');
    const error = new Error(`proxy said ${secret}`, { cause: new Error(encodeURIComponent(secret)) });
    report.log('error', `failed with ${secret} and ${token}`, {
      list: [{ deep: [secret, token] }],
      error,
      coded: svcError(
        'SVC-NET-001',
        { proxy: `http://user:${encodeURIComponent(secret)}@proxy` },
        { cause: error },
      ),
      password: 'other',
      Authorization: 'Basic eHg6eXk=',
      nested: { cookie: 'svc_session=abc', token: 5 },
      short: 'ab',
    });
    report.audit({
      actor: secret,
      action: 'token.create',
      outcome: 'success',
      target: token,
      details: { secret: 'x' } as never,
    });
    const all = lines.join('');
    for (const hidden of [
      secret,
      'p@ss',
      encodeURIComponent(secret),
      token,
      'other',
      'eHg6eXk',
      'svc_session',
    ]) {
      assert.ok(!all.includes(hidden), `${hidden} in ${all}`);
    }
    assert.match(all, /REDACTED/);
    assert.doesNotMatch(all, /short"?[:=]"?ab/);
  }
});

test('URLs are logged without user information, query and fragment', () => {
  const cases = [
    ['https://user:pass@host.example/a/b?token=1#frag', 'https://host.example/a/b'],
    ['see http://u@h/p?x, then "oci://r/x:1?y"', 'see http://h/p then "oci://r/x:1"'],
    ['https://host?u=a@b', 'https://host'],
    ['https://a@b@c/d', 'https://c/d'],
    ['publish user:pa@ss@reg.example/x:1 failed', 'publish reg.example/x:1 failed'],
    ['user:secret@reg.example:5000/x', 'reg.example:5000/x'],
    ['token:ci@zone', 'token:ci@zone'],
    ['alpine:3@sha256:00 a/b:1@sha256:00', 'alpine:3@sha256:00 a/b:1@sha256:00'],
    ['https://h/p@q', 'https://h/p@q'],
    ['://', '://'],
    ['x://?', 'x://'],
    ['no url, a@b?c', 'no url, a@b?c'],
    ['http://[2001:db8::1]:5000/v2/?n=1', 'http://[2001:db8::1]:5000/v2/'],
  ] as const;
  const { report, record } = createFixture();
  for (const [given, expected] of cases) {
    report.log('info', 'x', { source: given });
    assert.equal(record().source, expected);
  }
});

test('any value can be logged: endless, circular, huge, odd', () => {
  const { report, lines, record } = createFixture();
  const circular: Record<string, unknown> = { name: 'loop' };
  circular.self = circular;
  report.log('info', 'x'.repeat(1_000_000), {
    circular,
    big: 10n,
    nan: Number.NaN,
    date: new Date(0),
    broken: new Date(Number.NaN),
    bytes: Buffer.alloc(5),
    call: () => 1,
    symbol: Symbol('s'),
    nothing: null,
    many: Array.from({ length: 100_000 }, (_, i) => i),
    text: 'y'.repeat(1_000_000),
    lone: '\ud800',
  });
  assert.ok(lines[0]!.length < 100_000);
  const { big, nan, date, broken, bytes, nothing, call, symbol, lone } = record();
  assert.deepEqual(
    { big, nan, date, broken, bytes, nothing, call, symbol, lone },
    {
      big: '10',
      nan: 'NaN',
      date: '1970-01-01T00:00:00.000Z',
      broken: null,
      bytes: '5 bytes',
      nothing: null,
      call: undefined,
      symbol: undefined,
      lone: '\ud800',
    },
  );
});

test('a coded error shows code, parameters and causes, no stack', () => {
  const { report, record } = createFixture();
  const cause = Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
  report.log('error', 'x', { error: svcError('SVC-REG-002', { host: 'h' }, { cause }) });
  assert.deepEqual(record().error, {
    code: 'SVC-REG-002',
    params: { host: 'h' },
    detail: 'no such host',
    cause: { name: 'Error', message: 'no such host', code: 'ENOTFOUND' },
  });
});

test('a stream that fails ends the writing, never the work', () => {
  let written = 0;
  const listeners: ((error: Error) => void)[] = [];
  const stream = {
    write: () => {
      written += 1;
      if (written === 3) throw new Error('destroyed');
    },
    on: (_event: 'error', listener: (error: Error) => void) => listeners.push(listener),
  };
  const { report } = createFixture({ stream });
  report.log('info', 'one');
  report.log('info', 'two');
  report.log('info', 'three');
  report.log('info', 'four');
  assert.equal(written, 3);

  const other = createFixture({ stream: { ...stream, write: () => (written += 1) } });
  listeners.at(-1)!(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  other.report.log('info', 'x');
  assert.equal(written, 3);
});

test('a log goes on when its volume has room again, and says that records are missing', () => {
  const lines: string[] = [];
  const listeners: ((error: Error) => void)[] = [];
  let isFull = false;
  const fail = (code: string): void => {
    for (const listener of listeners) listener(Object.assign(new Error(code), { code }));
  };
  const stream = {
    write: (line: string) => {
      if (isFull) fail('ENOSPC');
      else lines.push(line);
    },
    on: (_event: 'error', listener: (error: Error) => void) => listeners.push(listener),
  };
  const { report } = createFixture({ stream });
  report.log('info', 'before');
  isFull = true;
  report.log('info', 'lost');
  // the stream of a process closes for the rest of the turn
  fail('ERR_STREAM_DESTROYED');
  report.log('info', 'lost too');
  isFull = false;
  report.log('info', 'after');
  report.log('info', 'last');
  assert.ok(lines[1]!.startsWith('\n'), 'the line before may be incomplete');
  const records = lines.join('').split('\n').filter(Boolean);
  assert.deepEqual(
    records.map((line) => JSON.parse(line)).map(({ msg, code }) => code ?? msg),
    ['before', 'ENOSPC', 'after', 'last'],
  );
  fail('EPIPE');
  report.log('info', 'nobody reads this');
  assert.equal(lines.length, 3);
});

test('a process whose log reader leaves works on to its end', async () => {
  const module = new URL('../../src/log/create-report.ts', import.meta.url).href;
  const program = `
    import { createReport } from ${JSON.stringify(module)};
    const meter = { add() {}, set() {} };
    const report = createReport({ level: 'info', stream: process.stderr, pretty: false, meter });
    process.stdin.once('data', async () => {
      for (let i = 0; i < 200; i += 1) {
        report.log('info', 'x'.repeat(1000));
        await new Promise(setImmediate);
      }
      console.log('to the end');
      process.exit(0);
    });
    report.log('info', 'ready');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  await once(child.stderr, 'data');
  child.stderr.destroy();
  child.stdin.end('go');
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  assert.deepEqual([out, code], ['to the end\n', 0]);
});

test('a tee tells every report and counts once', () => {
  const [first, second] = [createRecordingReport(), createRecordingReport()];
  const counted: string[] = [];
  const meter = { add: (name: string) => counted.push(name), set: () => {} };
  const tee = teeReport({ ...first, meter }, second);
  tee.log('info', 'one');
  tee.audit({ actor: 'a', action: 'prune', target: 'app:1', outcome: 'success' });
  tee.meter.add('svc_gc_runs_total', 1);
  tee.child({ runId: 'r' }).log('info', 'two');
  for (const report of [first, second]) {
    assert.deepEqual(
      report.records.map(({ message, fields }) => [message, fields.runId]),
      [
        ['one', undefined],
        ['two', 'r'],
      ],
    );
    assert.equal(report.audits.length, 1);
  }
  assert.deepEqual(counted, ['svc_gc_runs_total']);
});
