import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes } from '../../../../src/base/catalogue.ts';
import { startTestServer } from '../../../kit/instance/server.ts';
import { openTempFolder } from '../../../kit/instance/temp-folder.ts';

test('the help page has an anchor for every code of the catalogue, once, in both languages', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, authDisabled: true });
  for (const language of ['en', 'fr']) {
    const answer = await server.fetch('/help', { headers: { 'accept-language': language } });
    const ids = Array.from((await answer.text()).matchAll(/ id="(SVC-[A-Z]+-[0-9]+)"/g), ([, id]) => id);
    assert.deepEqual(ids.toSorted(), [...errorCodes].toSorted());
  }
});
