import { buildImage, buildIndex, seededBytes, toBlob } from '../../kit/content/content.ts';
import { pushArtifactOverHttp } from '../../kit/content/push-artifact.ts';
import { toArchive } from '../../kit/content/tar-archive.ts';
import type { Bench, Row } from './row.ts';

const odd = 'grüße 🚢 \u202Eabc "quoted" \\ \t';
const ociIndex = 'application/vnd.oci.image.index.v1+json';

/** A plain layer of one file. */
const layer = (bench: Bench, name: string): Promise<string> =>
  bench.write(`${name}.tar`, toArchive({ [name]: seededBytes(name, 3000) }));

/** An image of these layers, by crane. */
async function append(bench: Bench, to: string, layers: readonly string[], ...more: readonly string[]) {
  await bench.run(
    'crane',
    'append',
    '--insecure',
    ...layers.flatMap((file) => ['-f', file]),
    '-t',
    to,
    ...more,
  );
}

/** A layout `<name>:1` by umoci. */
async function umoci(bench: Bench, name: string, layers: readonly string[], ...config: readonly string[]) {
  await bench.run('umoci', 'init', '--layout', name);
  await bench.run('umoci', 'new', '--image', `${name}:1`);
  for (const file of layers) await bench.run('umoci', 'raw', 'add-layer', '--image', `${name}:1`, file);
  if (config.length > 0) await bench.run('umoci', 'config', '--image', `${name}:1`, ...config);
}

const skopeo = (bench: Bench, from: string, to: string, ...more: readonly string[]) =>
  bench.run(
    'skopeo',
    ...['copy', '--quiet', '--insecure-policy', '--all', ...more],
    ...['--src-tls-verify=false', '--dest-tls-verify=false', from, to],
  );

/** Puts bytes as a manifest, by oras. */
async function putDocument(bench: Bench, to: string, name: string, document: object, mediaType: string) {
  const file = await bench.write(`${name}.json`, JSON.stringify(document, undefined, 3));
  await bench.run('oras', 'manifest', 'push', '--plain-http', '--media-type', mediaType, to, file);
}

const readDocument = async (bench: Bench, reference: string) =>
  JSON.parse(await bench.run('crane', 'manifest', '--insecure', reference));

/** The descriptor of the content under a tag. */
const describe = async (bench: Bench, reference: string) =>
  JSON.parse(await bench.run('oras', 'manifest', 'fetch', '--plain-http', '--descriptor', reference));

/** A manifest that was changed by hand after a tool had made it. */
async function change(bench: Bench, at: string, tag: string, name: string, edit: (document: any) => object) {
  const document = await readDocument(bench, `${at}:base`);
  await putDocument(bench, `${at}:${tag}`, name, edit(document), document.mediaType);
}

/** Two images of one layer each, `first` and `second`. */
async function appendTwo(bench: Bench, at: string, name: string) {
  await append(bench, `${at}:first`, [await layer(bench, `${name}-1`)], '--oci-empty-base');
  await append(bench, `${at}:second`, [await layer(bench, `${name}-2`)], '--oci-empty-base');
  return [await describe(bench, `${at}:first`), await describe(bench, `${at}:second`)] as const;
}

const toIndex = (manifests: readonly object[], more: object = {}) => ({
  schemaVersion: 2,
  mediaType: ociIndex,
  manifests,
  ...more,
});

const amd64 = { os: 'linux', architecture: 'amd64' };

export const images: readonly Row[] = [
  {
    name: 'crane: Docker schema 2',
    has: /distribution\.manifest\.v2\+json.*rootfs\.diff\.tar\.gzip/s,
    make: async (bench, at, tag) => append(bench, `${at}:${tag}`, [await layer(bench, 'docker')]),
  },
  {
    name: 'crane: OCI',
    has: /oci\.image\.manifest\.v1\+json.*oci\.image\.layer/s,
    make: async (bench, at, tag) =>
      append(bench, `${at}:${tag}`, [await layer(bench, 'oci')], '--oci-empty-base'),
  },
  {
    name: 'crane: an empty layer, and one layer twice',
    make: async (bench, at, tag) => {
      const [empty, twice] = [await bench.write('empty.tar', toArchive({})), await layer(bench, 'twice')];
      await append(bench, `${at}:${tag}`, [empty, twice, twice, empty], '--oci-empty-base');
    },
  },
  {
    name: 'crane: 120 layers',
    make: async (bench, at, tag) => {
      const layers = await Promise.all(Array.from({ length: 120 }, (_, i) => layer(bench, `many-${i}`)));
      await append(bench, `${at}:${tag}`, layers, '--oci-empty-base');
    },
  },
  {
    name: 'crane: no layers',
    has: /"layers": \[\]/,
    make: async (bench, at, tag) => {
      await append(bench, `${at}:base`, [await layer(bench, 'none')], '--oci-empty-base');
      await change(bench, at, tag, 'no-layers', (document) => ({ ...document, layers: [] }));
    },
  },
  {
    name: 'crane: pulled to a layout and pushed',
    make: async (bench, at, tag) => {
      await append(bench, `${at}:base`, [await layer(bench, 'pulled')], '--oci-empty-base');
      await bench.run('crane', 'pull', '--insecure', '--format', 'oci', `${at}:base`, 'crane-layout');
      await bench.run('crane', 'push', '--insecure', 'crane-layout', `${at}:${tag}`);
    },
  },
  {
    name: 'umoci: annotations and labels of odd characters',
    has: /🚢/,
    make: async (bench, at, tag) => {
      const config = [`--manifest.annotation=org.example.${odd}=${odd}`, `--config.label=${odd}=${odd}`];
      await umoci(bench, 'umoci-odd', [await layer(bench, 'odd')], ...config);
      await skopeo(bench, 'oci:umoci-odd:1', `docker://${at}:${tag}`);
    },
  },
  {
    name: 'umoci: no layers, a foreign platform',
    make: async (bench, at, tag) => {
      await umoci(bench, 'umoci-none', [], '--os=plan9', '--architecture=mips64p32');
      await skopeo(bench, 'oci:umoci-none:1', `docker://${at}:${tag}`);
    },
  },
  {
    name: 'skopeo: OCI turned into Docker schema 2',
    has: /distribution\.manifest\.v2\+json/,
    make: async (bench, at, tag) => {
      await umoci(bench, 'umoci-v2s2', [await layer(bench, 'v2s2')]);
      await skopeo(bench, 'oci:umoci-v2s2:1', `docker://${at}:${tag}`, '--format', 'v2s2');
    },
  },
  {
    name: 'regctl: zstd layers',
    has: /tar\+zstd/,
    make: async (bench, at, tag) => {
      await append(
        bench,
        `${at}:base`,
        [await layer(bench, 'zstd-1'), await layer(bench, 'zstd-2')],
        '--oci-empty-base',
      );
      await bench.run(
        'regctl',
        ...plain(bench),
        'image',
        'mod',
        `${at}:base`,
        '--layer-compress',
        'zstd',
        '--create',
        tag,
      );
    },
  },
  {
    name: 'regctl: plain layers',
    has: /layer\.v1\.tar"/,
    make: async (bench, at, tag) => {
      await append(bench, `${at}:base`, [await layer(bench, 'plain')], '--oci-empty-base');
      await bench.run(
        'regctl',
        ...plain(bench),
        'image',
        'mod',
        `${at}:base`,
        '--layer-compress',
        'none',
        '--create',
        tag,
      );
    },
  },
  {
    name: 'media types of Docker and OCI in one image',
    has: /rootfs\.diff\.tar\.gzip.*oci\.image\.layer/s,
    make: async (bench, at, tag) => {
      await append(
        bench,
        `${at}:base`,
        [await layer(bench, 'mixed-1'), await layer(bench, 'mixed-2')],
        '--oci-empty-base',
      );
      await change(bench, at, tag, 'mixed', ({ layers: [first, ...rest], ...document }) => ({
        ...document,
        layers: [{ ...first, mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip' }, ...rest],
      }));
    },
  },
  {
    name: 'members that nobody defined, and a descriptor with its data',
    make: async (bench, at, tag) => {
      await append(bench, `${at}:base`, [await layer(bench, 'members')], '--oci-empty-base');
      await change(bench, at, tag, 'members', (document) => ({
        'x-vendor': { a: [1, 2.5e10, null], [odd]: odd },
        ...document,
        config: { ...document.config, annotations: { [odd]: '' }, data: '' },
      }));
    },
  },
  {
    name: 'a foreign layer that is not at its registry',
    notAt: ['registry', 'docker-registry'],
    make: async (bench, at, tag) => {
      await append(bench, `${at}:base`, [await layer(bench, 'foreign')]);
      await change(bench, at, tag, 'foreign', ({ layers, ...document }) => {
        const mediaType = 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip';
        const { digest, size } = toBlob('somewhere else').descriptor;
        return {
          ...document,
          layers: [{ mediaType, digest, size, urls: ['https://elsewhere.example/l'] }, ...layers],
        };
      });
    },
  },
  {
    name: 'crane: an index of two platforms',
    make: async (bench, at, tag) => {
      await appendTwo(bench, at, 'index');
      await bench.run(
        'crane',
        'index',
        'append',
        '--insecure',
        '-m',
        `${at}:first`,
        '-m',
        `${at}:second`,
        '-t',
        `${at}:${tag}`,
      );
    },
  },
  {
    name: 'crane: an index within an index',
    has: /manifests.*image\.index\.v1\+json.*image\.manifest\.v1\+json/s,
    make: async (bench, at, tag) => {
      await appendTwo(bench, at, 'nested');
      const more = ['crane', 'index', 'append', '--insecure'] as const;
      await bench.run(...more, '-m', `${at}:first`, '-t', `${at}:inner`);
      await bench.run(
        ...more,
        '--flatten=false',
        '-m',
        `${at}:inner`,
        '-m',
        `${at}:second`,
        '-t',
        `${at}:${tag}`,
      );
    },
  },
  {
    name: 'an index whose children name no platform, one child twice',
    make: async (bench, at, tag) => {
      const [first, second] = await appendTwo(bench, at, 'silent');
      const bare = ({ mediaType, digest, size }: any) => ({ mediaType, digest, size });
      await putDocument(
        bench,
        `${at}:${tag}`,
        'silent',
        toIndex([bare(first), bare(second), bare(first)]),
        ociIndex,
      );
    },
  },
  {
    name: 'an index with attestations, of which one platform is wanted',
    has: /attestation-manifest/,
    platforms: ['linux/amd64'],
    // they take no index whose children are not all there
    notAt: ['registry', 'docker-registry'],
    make: async (bench, at, tag) => {
      const [first, second] = await appendTwo(bench, at, 'attested');
      const attestation = {
        ...second,
        platform: { os: 'unknown', architecture: 'unknown' },
        annotations: {
          'vnd.docker.reference.type': 'attestation-manifest',
          'vnd.docker.reference.digest': first.digest,
        },
      };
      const absent = {
        ...first,
        digest: toBlob('absent').descriptor.digest,
        platform: { os: 'linux', architecture: 's390x' },
      };
      const manifests = [{ ...first, platform: amd64 }, attestation, absent];
      await putDocument(
        bench,
        `${at}:${tag}`,
        'attested',
        toIndex(manifests, { annotations: { [odd]: odd } }),
        ociIndex,
      );
    },
  },
  {
    name: 'an index without children',
    make: (bench, at, tag) => putDocument(bench, `${at}:${tag}`, 'childless', toIndex([]), ociIndex),
  },
  {
    name: 'skopeo: a layout of several platforms',
    make: async (bench, at, tag) => {
      const repository = at.slice(bench.host.length + 1);
      const index = buildIndex('skopeo layout');
      for (const { artifact } of index.children)
        await pushArtifactOverHttp({ registry: bench.url, repository }, artifact);
      await pushArtifactOverHttp({ registry: bench.url, repository }, index, 'base');
      await skopeo(bench, `docker://${at}:base`, 'oci:skopeo-layout:1');
      await skopeo(bench, 'oci:skopeo-layout:1', `docker://${at}:${tag}`);
    },
  },
  {
    name: 'content named by sha512',
    notAt: ['registry', 'docker-registry'],
    make: async (bench, at, tag) => {
      const repository = at.slice(bench.host.length + 1);
      const strong = buildImage('strong', { algorithm: 'sha512' });
      // under a tag alone a registry names it by sha256
      for (const reference of [undefined, tag])
        await pushArtifactOverHttp({ registry: bench.url, repository }, strong, reference);
    },
  },
];

/** Every legal shape of a tag, on one image of each. */
export const tags: readonly Row[] = [
  'latest',
  '_',
  '0',
  'A.b-C_d',
  'a..b--c__d',
  'v1.2.3_build.4-rc.5',
  'sha256-0123456789abcdef',
  `x${'-'.repeat(127)}`,
].map((tag) => ({
  name: `a tag ${tag.length > 40 ? `of ${tag.length} characters` : tag}`,
  tag,
  make: async (bench, at) =>
    append(bench, `${at}:${tag}`, [await layer(bench, 'tagged')], '--oci-empty-base'),
}));

/** Options by which regctl reaches the registry of the bench without TLS. */
function plain({ host }: Bench): readonly string[] {
  return ['--host', `reg=${host},tls=disabled`];
}
