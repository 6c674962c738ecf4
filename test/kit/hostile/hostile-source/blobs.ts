import type { Interceptor } from '../../result/registry-double.ts';
import { misbehave } from '../misbehave.ts';
import {
  type Attack,
  blob,
  type Image,
  imageType,
  octets,
  on,
  type Place,
  repository,
  sha256,
} from './attack.ts';

function attackBlob(
  name: string,
  code: string,
  answer: (image: Image, ...args: Parameters<Interceptor>) => void,
  tls = false,
): Attack {
  return {
    name,
    code,
    tls,
    host: (host, image) => on(host, blob(image.layer), (...args) => answer(image, ...args)),
  };
}

/** Attacks on the bytes of a blob. */
export function attackBlobs({ origin, trap }: Place): readonly Attack[] {
  return [
    attackBlob('cut', 'SVC-REG-007', ({ bytes }, _request, response) => {
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`;
      misbehave.resetAfter(response, `${head}${'x'.repeat(5000)}`);
    }),
    attackBlob('announced-shorter', 'SVC-REG-007', ({ bytes }, _request, response) =>
      misbehave.reply(response, 200, octets, bytes.subarray(1)),
    ),
    attackBlob('announced-longer', 'SVC-REG-007', ({ bytes }, _request, response) =>
      misbehave.reply(response, 200, octets, Buffer.concat([bytes, Buffer.from('!')])),
    ),
    attackBlob('chunked-shorter', 'SVC-REG-007', ({ bytes }, _request, response) => {
      response.writeHead(200, octets);
      response.write(bytes.subarray(0, 70_000));
      response.end();
    }),
    attackBlob('chunked-longer', 'SVC-REG-007', ({ bytes }, _request, response) => {
      response.on('error', () => {});
      response.writeHead(200, octets);
      response.write(bytes);
      response.end('!');
    }),
    attackBlob('endless', 'SVC-REG-007', ({ bytes }, _request, response) =>
      misbehave.endlessly(response, 200, octets, Buffer.alloc(65_536), bytes),
    ),
    attackBlob('other-bytes', 'SVC-SIG-002', ({ bytes }, _request, response) =>
      misbehave.reply(response, 200, octets, Buffer.alloc(bytes.length, 7)),
    ),
    attackBlob('range-of-nothing', 'SVC-REG-007', ({ bytes }, _request, response) =>
      misbehave.reply(
        response,
        206,
        { 'content-range': `bytes 5-${bytes.length - 1}/${bytes.length}` },
        bytes,
      ),
    ),
    attackBlob('a-page-for-people', 'SVC-REG-007', (_image, _request, response) =>
      misbehave.reply(response, 200, { 'content-type': 'text/html' }, '<html>sign in</html>'),
    ),
    attackBlob('gone', 'SVC-REG-005', (_image, _request, response) => misbehave.reply(response, 404, {})),
    attackBlob('endless-refusal', 'SVC-REG-007', (_image, _request, response) =>
      misbehave.endlessly(response, 418, {}, Buffer.alloc(65_536, '{"errors":[')),
    ),
    attackBlob('redirect-loop', 'SVC-REG-007', (_image, request, response) =>
      misbehave.reply(response, 307, { location: request.path }),
    ),
    attackBlob('redirect-endless-body', 'SVC-REG-007', (_image, request, response) =>
      misbehave.endlessly(response, 307, { location: request.path }, Buffer.alloc(65_536)),
    ),
    attackBlob('redirect-unlisted-plain', 'SVC-POL-001', (_image, _request, response) =>
      misbehave.reply(response, 307, { location: 'http://unlisted.example/x' }),
    ),
    attackBlob('redirect-off-the-list', 'SVC-POL-001', (_image, _request, response) =>
      misbehave.reply(response, 307, { location: `http://${trap.host}/x` }),
    ),
    attackBlob('redirect-file', 'SVC-POL-001', (_image, _request, response) =>
      misbehave.reply(response, 302, { location: 'file:///etc/passwd' }),
    ),
    attackBlob('redirect-userinfo', 'SVC-POL-001', (_image, request, response) =>
      misbehave.reply(response, 302, { location: `http://a:b@${request.headers.host}/x` }),
    ),
    attackBlob('redirect-nonsense', 'SVC-REG-007', (_image, _request, response) =>
      misbehave.reply(response, 302, { location: 'http://[' }),
    ),
    attackBlob(
      'redirect-down-to-http',
      'SVC-POL-001',
      (_image, _request, response) =>
        misbehave.reply(response, 307, { location: `${origin.origin}/v2/${repository}/x` }),
      true,
    ),
    {
      // carried where present: its addresses are followed no more than those of the next
      name: 'foreign-layer-absent',
      code: undefined,
      host: (host, image) => {
        const mediaType = 'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip';
        const digest = sha256('elsewhere');
        return host.putManifest(repository, {
          schemaVersion: 2,
          mediaType: imageType,
          config: image.layer,
          layers: [{ mediaType, digest, size: 9, urls: [`http://${trap.host}/layer`] }],
        }).digest;
      },
    },
    {
      name: 'foreign-layer-there',
      code: undefined,
      host: (host, image) =>
        host.putManifest(repository, {
          schemaVersion: 2,
          mediaType: imageType,
          config: image.layer,
          layers: [{ ...image.layer, urls: [`http://${trap.host}/layer`, 'file:///etc/passwd'] }],
        }).digest,
    },
  ];
}
