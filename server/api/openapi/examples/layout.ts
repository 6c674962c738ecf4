import { digests } from './digests.ts';

/** Answers about image layouts and trees of files. */
export const layoutExamples = {
  planLayoutExport: {
    format: 'tar',
    references: ['team/app:1.4.2'],
    manifests: 3,
    blobs: 7,
    totalBytes: 48_211_004,
    largestFileBytes: 48_230_400,
    missing: [],
  },
  planLayoutImport: {
    input: '/srv/transfer/app.tar',
    format: 'tar',
    entries: [{ reference: 'team/app:1.4.2', digest: digests.app, status: 'new' }],
    newBytes: 48_211_004,
    fingerprint: digests.preview,
  },
  listFilesets: {
    filesets: [
      {
        name: 'debian',
        reference: 'registry.example/files/debian',
        repository: 'files/debian',
        versions: ['2026.07'],
        version: '2026.07',
        digest: digests.layer,
        provenance: ['recipe'],
        signed: true,
        served: true,
        anonymous: false,
        url: '/files/debian/',
      },
    ],
    views: [
      {
        name: 'charts',
        kind: 'helm',
        repositories: ['charts.example/**'],
        anonymous: false,
        url: '/files/charts/',
        charts: 12,
        leftOut: [{ repository: 'charts.example/copies/shop', tag: '1.2.0', reason: 'duplicate' }],
        leftOutCount: 1,
      },
    ],
    packEnabled: true,
  },
  packFileset: {
    fileset: {
      name: 'debian',
      reference: 'local/debian:2026.07',
      repository: 'local/debian',
      version: '2026.07',
      digest: digests.app,
      layerDigest: digests.layer,
      files: 2,
      directories: 1,
      symlinks: 0,
      bytes: 10_240,
      signed: false,
    },
  },
};
