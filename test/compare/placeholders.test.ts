import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toComparable } from '../../scripts/compare/placeholders.ts';

const known = new Map([
  ['/tmp/older', '<folder>'],
  ['/tmp/older/line', '<line>'],
  ['127.0.0.1:40123', '<instance>'],
]);
const cases: readonly (readonly [name: string, text: string, comparable: string])[] = [
  ['a known text, the longest first', '/tmp/older/line/x and /tmp/older', '<line>/x and <folder>'],
  ['a port', 'http://127.0.0.1:40123/login', 'http://<instance>/login'],
  ['a time', '"at":"2026-11-24T13:24:32.680Z"', '"at":"<time>"'],
  ['a time behind an escaped line feed', '"a\\n2026-11-24T13:24:32Z"', '"a\\n<time>"'],
  ['a duration with its column', 'blobs   0.04 s, 10,25\u00a0s', 'blobs <duration>, <duration>'],
  ['a moment in English', 'on 24 Nov 2026, 13:24:32 UTC.', 'on <time>.'],
  ['a moment in French', 'le 24 nov. 2026, 13:24 UTC', 'le <time>'],
  ['a day', '<b>3 août 2026</b>', '<b><time></b>'],
  ['an age', '2 minutes ago, il y a 1 heure', '<age>, <age>'],
  ['the text of a time', '<time datetime="x">now</time>', '<time datetime="x"><age></time>'],
  ['a task, a run', 'tsk_0123456789ab run_0123456789ab', '<tsk> <run>'],
  ['an identifier', '1c9e6679-7425-40de-944b-e07fc1f90ae7', '<uuid>'],
  ['a request', 'x-request-id: 1924a8adcd45-1uw', 'x-request-id: <request>'],
  ['the secret of a token', `svc_${'aZ_-9x'.repeat(7)}Q`, '<secret>'],
  ['the delay of a retry', '"attempt":1,"delayMilliseconds":148', '"attempt":1,"delayMilliseconds":0'],
  ['a process', 'svc serve (process 20361), (processus 7)', 'svc serve (process <pid>), (processus <pid>)'],
  [
    'the size of ledgers',
    'blobs  26  20.9 KiB  0.04 s\nledgers  30  11.2 KiB  0.00 s',
    'blobs  26  20.9 KiB <duration>\nledgers  30 <size> <duration>',
  ],
  ['the size of a medium', 'Contenu      30 fichiers, 33,7 Kio\n', 'Contenu      30 fichiers, <size>\n'],
  [
    'these sizes in documents',
    '"name":"ledgers","checked":30,"bytes":11',
    '"name":"ledgers","checked":30,"bytes":0',
  ],
  ['a fingerprint', `"fingerprint":"sha256:${'0a'.repeat(32)}"`, '"fingerprint":"<fingerprint>"'],
  ['a form token', `value="-${'aZ_-9'.repeat(17)}"`, 'value="<form-token>"'],
  ['room on the volume', '"freeBytes":71609901056, 66.7 GiB, 66,7 Gio', '"freeBytes":0, <size>, <size>'],
];
for (const [name, text, comparable] of cases)
  test(`${name} is replaced by a placeholder`, () => {
    assert.equal(toComparable(text, known), comparable);
  });

test('digests, sizes of content, versions, codes and counts are kept', () => {
  const text = `sha256:${'0a'.repeat(32)} 20.9 KiB shop@7.31.0 SVC-MED-012 tsk_x 1,204 2026`;
  assert.equal(toComparable(text, known), text);
});
