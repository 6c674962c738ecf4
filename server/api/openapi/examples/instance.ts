import { digests } from './digests.ts';

const ana = { name: 'ana', role: 'operator', createdAt: '2026-07-01T06:00:00.000Z' };
const pipeline = { name: 'pipeline', role: 'operator', createdAt: '2026-07-01T06:00:00.000Z' };
const certificate = {
  selfSigned: true,
  source: 'generated',
  fingerprintSha256: Array.from({ length: 32 }, (_, i) => (i * 7 + 16).toString(16)).join(':'),
  subject: 'CN=svc.example',
  issuer: 'CN=svc.example',
  dnsNames: ['svc.example'],
  ipAddresses: ['192.0.2.10'],
  notBefore: '2026-07-01T06:00:00.000Z',
  notAfter: '2027-07-01T06:00:00.000Z',
};
const interval = {
  effective: '1h',
  configured: '15m',
  overridden: true,
  enabled: true,
  minimum: '1m',
  fingerprint: digests.preview,
};

const unlimited = {
  effective: 'unlimited',
  configured: 'unlimited',
  overridden: false,
  fingerprint: digests.preview,
};
const windows = {
  effective: [],
  configured: [],
  timeZone: 'UTC',
  overridden: false,
  open: true,
  fingerprint: digests.preview,
};

/** Answers about the instance, access and settings. */
export const instanceExamples = {
  getOpenApiDocument: {
    openapi: '3.1.0',
    info: { title: 'svc', version: '1.0.0' },
    paths: {},
    components: {},
  },
  getCliOutputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Documents that svc prints with --output json',
    $defs: { 'svc version': { type: 'object' } },
  },
  getIdentity: { name: 'token:pipeline', role: 'operator', via: 'bearer' },
  getStatus: {
    version: '1.0.0',
    mode: 'passthrough',
    authentication: { disabled: false },
    gate: { guarded: false, serving: 'open' },
    occupancy: { bytes: 96_422_008, monitored: false, exceeded: false },
    volume: { freeBytes: 41_875_931_136, totalBytes: 105_089_261_568 },
    nextSync: '2026-07-01T06:15:00.000Z',
    pending: 0,
    verifying: false,
    unimported: false,
    link: { open: true },
    notices: ['relaxed-scopes'],
  },
  getRetriever: {
    source: '/etc/svc/retriever.yaml',
    mode: 'passthrough',
    substitutions: [{ host: 'docker.io', base: 'zone-a.example/mirror' }],
    relaxedScopes: [{ name: 'tools', repositories: ['tools/**'], allowUnsigned: true }],
    anonymousFilesets: [],
    interval,
    prune: false,
    occupancy: {
      bytes: 96_422_008,
      monitored: false,
      exceeded: false,
      sampledAt: '2026-07-01T06:00:00.000Z',
    },
  },
  setSyncInterval: { interval },
  setRateLimit: {
    rateLimit: { ...unlimited, effective: '2MiB', overridden: true, bytesPerSecond: 2_097_152 },
  },
  setWindows: {
    windows: {
      ...windows,
      effective: ['22:00-06:00', '12:00-13:00'],
      timeZone: 'Europe/Paris',
      overridden: true,
      open: false,
      changesAt: '2026-07-01T10:00:00.000Z',
    },
  },
  previewReset: {
    mediaId: '0f3c9a52-7d18-4e6b-b2a4-91c05d8e7f36',
    repositories: 3,
    tags: 7,
    bytes: 96_422_008,
    fingerprint: digests.preview,
  },
  listCustody: {
    lines: [
      {
        seq: 2,
        prev: digests.preview,
        ts: '2026-07-01T06:00:04.873Z',
        site: 'zone-a',
        type: 'handed-over',
        step: 'event',
        actor: 'local:ana',
        subjects: [{ name: 'media.jsonl', digest: digests.preview }],
        details: { delivery: 'dlv_3f9c01ab77de', text: 'courier 12, seal 4711' },
        sum: digests.preview,
      },
    ],
    next: '2026-512',
  },
  resetStore: { repositories: 3, bytes: 96_422_008 },
  listAccounts: { accounts: [{ ...ana, lastLoginAt: '2026-07-02T07:30:00.000Z' }] },
  createAccount: { account: ana },
  updateAccount: { account: { ...ana, role: 'viewer' } },
  listTokens: { tokens: [pipeline] },
  listHistory: {
    records: [
      {
        ts: '2026-07-01T06:00:04.873Z',
        actor: 'ana',
        action: 'content.delete',
        target: 'registry.example/library/alpine:3.20',
        outcome: 'success',
        origin: '192.0.2.7',
        details: { mediaId: 'med_11aa22bb33cc44dd' },
      },
    ],
    next: '3-40960',
    searchedTo: '2026-07-01T06:00:04.873Z',
    keep: 67_108_864,
  },
  createToken: {
    token: { name: 'pipeline', role: 'operator', secret: `svc_${'EXAMPLE-'.repeat(5)}abc` },
  },
  revokeToken: { token: { ...pipeline, revokedAt: '2026-07-03T08:00:00.000Z' } },
  getNetwork: {
    tls: true,
    certificate,
    replaceable: true,
    egress: { proxy: 'proxy.example:3128', proxyAuthenticated: false, extraRoots: 1, exclusiveTrust: false },
    link: { rateLimit: unlimited, windows },
    hosts: [
      { host: 'registry.zone-b.example', roles: ['destination'], allowed: false },
      {
        host: 'zone-a.example',
        roles: ['substitution', 'ingredient'],
        nominal: ['docker.io'],
        allowed: true,
      },
    ],
    allowlist: [
      { pattern: 'zone-a.example', needed: true },
      { pattern: 'old.example', needed: false },
    ],
  },
  replaceCertificate: { certificate: { ...certificate, selfSigned: false, source: 'adopted' } },
};
