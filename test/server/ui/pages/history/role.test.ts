import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { roles } from '../../../../../src/account/model.ts';
import { openCustody } from '../../../../../src/custody/custody.ts';
import { eventually } from '../../../../kit/instance/eventually.ts';
import { startTestServer } from '../../../../kit/instance/server.ts';
import { openTempFolder } from '../../../../kit/instance/temp-folder.ts';
import { delivery } from '../../../../kit/scene/evidence-site.ts';
import { mediumReport, scriptMedia } from '../../../../kit/scene/media-state.ts';
import { signInAs } from '../../../../kit/web/browser-session.ts';
import { toPageText } from '../../../../kit/web/page-text.ts';
import { parseStrictHtml } from '../../../../kit/web/strict-html.ts';

const pages = ['/history', '/history/-/print', '/evidence', '/media/report', '/media/report.json'];
/** Pages that operators may read in any case. */
const carried = ['/deliveries', '/receipts'];
const isAtLeast = (role: (typeof roles)[number], floor: (typeof roles)[number]): boolean =>
  roles.indexOf(role) >= roles.indexOf(floor);

for (const historyRole of roles)
  test(`auth.historyRole ${historyRole}: the records open from that role on, on pages and in the API, and no action does`, async () => {
    await using folder = await openTempFolder();
    const media = scriptMedia(() => Promise.reject(new Error('no import')));
    await using server = await startTestServer({
      folder: folder.path,
      custodySite: 'zone-a',
      zone: 'zone-a',
      historyRole,
      media,
    });
    media.current = { ...media.current, report: mediumReport() };
    const custody = openCustody({ stateRoot: join(folder.path, 'state'), site: 'zone-a' });
    await custody.record({ type: 'handed-over', actor: 'ana', details: { delivery } });
    for (const role of roles) {
      const reads = isAtLeast(role, historyRole);
      const session = await signInAs(server, role, `${role}-of-it`);
      for (const page of [...pages, ...carried]) {
        const isOfOperators = page.startsWith('/media/') || carried.includes(page);
        const floor = isOfOperators && historyRole === 'admin' ? 'operator' : historyRole;
        const answer = await session.get(page);
        assert.equal(answer.status, isAtLeast(role, floor) ? 200 : 403, `${page} as ${role}`);
        const text = toPageText(await answer.text());
        if (answer.status === 403 && !page.endsWith('.json'))
          assert.match(
            text,
            new RegExp(`Ask an administrator for the role ${floor}, or for auth\\.historyRole`),
          );
      }
      const documented = await (await session.get('/api-docs/history')).text();
      assert.match(
        documented,
        new RegExp(`from <bdi translate="no">${historyRole}<.*auth\\.historyRole`, 's'),
        role,
      );
      const overview = await (await session.get('/')).text();
      assert.equal(overview.includes('href="/history"'), reads, role);
      const ask = async (method: string, path: string, body?: object): Promise<number> => {
        const headers = { authorization: server.as[role], 'content-type': 'application/json' };
        const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
        const answer = await server.fetch(`/api/v1${path}`, init);
        await answer.arrayBuffer();
        return answer.status;
      };
      const expected = reads ? 200 : 403;
      assert.equal(await ask('GET', '/history'), expected, role);
      assert.equal(await ask('GET', '/receipts'), reads || role !== 'viewer' ? 200 : 403, role);
      assert.equal(await ask('POST', '/receipts', { receipt: '{}' }), role === 'viewer' ? 403 : 422, role);
      assert.equal(await ask('GET', '/history?format=csv'), expected, role);
      // one pack at a time: the place of the one before is free a moment after its last byte
      const packed = await eventually('a pack', async () => {
        const status = await ask('POST', '/evidence', { delivery });
        return status === 503 ? undefined : status;
      });
      assert.equal(packed, expected, role);
      // the state of the medium and every action keep their floors
      assert.equal(await ask('GET', '/media/verification'), role === 'viewer' ? 403 : 200, role);
      assert.equal(await ask('GET', '/accounts'), role === 'admin' ? 200 : 403, role);
      if (reads) {
        const history = await (await session.get('/history')).text();
        const links = parseStrictHtml(history, '/history');
        assert.match(links.prose, /Evidence for auditors/);
        const isLed = history.includes('href="/media/report"');
        assert.equal(isLed, role === 'viewer', 'others have the page of the medium');
        assert.equal(history.includes('href="/admin/'), role === 'admin');
        const form = await eventually('a pack by the form', async () => {
          const answer = await session.post('/evidence', { delivery, language: 'fr' });
          await answer.arrayBuffer();
          return answer.status === 503 ? undefined : answer.status;
        });
        assert.equal(form, 200, role);
      }
    }
  });
