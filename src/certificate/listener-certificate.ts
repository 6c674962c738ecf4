import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { Serial } from '../base/concurrency.ts';
import type { Report } from '../base/report.ts';
import { requireSetting } from '../base/require-setting.ts';
import type { Certificate } from '../contract/access.ts';
import { syncFolder } from '../disk/atomic-file.ts';
import { makeStateFolder } from '../disk/make-folder.ts';
import { readPlainText } from '../disk/plain-file.ts';
import { toWriteError } from '../disk/write-error.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import { createSelfSigned } from './self-signed.ts';
import {
  describeCertificate,
  PairError,
  readTlsPair,
  requireChain,
  type TlsPair,
  validityOf,
} from './tls-pair.ts';

/** Days of validity of a generated certificate. */
const validity = 825;
/** Milliseconds between two checks of supplied files. */
const watchInterval = 10_000;
/** Milliseconds between two checks of a generated pair: a clock that was put right ends its validity too. */
const renewalInterval = 60_000;
const largestPem = 1 << 20;

interface ListenerCertificateOptions {
  /** A supplied pair: both files or neither. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Folder in which the instance keeps its own pair; without it, a pair is generated at each start. */
  readonly stateRoot?: string | undefined;
  /** Further names and addresses of a generated certificate. */
  readonly hosts: readonly string[];
  readonly report: Report;
  /** Milliseconds between two checks of supplied files, or of a generated pair. */
  readonly interval?: number;
}

/** The certificate of the listener of a running instance. */
export interface ListenerCertificate {
  readonly pair: TlsPair;
  readonly description: Certificate;
  /** Whether `replace` is possible: no pair is supplied by file, and there is a state root. */
  readonly replaceable: boolean;
  /** Calls back with each new pair: changed supplied files, a replacement, a renewal. Returns a function that stops it. */
  watch(onChange: (pair: TlsPair) => void): () => void;
  /**
   * Stores a pair in the state root and serves it from now on.
   *
   * @param shown.fingerprint `fingerprintSha256` of the certificate on whose replacement the request rests
   * @throws SVC-NET-004 when the pair is unusable, SVC-CFG-001 when `replaceable` is false, SVC-SRV-007 when another
   *   certificate is served by now
   */
  replace(pair: TlsPair, shown?: { readonly fingerprint?: string | undefined }): Promise<Certificate>;
}

type Kind = 'generated' | 'adopted';

interface Kept {
  readonly kind: Kind;
  readonly generation: number;
  readonly pair: TlsPair;
}

function folderOf(stateRoot: string): string {
  return join(stateRoot, 'tls');
}

async function readPem(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > largestPem)
    throw new PairError(
      rule(['larger than {largestPem} bytes', fr`plus de {largestPem} octets`], { largestPem }),
    );
  return readPlainText(path);
}

/** Reads the newest complete pair of the state root; an incomplete folder was never renamed into place. */
async function readKept(stateRoot: string): Promise<Kept | undefined> {
  const folder = folderOf(stateRoot);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const kept = names
    .flatMap((name) => {
      const match = /^(generated|adopted)-([0-9]{1,9})$/.exec(name);
      return match ? [{ name, kind: match[1] as Kind, generation: Number(match[2]) }] : [];
    })
    .sort((a, b) => b.generation - a.generation);
  const newest = kept[0];
  if (newest === undefined) return undefined;
  const pair = {
    cert: await readPem(join(folder, newest.name, 'certificate.pem')),
    key: await readPem(join(folder, newest.name, 'key.pem')),
  };
  return { kind: newest.kind, generation: newest.generation, pair };
}

/** Reads the certificate (PEM) that an instance with this state root serves when no pair is supplied by file. */
export async function readKeptCertificate(stateRoot: string): Promise<string | undefined> {
  return (await readKept(stateRoot))?.pair.cert;
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Puts a pair in place by one rename of its folder, then removes older pairs.
 *
 * @throws SVC-STO-002, SVC-STO-004
 */
async function keep(stateRoot: string, kind: Kind, pair: TlsPair, generation: number): Promise<void> {
  const folder = folderOf(stateRoot);
  await makeStateFolder(folder);
  try {
    await replaceKept(folder, `${kind}-${generation}`, pair);
  } catch (error) {
    throw toWriteError(error, folder, { place: 'state' });
  }
}

async function replaceKept(folder: string, name: string, pair: TlsPair): Promise<void> {
  await chmod(folder, 0o700);
  const fresh = join(folder, `.new-${randomBytes(6).toString('hex')}`);
  await mkdir(fresh, { mode: 0o700 });
  await writeDurably(join(fresh, 'certificate.pem'), pair.cert);
  await writeDurably(join(fresh, 'key.pem'), pair.key);
  await syncFolder(fresh);
  await rename(fresh, join(folder, name));
  await syncFolder(folder);
  for (const other of await readdir(folder)) {
    if (other !== name) await rm(join(folder, other), { recursive: true, force: true });
  }
}

function canonicalAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address.toLowerCase();
}

/** Returns whether a generated certificate can be served: valid now, and for exactly these hosts. */
function isCurrent(pair: TlsPair, hosts: readonly string[]): boolean {
  const { dnsNames, ipAddresses } = describeCertificate(pair, 'generated');
  const has = new Set([...dnsNames, ...ipAddresses].map(canonicalAddress));
  const wanted = new Set(hosts.map(canonicalAddress));
  return has.size === wanted.size && [...wanted].every((host) => has.has(host)) && isValidNow(pair);
}

function isValidNow(pair: TlsPair): boolean {
  return validityOf(describeCertificate(pair, 'generated'), systemClock.wall()) === 'valid';
}

/** Logs that the pair that is served is not valid now. */
function warnOfValidity(report: Report, pair: TlsPair): void {
  const { notBefore, notAfter } = describeCertificate(pair, 'configured');
  const validity = validityOf({ notBefore, notAfter }, systemClock.wall());
  if (validity === 'early')
    report.log('warn', 'listener certificate is not valid yet; check the clock', { notBefore });
  if (validity === 'expired') report.log('warn', 'listener certificate has expired', { notAfter });
}

/** @throws PairError with the time when a pair is not valid now */
function requireValidNow(pair: TlsPair): void {
  const { notBefore, notAfter } = describeCertificate(pair, 'adopted');
  const validity = validityOf({ notBefore, notAfter }, systemClock.wall());
  if (validity === 'expired')
    throw new PairError(
      rule(['the certificate has expired, at {notAfter}', fr`le certificat a expiré, le {notAfter}`], {
        notAfter,
      }),
    );
  if (validity === 'early')
    throw new PairError(
      rule(
        [
          'the certificate is not valid before {notBefore}, by the clock of this instance',
          fr`le certificat n’est pas valable avant le {notBefore}, d’après l’horloge de cette instance`,
        ],
        { notBefore },
      ),
    );
}

async function fileState(paths: readonly string[]): Promise<string> {
  const states = await Promise.all(
    paths.map(async (path) => {
      const { ino, size, mtimeMs, ctimeMs } = await stat(path);
      return `${ino}:${size}:${mtimeMs}:${ctimeMs}`;
    }),
  );
  return states.join('|');
}

async function openSupplied(
  certFile: string,
  keyFile: string,
  options: ListenerCertificateOptions,
): Promise<ListenerCertificate> {
  const read = async (): Promise<TlsPair> => {
    return readTlsPair({ cert: await readPem(certFile), key: await readPem(keyFile) });
  };
  let pair: TlsPair;
  let state: string;
  try {
    state = await fileState([certFile, keyFile]);
    pair = await read();
  } catch (cause) {
    throw svcError('SVC-NET-003', { path: certFile }, { cause });
  }
  warnOfValidity(options.report, pair);
  return {
    get pair() {
      return pair;
    },
    get description() {
      return describeCertificate(pair, 'configured');
    },
    replaceable: false,
    watch: (onChange) => {
      let failing = false;
      const look = async (): Promise<void> => {
        try {
          const now = await fileState([certFile, keyFile]);
          if (now === state && !failing) return;
          pair = await read();
          state = now;
          failing = false;
          onChange(pair);
          options.report.log('info', 'listener certificate reloaded', {
            fingerprint: describeCertificate(pair, 'configured').fingerprintSha256,
          });
          warnOfValidity(options.report, pair);
        } catch (error) {
          // perhaps only half of the pair has been replaced yet: the old pair is served until both fit
          if (!failing) {
            options.report.log('warn', 'listener certificate could not be reloaded; keeping the old one', {
              path: certFile,
              detail: error instanceof Error ? error.message : String(error),
            });
          }
          failing = true;
        }
      };
      let looking: Promise<void> = Promise.resolve();
      const timer = setInterval(() => {
        looking = looking.then(look);
      }, options.interval ?? watchInterval);
      timer.unref();
      return () => clearInterval(timer);
    },
    replace: () =>
      Promise.reject(
        svcError('SVC-CFG-001', {
          setting: 'server.tls.certFile',
          detail: rule([
            'names the certificate: replace that file and the key file instead',
            fr`nomme le certificat : remplacez plutôt ce fichier et celui de la clé`,
          ]),
        }),
      ),
  };
}

/**
 * Opens the certificate of the listener: the supplied pair, else the one in the state root, else a new self-signed one.
 * That keeps its fingerprint until it is invalid at the time of this machine, or the hosts change.
 *
 * @throws SVC-NET-003 when a supplied or stored pair is unusable
 */
export async function openListenerCertificate(
  options: ListenerCertificateOptions,
): Promise<ListenerCertificate> {
  const { certFile, keyFile, stateRoot, report } = options;
  if (certFile !== undefined && keyFile !== undefined) return openSupplied(certFile, keyFile, options);
  const replacements = new Serial();
  const hosts = [...new Set([...options.hosts, 'localhost', '127.0.0.1', '::1'])];
  let kept: Kept | undefined;
  try {
    kept = stateRoot === undefined ? undefined : await readKept(stateRoot);
    if (kept?.kind === 'adopted') kept = { ...kept, pair: readTlsPair(kept.pair) };
  } catch (cause) {
    throw svcError('SVC-NET-003', { path: folderOf(stateRoot!) }, { cause });
  }
  const isUsable = (candidate: Kept): boolean => {
    if (candidate.kind === 'adopted') return true;
    try {
      return isCurrent(readTlsPair(candidate.pair), hosts);
    } catch {
      return false;
    }
  };
  const generate = async (generation: number): Promise<Kept> => {
    const pair = createSelfSigned(hosts, validity);
    if (stateRoot !== undefined) await keep(stateRoot, 'generated', pair, generation);
    return { kind: 'generated', generation, pair };
  };
  let current = kept !== undefined && isUsable(kept) ? kept : await generate((kept?.generation ?? 0) + 1);
  warnOfValidity(report, current.pair);
  const listeners = new Set<(pair: TlsPair) => void>();
  const change = (next: Kept): void => {
    current = next;
    for (const listener of listeners) listener(next.pair);
  };
  return {
    get pair() {
      return current.pair;
    },
    get description() {
      return describeCertificate(current.pair, current.kind);
    },
    replaceable: stateRoot !== undefined,
    watch: (onChange) => {
      listeners.add(onChange);
      const renew = async (): Promise<void> => {
        if (current.kind !== 'generated' || isValidNow(current.pair)) return;
        change(await generate(current.generation + 1));
      };
      let isRenewing = false;
      const timer = setInterval(() => {
        // a disk can take longer than the interval, and two renewals would write the same generation
        if (isRenewing) return;
        isRenewing = true;
        replacements
          .run(renew)
          .catch((error: unknown) =>
            report.log('error', 'listener certificate cannot be renewed', { detail: String(error) }),
          )
          .finally(() => {
            isRenewing = false;
          });
      }, options.interval ?? renewalInterval);
      timer.unref();
      return () => {
        clearInterval(timer);
        listeners.delete(onChange);
      };
    },
    replace: (texts, { fingerprint } = {}) =>
      replacements.run(async () => {
        const root = requireSetting('state.root', stateRoot);
        let pair: TlsPair;
        try {
          pair = readTlsPair(texts);
          requireChain(pair);
          requireValidNow(pair);
        } catch (cause) {
          throw svcError('SVC-NET-004', {}, { cause });
        }
        const { fingerprintSha256 } = describeCertificate(current.pair, current.kind);
        if (fingerprint !== undefined && fingerprint !== fingerprintSha256)
          throw svcError('SVC-SRV-007', { subject: 'server.tls' });
        await keep(root, 'adopted', pair, current.generation + 1);
        change({ kind: 'adopted', generation: current.generation + 1, pair });
        return describeCertificate(pair, 'adopted');
      }),
  };
}
