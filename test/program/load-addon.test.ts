import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadAddon } from '../../scripts/binary/load-addon.ts';
import { isSvcError } from '../../src/text/error.ts';
import { renderError } from '../../src/text/message.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';

test('where no folder allows loading code, the error says what to set, is not reported as a defect, and nothing is left behind', async () => {
  await using folder = await openTempFolder();
  const usable = join(folder.path, 'usable');
  await mkdir(usable);
  const absent = join(folder.path, 'absent');
  const refused = (places: readonly (string | undefined)[], detail: RegExp) =>
    assert.throws(
      () => loadAddon(Buffer.from('no code'), places),
      (error) => {
        assert.ok(isSvcError(error, 'SVC-SRV-008'));
        assert.match(error.detail ?? '', detail);
        assert.doesNotMatch(error.detail ?? '', /svc-/, 'no path of the machine');
        assert.match(renderError(error, 'en').action, /^Set TMPDIR to a folder/);
        assert.match(renderError(error, 'fr').action, /^Donnez à TMPDIR un dossier/);
        return true;
      },
    );
  refused([undefined, '', absent, usable], /^argon2\.node: /);
  refused([usable, absent], /^ENOENT$/);
  assert.deepEqual(await readdir(usable), []);
});
