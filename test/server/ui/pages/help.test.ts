import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { errorCodes } from '../../../../src/text/errors/codes.ts';
import { startTestServer } from '../../../kit/instance/server.ts';
import { openTempFolder } from '../../../kit/instance/temp-folder.ts';

test('the help page has an anchor for every code, once, in both languages', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, authDisabled: true });
  for (const language of ['en', 'fr']) {
    const answer = await server.fetch('/help', { headers: { 'accept-language': language } });
    const ids = Array.from((await answer.text()).matchAll(/ id="(SVC-[A-Z]+-[0-9]+)"/g), ([, id]) => id);
    assert.deepEqual(ids.toSorted(), [...errorCodes].toSorted());
  }
});

test('pages that never change are the same compressed and plain, and have the header of each reader', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path });
  const get = async (path: string, encoding: string, authorization: string, language = 'en') => {
    const sent = request(`${server.url}${path}`, {
      headers: {
        authorization,
        'accept-encoding': encoding,
        'accept-language': language,
        accept: 'text/html',
      },
    }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const bytes = await buffer(answer);
    assert.equal(answer.headers['content-length'], String(bytes.length));
    assert.equal(answer.headers['content-encoding'], encoding === 'gzip' ? 'gzip' : undefined);
    const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    return text.replaceAll(/name="csrf" value="[^"]*"|data-foot="[^"]*"/g, '');
  };
  for (const path of ['/help', '/api-docs/accounts'])
    for (const language of ['en', 'fr']) {
      const [admin, viewer] = [server.as.admin, server.as.viewer];
      const plain = await get(path, 'identity', admin, language);
      for (let i = 0; i < 2; i += 1) assert.equal(await get(path, 'gzip', admin, language), plain);
      const other = await get(path, 'gzip', viewer, language);
      assert.notEqual(other, plain);
      assert.equal(await get(path, 'identity', viewer, language), other);
      assert.match(plain, language === 'fr' ? /lang="fr"/ : /lang="en"/);
      assert.doesNotMatch(plain, /\0|\ufffd/);
    }
});

test('an entry with several causes shows each beside its own remedy, and joins none by a word', async () => {
  await using folder = await openTempFolder();
  await using server = await startTestServer({ folder: folder.path, authDisabled: true });
  for (const [language, joint] of [
    ['en', 'Or:'],
    ['fr', 'Ou bien'],
  ] as const) {
    const answer = await server.fetch('/help', { headers: { 'accept-language': language } });
    const facts = Array.from((await answer.text()).matchAll(/<dl[\s\S]*?<\/dl>/g), ([text]) => text);
    assert.ok(facts.length > errorCodes.length && !facts.join('').includes(joint), language);
  }
  const page = await (await server.fetch('/help')).text();
  assert.match(
    page,
    /There is a signature, but it cannot be read\.<\/dt><dd>Have it signed again by a trusted key\.<\/dd>/,
  );
});
