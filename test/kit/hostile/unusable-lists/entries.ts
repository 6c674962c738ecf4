import {
  answer,
  asIndex,
  bundleType,
  type Deviation,
  entriesOf,
  imageType,
  indexType,
  putForeign,
  putImage,
  serve,
  sha256,
  tagOf,
  type Victim,
} from './deviation.ts';

const other = sha256('something else');
const plain = { mediaType: imageType, digest: other, size: 7 };
const named = { ...plain, artifactType: bundleType };

type ToEntries = (valid: readonly object[], victim: Victim) => readonly unknown[];

/** Names of signatures in lists besides their type. */
const calls: Readonly<Record<string, string>> = {
  nothing: '',
  'the empty config': 'application/vnd.oci.empty.v1+json',
  'its type in upper case': bundleType.toUpperCase(),
  'its type with a parameter': `${bundleType}; charset=utf-8`,
  'an unknown type': 'application/vnd.acme.thing.v1+json',
  'an SBOM': 'application/spdx+json',
  'an attestation': 'application/vnd.in-toto+json',
};

const calledEntries = Object.entries(calls).flatMap(([name, artifactType]): [string, ToEntries][] => [
  [`a signature that is called ${name}`, (valid) => valid.map((one) => ({ ...one, artifactType }))],
  [
    `a wrong signature that is called ${name}`,
    (valid, victim) => [{ ...putForeign(victim), artifactType }, ...valid],
  ],
]);

/** Entries that cannot be used, or lead nowhere, each beside those of the valid signature. */
const entries: Readonly<Record<string, ToEntries>> = {
  ...Object.fromEntries(calledEntries),
  'an index of images': (valid, victim) => [{ ...putImage(victim), mediaType: indexType }, ...valid],
  'a referrer of another type': (valid, victim) => [
    { ...putImage(victim), artifactType: 'application/vnd.acme.thing.v1+json' },
    ...valid,
  ],
  '200 SBOMs that are not there': (valid) => [
    ...Array.from({ length: 200 }, (_, i) => ({
      ...plain,
      artifactType: 'text/spdx',
      digest: sha256(`${i}`),
    })),
    ...valid,
  ],
  '300 referrers of an unknown type': (valid) => [
    ...Array.from({ length: 300 }, (_, i) => ({ ...plain, artifactType: 'text/x', digest: sha256(`${i}`) })),
    ...valid,
  ],
  'a wrong signature that is called an index': (valid, victim) => [
    { ...putForeign(victim), artifactType: undefined, mediaType: indexType },
    ...valid,
  ],
  'a wrong signature of an unknown digest algorithm, in upper case': (valid) => [
    { ...plain, artifactType: bundleType.toUpperCase(), digest: `blake3:${'0'.repeat(64)}` },
    ...valid,
  ],
  'an entry that is null': (valid) => [null, ...valid],
  'an entry that is a number': (valid) => [7, ...valid],
  'an entry that is a string': (valid) => ['sha256:00', ...valid],
  'an entry that is an array': (valid) => [[], ...valid],
  'an entry without members': (valid) => [{}, ...valid],
  'an entry without a digest': (valid) => [{ mediaType: imageType, size: 7 }, ...valid],
  'an unknown digest algorithm': (valid) => [{ ...plain, digest: `blake3:${'0'.repeat(64)}` }, ...valid],
  'an unknown digest algorithm of a signature': (valid) => [
    { ...named, digest: `blake3:${'0'.repeat(64)}` },
    ...valid,
  ],
  'a digest that is too short': (valid) => [{ ...plain, digest: 'sha256:00' }, ...valid],
  'a digest in upper case': (valid) => [{ ...plain, digest: other.toUpperCase() }, ...valid],
  'a digest that is a path': (valid) => [{ ...plain, digest: 'sha256:../../../etc' }, ...valid],
  'a negative size': (valid) => [{ ...plain, size: -1 }, ...valid],
  'a size that is a string': (valid) => [{ ...plain, size: '7' }, ...valid],
  'a size that is no whole number': (valid) => [{ ...plain, size: 7.5 }, ...valid],
  'a size beyond every limit': (valid) => [{ ...named, size: 9e15 }, ...valid],
  'no media type': (valid) => [{ digest: other, size: 7 }, ...valid],
  'a numeric annotation of another referrer': (valid) => [{ ...plain, annotations: { count: 7 } }, ...valid],
  'a numeric annotation of the signature': (valid) =>
    valid.map((one) => ({ ...one, annotations: { count: 7 } })),
  'annotations that are an array': (valid) => valid.map((one) => ({ ...one, annotations: ['x'] })),
  'annotations that are null': (valid) => valid.map((one) => ({ ...one, annotations: null })),
  'an artifact type that is a number': (valid) => [{ ...plain, artifactType: 7 }, ...valid],
  'a size of the signature that is too small': (valid) => valid.map((one) => ({ ...one, size: 1 })),
  'a size of the signature beyond every limit': (valid) => valid.map((one) => ({ ...one, size: 9e15 })),
  '10 001 times one entry that leads nowhere': (valid) => [
    ...Array.from({ length: 10_001 }, () => named),
    ...valid,
  ],
  'an entry twice': (valid) => [...valid, ...valid],
  'an entry twice, with a smaller size after it': (valid) => [
    ...valid,
    ...valid.map((one) => ({ ...one, size: 1 })),
  ],
  'an entry twice, with a larger size after it': (valid) => [
    ...valid,
    ...valid.map((one) => ({ ...one, size: 9e9 })),
  ],
  'an entry twice, with another type after it': (valid) => [
    ...valid,
    ...valid.map((one) => ({ ...one, artifactType: 'text/plain' })),
  ],
  'a signature that is not there': (valid) => [named, ...valid],
  'an image that is called a signature': (valid, victim) => [
    { ...putImage(victim), artifactType: bundleType },
    ...valid,
  ],
  'an index that is called a signature': (valid) => [{ ...named, mediaType: indexType }, ...valid],
  'the subject itself': (valid, { subject }) => [{ ...subject, artifactType: bundleType }, ...valid],
  '9000 other referrers': (valid) => [
    ...Array.from({ length: 9000 }, (_, i) => ({
      ...plain,
      artifactType: 'text/spdx',
      digest: sha256(`${i}`),
    })),
    ...valid,
  ],
  '10 001 other referrers': (valid) => [
    ...Array.from({ length: 10_001 }, (_, i) => ({
      ...plain,
      artifactType: 'text/spdx',
      digest: sha256(`${i}`),
    })),
    ...valid,
  ],
};

/** Each in the answer of the API, and under the fallback tag of a registry without it. */
export const entryDeviations: readonly Deviation[] = Object.entries(entries).flatMap(([name, toEntries]) => [
  {
    name: `referrers API: ${name}`,
    api: true,
    beside: ['classic', 'bundle'],
    plant: (victim) => {
      const body = asIndex(toEntries(entriesOf(victim), victim));
      answer(victim, `referrers/${victim.subject.digest}`, (_request, response) =>
        response.writeHead(200, { 'content-type': indexType }).end(body),
      );
    },
  } satisfies Deviation,
  {
    name: `fallback tag: ${name}`,
    api: false,
    beside: ['classic', 'bundle'],
    plant: (victim) => serve(victim, tagOf(victim), asIndex(toEntries(entriesOf(victim), victim))),
  } satisfies Deviation,
]);
