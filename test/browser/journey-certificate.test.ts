import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { connect } from 'node:tls';
import { createSelfSigned } from '../../src/certificate/self-signed.ts';
import { tlsPair } from '../kit/program/tls-pair.ts';
import { shareVisitedInstance, type VisitedInstance } from '../kit/scene/visited-instance.ts';
import { waysOf } from '../kit/web/visitor.ts';

const shared = shareVisitedInstance(async () => ({
  server: { addr: '127.0.0.1:0', tls: { enabled: true } },
}));
after(shared.close);

/** The SHA-256 fingerprint of the certificate that a new connection gets. */
async function readServed({ instance }: VisitedInstance): Promise<string> {
  const { hostname, port } = new URL(instance.url);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256.replaceAll(':', '').toLowerCase();
}

for (const [index, way] of waysOf('by mouse').entries())
  test(`${way}: a certificate is looked at, and served once it is confirmed`, async (t) => {
    const scene = await shared.open(t);
    if (scene === undefined) return;
    const pair = createSelfSigned([`zone-${index}.example`], 30);
    const before = await readServed(scene);
    const visitor = await scene.visit(way);
    const { page } = visitor;
    await visitor.open('/admin/network');
    await visitor.fill('Certificate with its chain (PEM)', pair.cert);
    await visitor.fill('Private key, not encrypted (PEM)', tlsPair.key);
    await visitor.send('Preview');
    await visitor.sees(/SVC-NET-004/);
    const key = page.getByLabel('Private key, not encrypted (PEM)', { exact: true });
    assert.equal(await key.inputValue(), '', 'a key is not shown again');
    assert.equal(await readServed(scene), before);

    const file = scene.world.path(`key-${index}.pem`);
    await writeFile(file, pair.key);
    // the dialogue in which a file is selected belongs to the browser
    await page.locator('#field-key-file').setInputFiles(file);
    await visitor.send('Preview');
    await visitor.sees(`zone-${index}.example`);
    assert.equal(await readServed(scene), before, 'a preview changes nothing');
    await visitor.send('Serve this certificate');
    const served = await readServed(scene);
    assert.notEqual(served, before);
    const shown = await visitor.read(visitor.section('listener'));
    assert.ok(
      shown
        .replaceAll(/[^0-9a-z]/gi, '')
        .toLowerCase()
        .includes(served),
      shown,
    );
  });
