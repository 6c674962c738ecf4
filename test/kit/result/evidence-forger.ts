import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { preAuthEncoding } from '../../../src/attest/envelope.ts';
import { toKeyHint } from '../../../src/attest/public-key.ts';
import { type Digest, hashBytes } from '../../../src/base/digest.ts';
import type { Evidence } from '../../../src/contract/evidence.ts';
import { writeLine } from '../../../src/custody/line.ts';
import { collectStatement } from '../../../src/engine/evidence/collect-statement.ts';
import { listNamed } from '../../../src/engine/evidence/named-statements.ts';
import { renderGuide } from '../../../src/engine/evidence/render-guide.ts';
import { renderPage } from '../../../src/engine/evidence/render-page.ts';
import { toKeyFile } from '../../../src/engine/evidence/sign-files.ts';
import type { Signer } from '../../../src/signing/signer.ts';
import { delivery } from '../scene/evidence-site.ts';

type Document = { -readonly [K in keyof Evidence]: any };

const payloadType = 'application/vnd.in-toto+json';
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const blocked = (text: string): string => text.replace('"sequence":1,"issuedAt"', '"sequence":9,"issuedAt"');

export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

/** Tools that forge an evidence pack and make all its sums and pages anew. @param folder of the pack, which may not be there yet */
export function openForger(folder: () => string) {
  const at = (name: string): string => join(folder(), name);

  async function readDocument(): Promise<Document> {
    return JSON.parse(await readFile(at('evidence.json'), 'utf8'));
  }

  /** Changes the document, and makes the page and the guide of it. */
  async function edit(change: (evidence: Document) => void): Promise<void> {
    const evidence = await readDocument();
    change(evidence);
    await writeFile(at('evidence.json'), `${JSON.stringify(evidence, null, 2)}\n`);
    await writeFile(at('index.html'), [...renderPage(evidence as Evidence, 'en')].join(''));
    await writeFile(at('VERIFY.md'), renderGuide(evidence as Evidence, 'en'));
  }

  const editText = async (name: string, from: string | RegExp, to: string): Promise<void> => {
    const text = await readFile(at(name), 'utf8');
    assert.notEqual(text.replace(from, to), text);
    await writeFile(at(name), text.replace(from, to));
  };

  /** Writes the sums of all files, as whoever forges a pack would. */
  async function reseal(): Promise<void> {
    await rm(at('SHA256SUMS'), { force: true });
    const lines: string[] = [];
    for (const name of await listFiles(folder()))
      lines.push(`${sha256(await readFile(at(name)))}  ${name}\n`);
    await writeFile(at('SHA256SUMS'), lines.join(''));
  }

  const pathOf = async (kind: string): Promise<string> =>
    (await readDocument()).signatures.find((one: any) => one.kind === kind).path;

  /** Replaces a statement by a changed one. @param signer default: the old signature stays, which fits no more */
  async function restate(path: string, change: (text: string) => string, signer?: Signer): Promise<void> {
    const bundle = JSON.parse(await readFile(at(`${path}.sigstore.json`), 'utf8'));
    const envelope = bundle.dsseEnvelope;
    const payload = Buffer.from(change(Buffer.from(envelope.payload, 'base64').toString()));
    const signed = preAuthEncoding(payloadType, payload);
    const [held] = envelope.signatures;
    const sig = signer === undefined ? held.sig : signer.sign(signed).toString('base64');
    if (signer !== undefined) bundle.verificationMaterial.publicKey.hint = toKeyHint(signer.publicKey);
    await writeFile(
      at(`${path}.sigstore.json`),
      JSON.stringify({
        ...bundle,
        dsseEnvelope: { ...envelope, payload: payload.toString('base64'), signatures: [{ ...held, sig }] },
      }),
    );
    await writeFile(at(`${path}.signed`), signed);
    await writeFile(at(`${path}.sig`), `${sig}\n`);
  }

  /** Takes the keys out of the document and the pack: which key signed is a claim of the document alone. */
  async function forgetKeys(paths?: readonly string[]): Promise<void> {
    await edit((evidence) => {
      for (const one of evidence.signatures)
        if (paths?.includes(one.path) ?? true) {
          delete one.key;
          delete one.algorithm;
        }
      const used = new Set(evidence.signatures.map(({ key }: any) => key));
      evidence.keys = evidence.keys.filter(({ path }: any) => used.has(path));
    });
    const kept = new Set((await readDocument()).keys.map(({ path }: any) => path));
    await remove((name) => name.startsWith('keys/') && !kept.has(name));
  }

  /** Removes the selected files, and the folders that have no other. */
  async function remove(isSelected: (name: string) => boolean): Promise<void> {
    for (const name of await listFiles(folder())) if (isSelected(name)) await rm(at(name));
    const entries = await readdir(folder(), { recursive: true, withFileTypes: true });
    const folders = entries
      .filter((each) => each.isDirectory())
      .map((each) => join(each.parentPath, each.name));
    for (const each of folders.toSorted((a, b) => b.length - a.length))
      if ((await readdir(each)).length === 0) await rmdir(each);
  }

  /** Names another key as that of a statement. */
  async function nameKey(path: string, name: string, signer: Signer): Promise<void> {
    const file = `keys/${name}-${signer.fingerprint.slice(0, 12)}.pub`;
    await writeFile(at(file), signer.publicKey.export({ type: 'spki', format: 'pem' }));
    await edit((evidence) => {
      for (const one of evidence.signatures) if (one.path === path) one.key = file;
      evidence.keys.unshift({ path: file, name, fingerprint: signer.fingerprint });
    });
    const used = new Set((await readDocument()).signatures.map(({ key }: any) => key));
    await edit((evidence) => {
      evidence.keys = evidence.keys.filter(({ path: one }: any) => used.has(one));
    });
    for (const one of await listFiles(folder()))
      if (one.startsWith('keys/') && !used.has(one)) await rm(at(one));
  }

  /** A receipt with another number, in the document and the names of its files too. */
  async function restateReceipt(signer?: Signer): Promise<string> {
    const path = await pathOf('receipt');
    await restate(path, blocked, signer);
    const next = path.replace(/1$/, '9');
    for (const end of ['.signed', '.sig', '.sigstore.json']) {
      await writeFile(at(next + end), await readFile(at(path + end)));
      await rm(at(path + end));
    }
    await edit((evidence) => {
      const one = evidence.signatures.find(({ kind }: any) => kind === 'receipt');
      const about = ['receipt 9 of zone-b', ...one.about.slice(1)];
      const receipt = { ...one.receipt, sequence: 9 };
      Object.assign(one, { path: next, bundle: `${next}.sigstore.json`, about, receipt });
    });
    return next;
  }

  /** The entry of a statement that a pack does not have. */
  async function readAbsent(kind: string): Promise<object> {
    const [own] = (await readDocument()).ledgers;
    const named = own.lines.flatMap(listNamed).filter((one: any) => one.kind === kind);
    assert.ok(named.length > 0, kind);
    // an approval has an intent too, which does not require one
    return named.at(-1);
  }

  /** Takes the statements of a kind out of the pack. @param absent is stated instead */
  async function dropStatement(kind: string, absent?: object): Promise<void> {
    const { signatures } = await readDocument();
    for (const { path } of signatures.filter((one: any) => one.kind === kind))
      for (const end of ['.signed', '.sig', '.sigstore.json']) await rm(at(path + end));
    await edit((evidence) => {
      evidence.signatures = evidence.signatures.filter((one: any) => one.kind !== kind);
      const used = new Set(evidence.signatures.map(({ key }: any) => key));
      evidence.keys = evidence.keys.filter(({ path }: any) => used.has(path));
      if (absent !== undefined) evidence.absent.push(absent);
    });
    const kept = new Set((await readDocument()).keys.map(({ path }: any) => path));
    for (const name of await listFiles(folder()))
      if (name.startsWith('keys/') && !kept.has(name)) await rm(at(name));
  }

  /** Replaces a statement by a changed one under its own name, which the document states as the program does. */
  async function renameStatement(
    kind: 'approval' | 'passport' | 'receipt',
    signer: Signer,
    change: (text: string) => string,
    named?: string,
  ): Promise<void> {
    const path = named ?? (await pathOf(kind));
    await restate(path, change, signer);
    const bundle = await readFile(at(`${path}.sigstore.json`));
    const { name } = (await readDocument()).keys.find(({ path: one }: any) =>
      one.includes(signer.fingerprint.slice(0, 12)),
    ) ?? {
      name: 'zone-a',
    };
    const key = { name, key: signer.publicKey, fingerprint: signer.fingerprint };
    const made = collectStatement(kind, bundle, [key])!;
    assert.ok(made);
    for (const end of ['.signed', '.sig', '.sigstore.json']) await rm(at(path + end));
    for (const file of [...made.files, toKeyFile(key)]) await writeFile(at(file.path), file.bytes);
    await edit((evidence) => {
      const i = evidence.signatures.findIndex((one: any) => one.path === path);
      evidence.signatures[i] = made.signature;
      if (!evidence.keys.some((one: any) => one.path === made.signature.key))
        evidence.keys.push({ path: made.signature.key, name, fingerprint: signer.fingerprint });
      const used = new Set(evidence.signatures.map((one: any) => one.key));
      evidence.keys = evidence.keys.filter((one: any) => used.has(one.path));
    });
    const used = new Set((await readDocument()).keys.map((one: any) => one.path));
    for (const one of await listFiles(folder()))
      if (one.startsWith('keys/') && !used.has(one)) await rm(at(one));
  }

  /** Appends a line of the site to its ledger, and states it. @param subjects of the recipes that it names */
  async function appendLine(subjects: readonly { name: string; digest: Digest }[]): Promise<void> {
    const [file] = (await readDocument()).ledgers[0].files;
    const text = await readFile(at(file), 'utf8');
    const last = text.split(/(?<=\n)/).at(-1)!;
    const { seq, ts } = JSON.parse(last);
    const { bytes, digest } = writeLine(
      {
        ...{ ts, site: 'zone-a', type: 'fetched', step: 'event', actor: 'alice', subjects },
        details: { delivery },
      },
      { seq, digest: hashBytes(last) },
    );
    await writeFile(at(file), text + bytes);
    await edit((evidence) => {
      const [own] = evidence.ledgers;
      const { sum: _, prev: __, ...shown } = JSON.parse(String(bytes));
      own.lines.push(shown);
      Object.assign(own, { count: seq + 1, head: digest });
    });
  }

  /** Names a recipe of the pack otherwise in a line of its own. @param isHeld whether the pack has its files below that name */
  async function renameRecipe(isHeld: boolean): Promise<void> {
    const { recipes } = await readDocument();
    const depot = recipes.find(({ name }: any) => name === 'depot');
    await appendLine([{ name: 'depot@9.9.9', digest: depot.digest }]);
    const folder = 'recipes/depot@9.9.9';
    const { documentDigest, digest } = depot;
    const renamed = { name: 'depot', version: '9.9.9', digest };
    if (isHeld) await cp(at(depot.folder), at(folder), { recursive: true });
    await edit((evidence) => {
      const i = evidence.recipes.indexOf(evidence.recipes.find(({ name }: any) => name === 'depot'));
      evidence.recipes.splice(
        i + 1,
        0,
        isHeld ? { ...renamed, folder, documentDigest } : { ...renamed, missing: 'SVC-REG-005' },
      );
      if (!isHeld) return;
      const j = evidence.signatures.findIndex(({ path }: any) => path === `${depot.folder}/signature-1`);
      const path = `${folder}/signature-1`;
      const one = { ...evidence.signatures[j], path, about: ['depot@9.9.9'] };
      evidence.signatures.splice(j + 1, 0, { ...one, bundle: `${path}.sigstore.json` });
    });
  }

  return {
    at,
    readDocument,
    edit,
    editText,
    reseal,
    pathOf,
    restate,
    forgetKeys,
    remove,
    nameKey,
    restateReceipt,
    readAbsent,
    dropStatement,
    renameStatement,
    appendLine,
    renameRecipe,
  };
}
