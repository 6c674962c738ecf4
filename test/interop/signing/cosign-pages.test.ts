import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toFingerprint } from '../../../src/attest/public-key.ts';
import { buildIndex } from '../../kit/content/content.ts';
import { toOrigin } from '../../kit/content/origin.ts';
import { adminPassword } from '../../kit/instance/instance.ts';
import { collectOutput } from '../../kit/program/collect-output.ts';
import { openNames } from '../../kit/program/open-names.ts';
import { needs } from '../../kit/program/peers.ts';
import { trackChild } from '../../kit/program/svc.ts';
import { openRehearsal } from '../../kit/scene/rehearsal.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');

/** The flags by which a client reaches a registry without TLS: the pages name registries with it. */
const plain: Readonly<Record<string, string>> = {
  cosign: 'case "$1" in sign | verify) verb=$1; shift; set -- "$verb" --allow-http-registry "$@";; esac',
  crane: 'set -- "$@" --insecure',
  skopeo: 'case "$1" in login) shift; set -- login --tls-verify=false -u admin --password-stdin "$@";; esac',
};

test('what the pages tell a publisher to type works without access to public services', async (t) => {
  const programs = Object.keys(plain).map((name) => [name, needs(t, name)] as const);
  if (programs.some(([, path]) => path === undefined)) return;
  if (needs(t, 'openssl') === undefined) return;
  await using world = await openRehearsal();
  const origin = await world.start('origin');
  // every other host is answered with 502
  await using names = await openNames({ 'registry.example': origin });
  const published = toOrigin(origin);
  const web = buildIndex('web', ['linux/amd64']);
  await published.put('shop/web', web, '1.4.0');
  const recipe = buildIndex('recipe', ['linux/amd64']);
  await published.put('cookbook/shop', recipe, '1.4.0');
  const { digest } = recipe.manifest.descriptor;

  await mkdir(world.path('bin'));
  for (const [name, path] of programs) {
    await writeFile(world.path('bin', name), `#!/bin/sh\n${plain[name]}\nexec '${path}' "$@"\n`);
    await chmod(world.path('bin', name), 0o755);
  }
  const auth = Buffer.from(`admin:${adminPassword}`).toString('base64');
  await mkdir(world.path('docker'));
  await writeFile(
    world.path('docker', 'config.json'),
    JSON.stringify({ auths: { 'registry.example': { auth } } }),
  );
  const env = {
    PATH: `${world.path('bin')}:${process.env.PATH ?? ''}`,
    HOME: world.folder,
    DOCKER_CONFIG: world.path('docker'),
    COSIGN_PASSWORD: '',
    HTTP_PROXY: names.url,
    HTTPS_PROXY: names.url,
  };
  const run = async (line: string): Promise<string> => {
    const child = trackChild(
      spawn('/bin/sh', ['-c', line.replaceAll('sha256:…', digest)], {
        cwd: world.folder,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        timeout: 60_000,
      }),
    );
    const { exitCode, stdout, stderr } = await collectOutput(child, adminPassword);
    assert.equal(exitCode, 0, `${line}\n${stdout}\n${stderr}`);
    return stdout.trim();
  };

  // where a page has the digest that the push printed
  await writeFile(world.path('digest'), `${digest}\n`);
  const lines: string[] = [];
  for (const name of (await readdir(docs, { recursive: true }))
    .filter((each) => each.endsWith('.md'))
    .sort()) {
    const page = await readFile(join(docs, name), 'utf8');
    // commands for a release of svc, a key in hardware, and statements of deliveries run where there is one
    const typed = [...page.matchAll(/^ *```[a-z]*\n(.*?)^ *```$/gms)].map(([, block]) => block).join('\n');
    for (const [line] of typed.matchAll(/^ *(?:cosign|crane|openssl pkey|skopeo login) .*$/gm))
      if (!lines.includes(line.trim()) && !/svc-release\.pub|hardware|verify-blob-attestation/.test(line))
        lines.push(line.trim());
  }
  // the keys are created on one page and used on several
  const isCreation = (line: string) => line.startsWith('cosign generate-key-pair');
  lines.sort((a, b) => Number(isCreation(b)) - Number(isCreation(a)));
  // the pair of the page on trust, which names `svc key new` and cosign for it
  await run('cosign generate-key-pair --output-key-prefix=release-2026');
  // the commands run on this machine, in a folder of their own
  for (const line of lines) assert.doesNotMatch(line, / \/(?!dev\/)/);
  const printed = new Map<string, string>();
  for (const line of lines) printed.set(line, await run(line));
  assert.ok(lines.filter((line) => line.startsWith('cosign sign')).length >= 2, lines.join('\n'));

  const tag = lines.find((line) => line.startsWith('crane digest'))!;
  assert.equal(printed.get(tag), web.manifest.descriptor.digest);
  const login = JSON.parse(await readFile(world.path('docker.json'), 'utf8'));
  assert.equal(login.auths['registry.example'].auth, auth);
  for (const line of lines.filter((one) => one.startsWith('openssl'))) {
    const [, file] = / -in (\S+)/.exec(line)!;
    const key = await readFile(world.path(file!), 'utf8');
    assert.equal(printed.get(line)!.split(' ')[0], toFingerprint(createPublicKey(key)), line);
  }
});
