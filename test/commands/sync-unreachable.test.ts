import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openProgress } from '../../commands/cli/progress.ts';
import { waitForTask } from '../../commands/client/wait-for-task.ts';
import type { Task } from '../../src/contract/task.ts';
import { isSvcError, svcError } from '../../src/text/error.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { runCommand, runInLanguage } from '../kit/program/run-command.ts';
import { svcCommand, svcEnvironment } from '../kit/program/svc.ts';
import { answer, base, startPeer } from '../kit/scene/scripted-instance.ts';

test('an https address of an instance without TLS is answered with the http address, without lines of OpenSSL', async () => {
  await using peer = await startPeer((_req, res) => answer(res, 200, {}));
  const url = peer.url.replace('http:', 'https:');
  const english = await runCommand(['sync', '--instance', url]);
  assert.equal(english.exitCode, 1);
  assert.match(english.stderr, new RegExp(`SVC-SRV-003: .*does not answer in TLS; use ${peer.url}\\.`));
  assert.doesNotMatch(english.stderr, /error:|OPENSSL|^ *- *$/m);
  const french = await runCommand(['sync', '--instance', url], { env: { LC_ALL: 'fr_FR.UTF-8' } });
  assert.match(french.stderr, new RegExp(`ne répond pas en TLS.*utilisez ${peer.url}`));
});

test('an http address of an instance with TLS is answered with the https address', async () => {
  await using peer = await startPeer((_req, res) => answer(res, 200, {}), true);
  const url = peer.url.replace('https:', 'http:');
  const english = await runInLanguage(['sync', '--instance', url], 'en');
  assert.equal(english.exitCode, 1);
  assert.match(english.stderr, new RegExp(`SVC-SRV-003: .*answers in TLS only; use ${peer.url}\\.`));
  const french = await runInLanguage(['sync', '--instance', url], 'fr');
  assert.match(french.stderr, new RegExp(`ne répond qu’en TLS.*utilisez ${peer.url}`));
});

test('the instance of the configuration: paths in place of their settings, and the token that was not given', async () => {
  await using folder = await openTempFolder();
  const at = (name: string) => join(folder.path, name);
  const error = {
    code: 'SVC-VAL-001',
    class: 'failure',
    params: { file: '<retriever.source>', path: 'spec', rule: 'is missing' },
  };
  const items = [{ name: 'shop', status: 'failed', transferredBytes: 0, error }];
  const counts = { total: 1, done: 0, failed: 1, skipped: 0 };
  await using peer = await startPeer((req, res) => {
    if (req.headers.authorization === undefined)
      return answer(res, 401, { code: 'SVC-AUTH-002', class: 'failure', params: {} });
    answer(res, req.method === 'POST' ? 201 : 200, {
      task: { ...base, status: 'failed', principalCode: error.code, items, counts },
    });
  });
  await writeFile(
    at('svc.yaml'),
    JSON.stringify({
      server: { addr: `127.0.0.1:${peer.port}` },
      state: { root: at('my state') },
      retriever: { source: at('retriever.yaml') },
    }),
  );
  const run = (language: 'en' | 'fr', ...more: string[]) =>
    runInLanguage(['sync', '--wait', ...more], language);
  const own = ['--config', at('svc.yaml')];
  assert.doesNotMatch((await run('en', ...own)).stderr, /no token was given/);
  await mkdir(at('my state'));
  await writeFile(at('my state/sync.token'), 'svc_x\n');
  const without = await run('en', ...own);
  assert.equal(without.exitCode, 1);
  assert.ok(
    without.stderr.endsWith(
      `no token was given; quickstart made one for svc sync: add --token-file '${at('my state/sync.token')}'\n`,
    ),
    without.stderr,
  );
  assert.match((await run('fr', ...own)).stderr, /aucun jeton.*ajoutez --token-file/);
  const token = ['--token-file', at('my state/sync.token')];
  const failed = await run('en', ...own, ...token);
  assert.equal(failed.exitCode, 1);
  assert.ok(failed.stderr.includes(at('retriever.yaml')), failed.stderr);
  assert.doesNotMatch(failed.stderr, /<retriever\.source>|no token/);
  // the paths of another machine are not known here
  const named = await run('en', '--instance', peer.url, ...token);
  assert.match(named.stderr, /the configured source/);
  assert.doesNotMatch(named.stderr, /<retriever/);
});

test('a failed connection is described in words, beside the code of the system', async () => {
  const peer = await startPeer(() => {});
  await peer[Symbol.asyncDispose]();
  const english = await runCommand(['sync', '--instance', peer.url]);
  assert.match(english.stderr, /SVC-SRV-003: .*ECONNREFUSED: nothing listens at its address and port/);
  const french = await runCommand(['sync', '--instance', peer.url], { env: { LC_ALL: 'fr_FR.UTF-8' } });
  assert.match(french.stderr, /ECONNREFUSED.*rien n’écoute à son adresse et à son port/);
});

test('the error after a lost instance names the task, and the loss is reported once', async () => {
  const lost = svcError('SVC-SRV-003', { instance: 'http://instance.example', detail: 'ECONNREFUSED' });
  const reached: boolean[] = [];
  using progress = openProgress({ stderr: process.stderr, quietInterval: Number.POSITIVE_INFINITY });
  const waiting = waitForTask({
    task: base as unknown as Task,
    getTask: () => Promise.reject(lost),
    progress,
    language: 'en',
    signal: new AbortController().signal,
    patience: 300,
    onReach: (is) => reached.push(is),
  });
  await assert.rejects(waiting, (error) => {
    assert.ok(isSvcError(error, 'SVC-SRV-003'));
    assert.equal(error.params.task, base.id);
    return true;
  });
  assert.deepEqual(reached, [false]);
});

test('Ctrl-C before the instance answered the trigger says that a task may have been created, and how to see it', async () => {
  const [command, ...first] = svcCommand();
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  await using peer = await startPeer((req) => {
    req.socket.once('close', () => left.resolve());
    asked.resolve();
  });
  const child = spawn(
    command,
    [...first, 'sync', '--wait', '--instance', peer.url, '--storage-root', 'my store'],
    { env: svcEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = once(child, 'close');
  await asked.promise;
  child.kill('SIGINT');
  const [, signal] = await closed;
  await left.promise;
  assert.equal(signal, 'SIGINT');
  assert.match(stderr, /^svc: interrupted before http:\S+ answered; a task that it had created by then/);
  assert.ok(
    stderr.endsWith(`\n  svc task list --type sync --storage-root 'my store' --instance ${peer.url}\n`),
    stderr,
  );
});

test('Ctrl-C after the instance was lost does not claim that the task continues', async () => {
  const [command, ...first] = svcCommand();
  await using peer = await startPeer((req, res) => {
    if (req.method === 'POST') answer(res, 201, { task: base });
    else req.socket.destroy();
  });
  const child = spawn(command, [...first, 'sync', '--wait', '--instance', peer.url], {
    env: svcEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (/does not answer .*waiting up to 60 s for task tsk_0123456789ab/.test(text)) child.kill('SIGINT');
  });
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGINT');
  assert.match(stderr, /interrupted; the outcome of task tsk_0123456789ab is not known/);
  assert.doesNotMatch(stderr, /continues on/);
});
