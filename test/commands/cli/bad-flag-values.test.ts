import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CommandDefinition } from '../../../commands/cli/command-definition.ts';
import { describeCommands } from '../../../commands/cli/describe-command.ts';
import { configEntries } from '../../../src/config/schema.ts';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { findEnglish, runInLanguage } from '../../kit/program/run-command.ts';

/** Values that each flag refuses. */
const refused: Readonly<Record<string, readonly string[]>> = {
  '--action': ['bogus'],
  '--admin': ['a b'],
  '--by': ['bogus'],
  '--cursor': ['a b'],
  '--cookbook': ['http://registry.example/cookbook', 'no host'],
  '--delivery': ['bogus'],
  '--destination': ['http://registry.example', 'a b'],
  '--for': ['bogus'],
  '--format': ['bogus'],
  '--from': [''],
  '--index': ['bogus'],
  '--insecure': ['http://registry.example', 'a b'],
  '--instance': ['bogus', 'ftp://registry.example'],
  '--kind': ['bogus'],
  '--layout': ['bogus'],
  '--log-level': ['bogus'],
  '--mode': ['bogus'],
  '--outcome': ['bogus'],
  '--to': ['bogus'],
  '--output': ['bogus'],
  '--page': ['0', 'x'],
  '--page-size': ['0', 'x', '99999999'],
  '--platform': ['bogus', 'a/b/c/d/e'],
  '--proxy-url': ['not a url'],
  '--push': ['http://registry.example/x', 'x'],
  '--push-charts': ['http://registry.example/x'],
  '--push-filesets': ['http://registry.example/x'],
  '--recipe': ['packages^1', 'Zone B', 'shop@'],
  '--registry': ['ftp://registry.example', 'a b'],
  '--repository': ['Not Valid', 'UP'],
  '--request-timeout': ['x', '-1s', '0'],
  '--role': ['bogus'],
  '--sample': ['x', '-1', '0'],
  '--server-addr': ['x y'],
  '--set-version': ['x', '1.0'],
  '--shutdown-grace-period': ['abc'],
  '--order': ['bogus'],
  '--since': ['yesterday'],
  '--sort': ['bogus'],
  '--volume-size': ['x', '0'],
  '--expires': ['x', '0'],
  '--redact': ['x'],
  '--state': ['bogus'],
  '--status': ['bogus'],
  '--tag': ['x', '=1', 'a=b c'],
  '--type': ['bogus'],
  '--vendor-to': ['http://registry.example/x'],
  '--wait-timeout': ['x', '-1s'],
  '--zone': ['Zone B', ''],
};

/** Flags that take any text, or the name of a file, whose absence is a failure of the machine. */
const free: ReadonlySet<string> = new Set([
  ...[
    '--approver',
    '--reason',
    '--predicate',
    '--config',
    '--storage-root',
    '--state-root',
    '--tls-cert-file',
    '--tls-key-file',
    '--token-file',
  ],
  ...['--credentials-file', '--directory', '--env-file', '--gpg-key', '--key', '--key-password-file'],
  ...['--key-pub', '--keys', '--out', '--password-file', '--payload', '--payload-out', '--prefix'],
  ...[
    '--actor',
    '--subject',
    '--text',
    '--peer-ledger',
    '--peer-site',
    '--retriever',
    '--search',
    '--program-key',
    '--sign-key',
    '--signature',
    '--tags',
    '--trust-key',
    '--trust-root',
    '--keyring',
    '--against',
    '--base',
    '--values',
    '--with-program',
  ],
]);

/** Pairs that are looked up and not parsed: words of a filter, or a name whose absence is a failure. */
const lookedUp: ReadonlySet<string> = new Set([
  'client config --recipe',
  'client test --recipe',
  'deliveries --zone',
]);

const folder = await openTempFolder();
after(() => folder[Symbol.asyncDispose]());
const at = (name: string): string => join(folder.path, name);

before(async () => {
  await mkdir(at('tree'));
  await writeFile(at('tree/file'), 'text');
  await writeFile(at('images.txt'), 'docker.io/library/nginx:1.2\n');
  await writeFile(at('draft.yaml'), 'kind: Recipe\n');
});

const place = 'localhost:1/cookbook/shop:1.0.0';
const instance = ['--instance', 'http://127.0.0.1:1'];
const task = ['tsk_0123456789ab', ...instance];

/** Arguments that make the rest of a command line valid. */
const rest: Readonly<Record<string, readonly string[]>> = {
  quickstart: [
    ...['--for', 'source', '--password-stdin', '--config', at('svc.yaml'), '--server-addr', '127.0.0.1:0'],
    ...['--cookbook', 'localhost/c', '--zone', 'zone-b', '--recipe', 'shop', '--trust-key', at('none.pub')],
    ...['--storage-root', at('made/store'), '--state-root', at('made/state')],
  ],
  sync: [...instance, '--wait'],
  'task list': instance,
  'task show': task,
  'task log': task,
  'task wait': task,
  'recipe mapping': ['shop'],
  'content show': ['x/y'],
  export: [at('out')],
  import: [at('tree')],
  'fileset pack': [at('tree'), 'a:1.0.0'],
  'recipe init': ['shop', '--from', at('images.txt')],
  'recipe pin': [at('draft.yaml')],
  'recipe push': [at('draft.yaml'), place],
  'recipe sign': [place, '--key', at('none.key')],
  'recipe show': ['shop@1.0.0'],
  'recipe diff': ['a', 'b'],
  'recipe lint': [at('draft.yaml')],
  'retriever init': ['zone-b', '--cookbook', 'localhost/cookbook', '--recipe', 'shop'],
  'retriever lint': [at('draft.yaml')],
  'retriever resolve': [at('draft.yaml')],
  'key new': [at('key')],
  'key show': [at('none.pub')],
  'media show': [at('tree')],
  'media prove': [at('tree')],
  'media write': [at('tree'), '--zone', 'zone-b'],
  'media forget': ['dlv_0123456789ab'],
  'custody approve': ['shop@1.0.0', '--key', at('none.key')],
  'custody note': ['--delivery', 'dlv_0123456789ab', '--type', 'handed-over', '--text', 'seal 4711'],
  'evidence verify': [at('none')],
  'receipt add': [at('none.json')],
  'receipt show': [at('none.json')],
  'user add': ['anna', '--password-stdin'],
  'user passwd': ['anna'],
  'user role': ['anna', 'admin'],
  'user remove': ['anna'],
  'token create': ['nodes'],
  'token revoke': ['nodes'],
  'client config': ['containerd'],
  'client test': ['containerd'],
  'trust fingerprint': [at('none.pub')],
  explain: ['SVC-STO-001'],
  completion: ['bash'],
};

/** The command line in which a flag has a value that it refuses. */
function toArgs({ path }: CommandDefinition, flag: string, value: string): readonly string[] {
  const name = path.join(' ');
  // a setup has either a Retriever of its own or a destination
  const own =
    name === 'quickstart' && flag === '--destination'
      ? [
          '--for',
          'medium',
          '--config',
          at('svc.yaml'),
          '--zone',
          'zone-b',
          '--storage-root',
          at('tree'),
          '--server-addr',
          '127.0.0.1:0',
        ]
      : (rest[name] ?? []);
  return [...path, ...own, `${flag}=${value}`];
}

test('a bad value of any flag of any command exits with 2, and the flag or its value is named', async () => {
  const env = { SVC_DESTINATION_REGISTRY: 'localhost:1', SVC_API_TOKEN: 'x' };
  const wrong: string[] = [];
  let judged = 0;
  for (const command of await describeCommands()) {
    const name = command.path.join(' ');
    for (const { names, takesValue } of command.flags) {
      const flag = names.find((each) => each.startsWith('--'))!;
      if (!takesValue) continue;
      assert.ok(free.has(flag) || refused[flag] !== undefined, `${name} ${flag}: add it to a list above`);
      if (lookedUp.has(`${name} ${flag}`)) continue;
      for (const value of refused[flag] ?? []) {
        judged += 1;
        const { exitCode, stderr } = await runInLanguage(toArgs(command, flag, value), 'en', env);
        const text = stderr.replace(/\s+/g, ' ');
        const isNamed = text.includes(flag.slice(2)) || (value !== '' && text.includes(value));
        if (exitCode !== 2 || !isNamed) wrong.push(`${exitCode} ${name} ${flag}=${value}: ${text}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(judged > 300, String(judged));
});

test('the same value of a setting from the environment or the configuration file exits with 1 and a code', async () => {
  for (const { key, flag, env } of configEntries) {
    if (flag === undefined || env === undefined) continue;
    for (const value of refused[flag] ?? []) {
      if (value === '') continue;
      const path = at('wrong.json');
      const nested = key.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
      await writeFile(path, JSON.stringify(nested));
      for (const [args, variables] of [
        [['config', 'dump'], { [env]: value }],
        [['config', 'dump', '--config', path], {}],
      ] as const) {
        const { exitCode, stderr } = await runInLanguage(args, 'en', variables);
        assert.equal(exitCode, 1, `${flag} ${value}: ${stderr}`);
        assert.match(stderr, /SVC-CFG-001/);
        assert.ok(stderr.includes(key), stderr);
      }
    }
  }
});

test('the refusal of a recipe in a setup is French for a French user', async () => {
  const { stderr } = await runInLanguage(['quickstart', ...rest.quickstart!, '--recipe=Zone B'], 'fr');
  assert.match(stderr, /--recipe Zone B n’est pas valable/);
  assert.equal(findEnglish(stderr), undefined);
});
