import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { openTempFolder } from '../../kit/instance/temp-folder.ts';
import { needs } from '../../kit/program/peers.ts';
import { findEnglish, runCommand } from '../../kit/program/run-command.ts';
import { typeInto } from '../../kit/program/type-into.ts';

const french = { LC_ALL: 'fr_FR.UTF-8' };

const dialogue = [
  ['› Usage', '\r'],
  ['› Retriever', '\r'],
  ['› Zone', 'zone-b\r'],
  ['› Livre', 'registry.example/cookbook\r'],
  ['› Recette', 'shop@2.3\r'],
  ['doit être une version exacte ou un intervalle', '\u0015shop\r'],
  ['› Clé publique', 'absent.pub\r'],
  ['absent.pub n’existe pas', '\u0015\r'],
  ['registry.example est-il joint en HTTP simple (sans TLS)\u00a0?', '\r'],
  ['› Identifiants', 'absent.json\r'],
  ['absent.json n’existe pas', '\u0015\r'],
  ['› Stockage', '\r'],
  ['› État', '\r'],
  ['› Administrateur', '\r'],
  ['› Démarrer', 'n\r'],
  ['Mot de passe\u00a0: ', 'one\r'],
  ['Mot de passe, à nouveau\u00a0: ', 'two\r'],
  ['Mot de passe\u00a0: ', 'the right one\r'],
  ['Mot de passe, à nouveau\u00a0: ', 'the right one\r'],
] as const;

test('on a terminal, quickstart asks and answers in French', async (t) => {
  const script = needs(t, 'script');
  if (!script) return;
  await using folder = await openTempFolder();
  const { exitCode, screen } = await typeInto(
    script,
    ['quickstart', '--server-addr', '127.0.0.1:0'],
    dialogue,
    {
      cwd: folder.path,
      env: french,
    },
  );
  assert.equal(exitCode, 0, screen);
  for (const text of [
    'svc quickstart\u00a0: une instance sur cette machine',
    'Entrée\u00a0: valider, Échap\u00a0: revenir',
    '✓ Démarrer\u00a0?      non',
    'les deux mots de passe diffèrent\u00a0; recommencez',
    'l’instance est prête\u00a0; démarrez-la avec\u00a0:',
    '  svc serve --config ',
    'publiez-la et signez-la (pour --key-password-file, nommez le fichier dont la première ligne est le mot de passe de la clé)\u00a0:',
    'remplissez le support, dans un autre terminal\u00a0:',
  ])
    assert.ok(screen.includes(text), `${text}\n${screen}`);
  assert.equal(
    findEnglish(screen.replaceAll(/^.*"logType".*$/gm, '').replaceAll(folder.path, '')),
    undefined,
  );
});

test('without a terminal, the configuration has French comments and the same settings', async () => {
  await using folder = await openTempFolder();
  const args = ['quickstart', '--mode', 'mirror', '--server-addr', '127.0.0.1:0', '--password-stdin'];
  const done = await runCommand(args, { cwd: folder.path, input: 'a good secret\n', env: french });
  assert.equal(done.exitCode, 0, done.stderr);
  const text = await readFile(join(folder.path, 'svc.yaml'), 'utf8');
  assert.match(text, /^# Instance de svc, écrite par svc quickstart/);
  assert.equal(parse(text).mode, 'mirror');
});
