import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireDestination } from '../../src/archive/destination.ts';
import { indexPath, layoutPath, layoutText } from '../../src/oci/layout.ts';
import { isSvcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { toArchive } from '../kit/content/tar-archive.ts';
import { leaveSocket } from '../kit/hostile/leave-socket.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

const taken = (error: unknown): boolean => isSvcError(error, 'SVC-LAY-003');
const layout = { [layoutPath]: layoutText, [indexPath]: '{"schemaVersion":2,"manifests":[]}' };

test('an archive replaces only an archive that is a layout', async () => {
  await using folder = await openTempFolder();
  const at = (name: string) => join(folder.path, name);
  await writeFile(at('layout.tar'), toArchive(layout));
  await writeFile(at('other.tar'), toArchive({ 'letter.txt': 'dear' }));
  await writeFile(at('mixed.tar'), toArchive({ ...layout, 'letter.txt': 'dear' }));
  await writeFile(at('unmarked.tar'), toArchive({ [indexPath]: '{}' }));
  await writeFile(at('config.yaml'), 'mode: mirror\n');
  await writeFile(at('empty'), '');
  await symlink(at('layout.tar'), at('link.tar'));
  await leaveSocket(at('socket'), at('s'));
  await requireDestination(at('none.tar'), 'tar', true);
  await requireDestination(at('layout.tar'), 'tar', true);
  await assert.rejects(requireDestination(at('layout.tar'), 'tar', false), taken);
  for (const name of ['other.tar', 'mixed.tar', 'unmarked.tar', 'config.yaml', 'empty', 'link.tar', 'socket'])
    await assert.rejects(requireDestination(at(name), 'tar', true), taken, name);
});

test('a folder with a file of the name index.json is not a layout for that', async () => {
  await using folder = await openTempFolder();
  await writeFile(join(folder.path, indexPath), '{}');
  await assert.rejects(requireDestination(folder.path, 'directory', true), taken);
  await writeFile(join(folder.path, layoutPath), layoutText);
  await requireDestination(folder.path, 'directory', true);
  await mkdir(join(folder.path, 'letters'));
  await assert.rejects(requireDestination(folder.path, 'directory', true), (error) => {
    assert.ok(isSvcError(error, 'SVC-LAY-003'), String(error));
    const { what, action } = renderError(error, 'en');
    assert.match(what, /it has letters, which is no part of a layout/);
    assert.doesNotMatch(action, /--overwrite/, 'it replaces layouts only');
    return true;
  });
});
