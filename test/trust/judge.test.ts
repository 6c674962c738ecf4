import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import { type Digest, hashBytes } from '../../src/base/digest.ts';
import type { Descriptor } from '../../src/oci/descriptor.ts';
import { judgeSignatures } from '../../src/trust/judge.ts';
import type { SignatureEvidence, SignatureVerdict, TrustPolicy, TrustScope } from '../../src/trust/model.ts';
import { selectIdleScopes, toScopePath } from '../../src/trust/scope.ts';
import {
  createSigner,
  mergeClassic,
  type SignatureArtifact,
  type SignatureLayout,
  type Signer,
  type Tamper,
} from '../kit/content/signer.ts';

const layouts = ['classic', 'bundle'] as const;
const path = 'r.example_5000/team/cookbook/web';

const toSubject = (text: string, algorithm: 'sha256' | 'sha512' = 'sha256'): Descriptor => ({
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  digest: hashBytes(text, algorithm),
  size: text.length,
});
const subject = toSubject('a recipe');
const [trusted, foreign] = [createSigner(), createSigner()];

/** Evidence as discovery hands it over. */
function toEvidence(artifact: SignatureArtifact): SignatureEvidence {
  const { layers } = JSON.parse(artifact.manifest.bytes.toString()) as { layers: Descriptor[] };
  return {
    layout: artifact.layout,
    manifest: artifact.manifest,
    layers: layers.map(({ mediaType, digest, annotations }) => ({
      mediaType,
      annotations: annotations ?? {},
      bytes: artifact.blobs.find(({ descriptor }) => descriptor.digest === digest)!.bytes,
    })),
  };
}

const toPolicy = (
  signers: Record<string, Signer>,
  scopes: TrustScope[] = [],
  missing: string[] = [],
): TrustPolicy => ({
  roots: Object.entries(signers).map(([name, { publicKey, fingerprint }]) => ({
    name,
    key: publicKey,
    fingerprint,
  })),
  scopes,
  missing,
});
const policy = toPolicy({ main: trusted });

const signed = (
  signer: Signer,
  layout: SignatureLayout,
  tamper?: Tamper,
  of: Descriptor = subject,
): SignatureEvidence => toEvidence(signer.sign(of, layout, tamper ? { tamper } : {}));

function judge(
  evidence: readonly SignatureEvidence[],
  under: TrustPolicy = policy,
  of: Digest = subject.digest,
): Promise<SignatureVerdict> {
  return judgeSignatures(of, evidence, under, path);
}

function refused(verdict: SignatureVerdict, reason: string, detail?: RegExp): void {
  assert.equal(verdict.outcome, 'refused');
  assert.equal(verdict.outcome === 'refused' && verdict.reason, reason);
  if (detail) assert.match(String(verdict.outcome === 'refused' && verdict.detail), detail);
}

for (const layout of layouts) {
  test(`${layout}: a signature of an accepted key verifies, whatever the key's type`, async () => {
    for (const type of ['p256', 'p384', 'ed25519', 'rsa'] as const) {
      const signer = createSigner(type);
      const artifact = signer.sign(subject, layout);
      assert.deepEqual(await judge([toEvidence(artifact)], toPolicy({ other: foreign, main: signer })), {
        outcome: 'verified',
        keyFingerprint: signer.fingerprint,
        root: 'main',
        layout,
        signature: artifact.manifest.descriptor.digest,
      });
    }
  });

  test(`${layout}: a foreign key is untrusted, and a bundle's hint says which key it was`, async () => {
    const verdict = await judge([signed(foreign, layout)]);
    refused(verdict, 'untrusted');
    assert.deepEqual(
      verdict.outcome === 'refused' && verdict.fingerprints,
      layout === 'bundle' ? [foreign.fingerprint] : [],
    );
  });

  const wrong: readonly [Tamper, string, RegExp?][] = [
    ['other-subject', 'malformed', /another subject/],
    ['changed-payload', 'untrusted'],
    ['broken-signature', 'untrusted'],
    ['no-base64', 'malformed'],
    ['wrong-type', 'malformed', /type/],
  ];
  for (const [tamper, reason, detail] of wrong) {
    test(`${layout}: ${tamper} is ${reason} although the key is accepted, and masks no valid signature`, async () => {
      refused(await judge([signed(trusted, layout, tamper)]), reason, detail);
      for (const beside of layouts) {
        assert.equal(
          (await judge([signed(trusted, layout, tamper), signed(trusted, beside)])).outcome,
          'verified',
        );
        assert.equal(
          (await judge([signed(trusted, beside), signed(trusted, layout, tamper)])).outcome,
          'verified',
        );
      }
    });
  }

  test(`${layout}: a sound signature of another subject does not verify this one`, async () => {
    refused(
      await judge([signed(trusted, layout, undefined, toSubject('another recipe'))]),
      'malformed',
      /another subject/,
    );
  });

  test(`${layout}: bytes that are not those of the layer or the manifest are malformed`, async () => {
    const good = signed(trusted, layout);
    const [layer] = good.layers;
    refused(
      await judge([
        { ...good, layers: [{ ...layer!, bytes: Buffer.concat([layer!.bytes, Buffer.from(' ')]) }] },
      ]),
      'malformed',
      /digest of its layer/,
    );
    refused(await judge([{ ...good, layers: [] }]), 'malformed', /could not be read/);
    const bytes = Buffer.concat([good.manifest.bytes, Buffer.from(' ')]);
    refused(await judge([{ ...good, manifest: { ...good.manifest, bytes } }]), 'malformed', /manifest/);
  });

  test(`${layout}: annotations and types are taken from the manifest, not from the evidence`, async () => {
    const broken = signed(trusted, layout, 'broken-signature');
    const good = signed(trusted, layout);
    refused(
      await judge([
        {
          ...broken,
          layers: broken.layers.map((layer, i) => ({ ...layer, annotations: good.layers[i]!.annotations })),
        },
      ]),
      'untrusted',
    );
  });

  test(`${layout}: an artifact of one layout is not read as the other`, async () => {
    const other = layout === 'classic' ? 'bundle' : 'classic';
    refused(await judge([{ ...signed(trusted, layout), layout: other }]), 'malformed');
  });

  test(`${layout}: a manifest that is none, and an index, are malformed`, async () => {
    for (const text of ['', '{}', 'null', '{"schemaVersion":2,"manifests":[]}', '['.repeat(100_000)]) {
      const bytes = Buffer.from(text);
      const descriptor = { mediaType: '', digest: hashBytes(bytes), size: bytes.length };
      refused(await judge([{ layout, manifest: { descriptor, bytes }, layers: [] }]), 'malformed');
    }
  });
}

test('a P-384 key may sign with SHA-256 too, as earlier cosign versions do', async () => {
  const key = createSigner('p384');
  const evidence = signed(key, 'classic');
  const signature = sign('sha256', evidence.layers[0]!.bytes, key.privateKey).toString('base64');
  const document = JSON.parse(evidence.manifest.bytes.toString());
  document.layers[0].annotations['dev.cosignproject.cosign/signature'] = signature;
  const bytes = Buffer.from(JSON.stringify(document));
  const manifest = {
    descriptor: { ...evidence.manifest.descriptor, digest: hashBytes(bytes), size: bytes.length },
    bytes,
  };
  assert.equal((await judge([{ ...evidence, manifest }], toPolicy({ main: key }))).outcome, 'verified');
});

test('a keyless attestation is an attestation: it counts as no invalid signature', async () => {
  const attestation = toEvidence(
    foreign.sign(subject, 'bundle', { tamper: 'keyless', predicateType: 'https://slsa.dev/provenance/v1' }),
  );
  refused(await judge([attestation]), 'none', /an attestation of type https:\/\/slsa.dev\/provenance\/v1/);
});

test('a keyless signature is refused with that reason', async () => {
  refused(await judge([signed(foreign, 'bundle', 'keyless')]), 'malformed', /keyless/);
  refused(await judge([signed(foreign, 'classic', 'keyless')]), 'untrusted', /keyless/);
});

test('one good signature among several in one classic artifact is enough', async () => {
  const parts = [
    foreign.sign(subject, 'classic'),
    trusted.sign(subject, 'classic', { tamper: 'broken-signature' }),
    trusted.sign(subject, 'classic', { tamper: 'no-base64' }),
    trusted.sign(subject, 'classic'),
  ];
  assert.equal((await judge([toEvidence(mergeClassic(subject, parts))])).outcome, 'verified');
  refused(await judge([toEvidence(mergeClassic(subject, parts.slice(0, 3)))]), 'untrusted');
});

test('any number of repetitions of one foreign signature do not mask a valid one', async () => {
  const artifacts = Array.from({ length: 1100 }, () => signed(foreign, 'bundle', 'no-base64'));
  assert.equal((await judge([...artifacts, signed(trusted, 'bundle')])).outcome, 'verified');
  const one = signed(foreign, 'bundle');
  assert.equal(
    (await judge([...Array.from({ length: 1100 }, () => one), signed(trusted, 'bundle')])).outcome,
    'verified',
  );
});

/** A bundle artifact around any bytes, with all digests right. */
function wrapBundle(
  bundle: unknown,
  change: (manifest: Record<string, unknown>) => void = () => {},
): SignatureEvidence {
  const bytes = Buffer.isBuffer(bundle) ? bundle : Buffer.from(JSON.stringify(bundle));
  const base = JSON.parse(trusted.sign(subject, 'bundle').manifest.bytes.toString());
  base.layers[0] = { ...base.layers[0], digest: hashBytes(bytes), size: bytes.length };
  change(base);
  const manifest = Buffer.from(JSON.stringify(base));
  return {
    layout: 'bundle',
    manifest: {
      descriptor: { mediaType: base.mediaType, digest: hashBytes(manifest), size: manifest.length },
      bytes: manifest,
    },
    layers: [{ mediaType: base.layers[0].mediaType, annotations: {}, bytes }],
  };
}
const goodBundle = () => JSON.parse(signed(trusted, 'bundle').layers[0]!.bytes.toString());

test('transparency log entries and timestamps are dropped, even when they make no sense', async () => {
  const bundle = goodBundle();
  bundle.verificationMaterial.tlogEntries = [{ logIndex: '1', canonicalizedBody: 'AAAA' }];
  bundle.verificationMaterial.timestampVerificationData = {
    rfc3161Timestamps: [{ signedTimestamp: 'AAAA' }],
  };
  assert.equal((await judge([wrapBundle(bundle)])).outcome, 'verified');
});

test('the key hint is not depended on', async () => {
  const bundle = goodBundle();
  for (const hint of [
    '',
    'x'.repeat(10_000),
    '__proto__',
    Buffer.from(foreign.fingerprint, 'hex').toString('base64'),
  ]) {
    bundle.verificationMaterial.publicKey = { hint };
    assert.equal((await judge([wrapBundle(bundle)])).outcome, 'verified', hint.slice(0, 10));
  }
});

test('earlier bundle versions and the v0.1 statement type are accepted', async () => {
  const bundle = goodBundle();
  bundle.mediaType = 'application/vnd.dev.sigstore.bundle+json;version=0.2';
  assert.equal(
    (
      await judge([
        wrapBundle(bundle, (m) => {
          m.artifactType = 'application/vnd.dev.sigstore.bundle.v0.2+json';
        }),
      ])
    ).outcome,
    'verified',
  );
});

test('any other bundle is malformed', async () => {
  const variants: Record<string, (bundle: ReturnType<typeof goodBundle>) => unknown> = {
    'no object': () => [],
    'no JSON': () => Buffer.from('{'),
    'no UTF-8': () => Buffer.from([0x7b, 0xff, 0x7d]),
    'no material': (b) => {
      delete b.verificationMaterial;
      return b;
    },
    'no key': (b) => {
      b.verificationMaterial = {};
      return b;
    },
    'a chain': (b) => {
      b.verificationMaterial = { x509CertificateChain: { certificates: [{ rawBytes: 'AAAA' }] } };
      return b;
    },
    'both key and certificate': (b) => {
      b.verificationMaterial.certificate = { rawBytes: 'AAAA' };
      return b;
    },
    'no content': (b) => {
      delete b.dsseEnvelope;
      return b;
    },
    'a message signature': (b) => {
      delete b.dsseEnvelope;
      b.messageSignature = {
        messageDigest: {
          algorithm: 'SHA2_256',
          digest: Buffer.from(subject.digest.slice(7), 'hex').toString('base64'),
        },
        signature: 'AAAA',
      };
      return b;
    },
    'two signatures': (b) => {
      b.dsseEnvelope.signatures.push(b.dsseEnvelope.signatures[0]);
      return b;
    },
    'no signature': (b) => {
      b.dsseEnvelope.signatures = [];
      return b;
    },
    'another payload type': (b) => {
      b.dsseEnvelope.payloadType = 'text/plain';
      return b;
    },
    'a payload that is no JSON': (b) => {
      b.dsseEnvelope.payload = 'AAAA';
      return b;
    },
    'types that do not fit': (b) => {
      b.dsseEnvelope.signatures = 7;
      return b;
    },
    'another media type': (b) => {
      b.mediaType = 'application/json';
      return b;
    },
  };
  for (const [name, change] of Object.entries(variants)) {
    const verdict = await judge([wrapBundle(change(goodBundle()))]);
    assert.equal(verdict.outcome === 'refused' && verdict.reason, 'malformed', name);
  }
  refused(
    await judge([
      wrapBundle(goodBundle(), (m) => {
        (m.layers as unknown[]).push((m.layers as unknown[])[0]);
      }),
    ]),
    'malformed',
    /exactly one layer/,
  );
  refused(
    await judge([
      wrapBundle(goodBundle(), (m) => {
        delete m.subject;
      }),
    ]),
    'malformed',
    /another subject/,
  );
  refused(
    await judge([
      wrapBundle(goodBundle(), (m) => {
        m.artifactType = 'application/vnd.example';
      }),
    ]),
    'malformed',
    /artifact type/,
  );
});

test('a sha512 subject is matched under its own algorithm', async () => {
  const long = toSubject('a recipe', 'sha512');
  assert.equal(
    (await judge([toEvidence(trusted.sign(long, 'bundle'))], policy, long.digest)).outcome,
    'verified',
  );
  refused(await judge([toEvidence(trusted.sign(subject, 'bundle'))], policy, long.digest), 'malformed');
});

test('without a signature the reason is none, without an accepted root no-roots', async () => {
  refused(await judge([]), 'none');
  refused(await judge([], toPolicy({})), 'no-roots');
  refused(await judge([signed(trusted, 'bundle')], toPolicy({})), 'no-roots');
  refused(await judge([signed(trusted, 'bundle')], toPolicy({}, [], ['remote'])), 'no-roots', /remote/);
});

test('a root whose copy is missing is named when nothing verifies', async () => {
  refused(
    await judge([signed(trusted, 'bundle')], toPolicy({ other: foreign }, [], ['remote'])),
    'untrusted',
    /remote/,
  );
});

const scope = (over: Partial<TrustScope>): TrustScope => ({
  name: 'lab',
  repositories: ['r.example_5000/team/*'],
  allowUnsigned: false,
  ...over,
});

test('a scope that allows unsigned recipes admits a missing signature only, and the verdict names the scope', async () => {
  const relaxed = toPolicy({ main: trusted }, [scope({ allowUnsigned: true })]);
  assert.deepEqual(await judge([], relaxed), { outcome: 'unsigned-admitted', trustScope: 'lab' });
  for (const layout of layouts) {
    refused(await judge([signed(foreign, layout)], relaxed), 'untrusted');
    refused(await judge([signed(trusted, layout, 'no-base64')], relaxed), 'malformed');
    const verdict = await judge([signed(trusted, layout)], relaxed);
    assert.equal(verdict.outcome === 'verified' && verdict.trustScope, 'lab');
  }
  const nowhere: SignatureEvidence = { ...signed(trusted, 'bundle'), layers: [] };
  refused(await judge([nowhere], relaxed), 'malformed');
});

test('allowUnsigned never applies where the caller says so', async () => {
  const relaxed = toPolicy({ main: trusted }, [scope({ allowUnsigned: true })]);
  refused(await judgeSignatures(subject.digest, [], relaxed, path, { allowUnsigned: false }), 'none');
  assert.equal(
    (await judgeSignatures(subject.digest, [], relaxed, path, { allowUnsigned: true })).outcome,
    'unsigned-admitted',
  );
});

test('absence is admitted under a relaxed scope without any root too', async () => {
  assert.equal(
    (await judge([], toPolicy({}, [scope({ allowUnsigned: true })]))).outcome,
    'unsigned-admitted',
  );
});

test('a scope that restricts the roots refuses the others and says which one signed', async () => {
  const narrow = toPolicy({ main: trusted, lab: foreign }, [scope({ roots: ['lab'] })]);
  const verdict = await judge([signed(trusted, 'classic')], narrow);
  refused(verdict, 'untrusted', /signed with main, which scope lab does not accept/);
  assert.deepEqual(verdict.outcome === 'refused' && verdict.fingerprints, [trusted.fingerprint]);
  assert.equal((await judge([signed(foreign, 'classic')], narrow)).outcome, 'verified');
  refused(
    await judge([signed(trusted, 'classic')], toPolicy({ main: trusted }, [scope({ roots: [] })])),
    'no-roots',
  );
});

test('the first matching scope wins', async () => {
  const first = scope({ name: 'first', roots: ['main'] });
  const second = scope({ name: 'second', repositories: ['**'], allowUnsigned: true });
  refused(await judge([], toPolicy({ main: trusted }, [first, second])), 'none');
  assert.equal((await judge([], toPolicy({ main: trusted }, [second, first]))).outcome, 'unsigned-admitted');
  assert.equal(
    (await judge([], toPolicy({ main: trusted }, [scope({ repositories: ['other/**'] }), second]))).outcome,
    'unsigned-admitted',
  );
});

test('a scope names one recipe, or its cookbook and with it all its recipes, segment by segment', async () => {
  assert.equal(toScopePath({ host: 'R.example:5000', repository: 'team/cookbook/web' }), path);
  assert.equal(
    toScopePath({ host: 'index.docker.io', repository: 'cookbook/web' }),
    'docker.io/cookbook/web',
  );
  const admits = async (glob: string) => {
    const under = toPolicy({ main: trusted }, [scope({ repositories: [glob], allowUnsigned: true })]);
    return (await judge([], under)).outcome === 'unsigned-admitted';
  };
  const cookbook = 'r.example_5000/team/cookbook';
  const covering = [
    path,
    `${cookbook}/*`,
    `${cookbook}/we*`,
    `${cookbook}/**`,
    cookbook,
    'r.example_5000/team/*',
    'r.example_5000/**',
    '**',
    '*/*/cookbook',
    'r.example_*/team/cook*',
  ];
  for (const glob of covering) assert.equal(await admits(glob), true, glob);
  const others = [
    '*',
    '*/*',
    'r.example_5000/*',
    'r.example:5000/team/*',
    'team/cookbook',
    'r.example_5000/team',
    `${cookbook}/other`,
    `${cookbook}/we`,
    `${path}/*`,
    `${path}/**`,
  ];
  for (const glob of others) assert.equal(await admits(glob), false, glob);
});

test('a restriction to some roots that names one recipe holds for that recipe alone', async () => {
  const narrow = toPolicy({ main: trusted, lab: foreign }, [scope({ repositories: [path], roots: ['lab'] })]);
  refused(await judge([signed(trusted, 'bundle')], narrow), 'untrusted', /does not accept/);
  const other = 'r.example_5000/team/cookbook/other';
  const verdict = await judgeSignatures(subject.digest, [signed(trusted, 'bundle')], narrow, other);
  assert.equal(verdict.outcome, 'verified');
});

test('a scope that applies to no recipe is listed, also when an earlier scope matches first', () => {
  const scopes = [
    scope({ name: 'one', repositories: [path] }),
    scope({ name: 'shadowed', repositories: [path] }),
    scope({ name: 'elsewhere', repositories: ['r.example_5000/team/lax-*'] }),
    scope({ name: 'rest', repositories: ['**'] }),
  ];
  assert.deepEqual(selectIdleScopes({ scopes }, [path, 'r.example_5000/team/cookbook/other']), [
    'shadowed',
    'elsewhere',
  ]);
  assert.deepEqual(selectIdleScopes({ scopes: [] }, [path]), []);
});

const provenance = 'https://slsa.dev/provenance/v1';
const attested = (signer: Signer, predicateType: string): SignatureEvidence =>
  toEvidence(signer.sign(subject, 'bundle', { predicateType }));

test('a statement of a trusted key with another predicate type does not approve and masks no signature', async () => {
  const other = [attested(trusted, provenance), attested(trusted, 'https://r.example/rejected/v1')];
  refused(
    await judge(other),
    'none',
    /an attestation of type https:\/\/slsa.dev\/provenance\/v1, which approves nothing/,
  );
  for (const layout of layouts)
    assert.equal((await judge([...other, signed(trusted, layout)])).outcome, 'verified');
  refused(await judge([...other, signed(foreign, 'bundle')]), 'untrusted', /attestation/);
  // beside an attestation a recipe is still unsigned
  const relaxed = toPolicy({ main: trusted }, [scope({ allowUnsigned: true })]);
  assert.equal((await judge(other, relaxed)).outcome, 'unsigned-admitted');
});

test('a root accepts the statements of the types that it names, and no other root does', async () => {
  const { roots } = toPolicy({ main: trusted, builder: foreign });
  const under = { ...policy, roots: [roots[0]!, { ...roots[1]!, predicates: [provenance] }] };
  const verdict = await judge([attested(foreign, provenance)], under);
  assert.equal(verdict.outcome === 'verified' && verdict.root, 'builder');
  refused(await judge([attested(trusted, provenance)], under), 'untrusted');
  assert.equal((await judge([signed(foreign, 'bundle')], under)).outcome, 'verified');
});

test('attestations do not take the places of signatures', async () => {
  const many = Array.from({ length: 1100 }, (_, i) => attested(foreign, `https://r.example/${i}`));
  assert.equal((await judge([...many, signed(trusted, 'bundle')])).outcome, 'verified');
});

test('every signature that was found is verified, and a refusal names how many the search left out', async () => {
  const junk = Array.from({ length: 1024 }, (_, i) =>
    toEvidence(foreign.sign(subject, 'classic', { reference: `r.example/${i}` })),
  );
  assert.equal((await judge([...junk, signed(trusted, 'classic')])).outcome, 'verified');
  assert.equal((await judge([...junk, signed(trusted, 'bundle')])).outcome, 'verified');
  const verdict = await judgeSignatures(subject.digest, junk, policy, 'r.example/cookbook/x', {
    leftOut: 3,
  });
  refused(verdict, 'untrusted', /1024 of 1027 signatures looked at/);
});

test('the verification of many signatures leaves the event loop to others', async () => {
  const large = createSigner('p384');
  const junk = Array.from({ length: 200 }, (_, i) =>
    toEvidence(large.sign(subject, 'classic', { reference: `r.example/${i}` })),
  );
  let turns = 0;
  const turn = setInterval(() => {
    turns += 1;
  }, 0);
  const others = toPolicy({ one: createSigner('p384'), two: createSigner('p384') });
  refused(await judge(junk, others), 'untrusted');
  clearInterval(turn);
  assert.ok(turns > 3, `${turns} turns`);
});

test('fingerprints of what was seen are bounded', async () => {
  const artifacts = Array.from({ length: 30 }, () => {
    const bundle = goodBundle();
    bundle.verificationMaterial.publicKey.hint = hashBytes(String(Math.random())).slice(7);
    bundle.dsseEnvelope.signatures[0].sig = Buffer.from(String(Math.random())).toString('base64');
    return wrapBundle(bundle);
  });
  const verdict = await judge(artifacts);
  assert.equal(verdict.outcome === 'refused' && verdict.fingerprints.length, 16);
});
