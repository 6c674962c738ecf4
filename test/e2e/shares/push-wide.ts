import assert from 'node:assert/strict';
import { buildWideIndex } from '../../kit/content/wide-index.ts';

/** Pushes `wide:latest`, a small index of ten thousand entries, as an operator would. */
export async function pushWide(url: string, token: string): Promise<void> {
  const { config, image, root } = buildWideIndex({ levels: 1, width: 10_000 });
  const authorization = `Bearer ${token}`;
  const put = async (path: string, body: Buffer, type: string): Promise<void> => {
    const sent = await fetch(new URL(path, url), {
      method: 'PUT',
      headers: { authorization, 'content-type': type },
      body: new Uint8Array(body),
    });
    assert.equal(sent.status, 201, await sent.text());
  };
  const uploads = new URL('/v2/wide/blobs/uploads/', url);
  const opened = await fetch(uploads, { method: 'POST', headers: { authorization } });
  const upload = new URL(opened.headers.get('location')!, uploads);
  upload.searchParams.set('digest', config.descriptor.digest);
  await put(upload.href, config.bytes, 'application/octet-stream');
  await put(`/v2/wide/manifests/${image.descriptor.digest}`, image.bytes, image.descriptor.mediaType);
  await put('/v2/wide/manifests/latest', root.bytes, root.descriptor.mediaType);
}
