import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { parsePlatform } from '../oci/platform.ts';
import { canonicalHost, isHost, isTag, parseRepositoryReference } from '../oci/reference.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';
import { breaksZoneName } from './keys/instance.ts';
import type { Config } from './model.ts';
import { isInside, resolveLinks } from './resolve-links.ts';
import {
  custodyScopes,
  keyScopes,
  outboundScopes,
  type Scope,
  signingScopes,
  storeScopes,
  trustScopes,
} from './scope.ts';
import {
  checkHttpsUrl,
  checkPublicKey,
  checkRepositoryGlob,
  checkRetrieverSource,
  checkScopeGlob,
  checkSubstitutionBase,
} from './value-rules.ts';

/** A broken rule; `with` names the other settings of the contradiction. */
interface Finding {
  readonly key: string;
  readonly rule: Rule;
  readonly with?: readonly string[];
  readonly code?: 'SVC-CFG-002';
  readonly path?: string;
  readonly root?: string;
}

interface CombinationRule {
  readonly scopes: readonly Scope[];
  readonly check: (config: Config, isSet: (key: string) => boolean) => Finding[] | Promise<Finding[]>;
}

const moving: readonly Scope[] = ['serve', 'sync-plan', 'media-import', 'receipt-write', 'dump'];
const serving: readonly Scope[] = ['serve', 'dump'];
const everywhere: readonly Scope[] = [...storeScopes, 'user'];

/** Rules about several settings. */
export const combinationRules: readonly CombinationRule[] = [
  { scopes: ['serve', 'ask-instance', 'dump'], check: checkServerTls },
  { scopes: outboundScopes, check: checkProxy },
  { scopes: outboundScopes, check: checkOutboundTls },
  { scopes: outboundScopes, check: checkSubstitutions },
  { scopes: moving, check: checkDestination },
  { scopes: ['serve', 'sync-plan', 'dump'], check: checkPrune },
  { scopes: trustScopes, check: checkRoots },
  { scopes: trustScopes, check: checkScopes },
  { scopes: signingScopes, check: checkSigning },
  { scopes: custodyScopes, check: checkCustody },
  { scopes: trustScopes, check: checkPeers },
  { scopes: trustScopes, check: checkPassports },
  { scopes: ['serve', 'zones', 'dump'], check: checkZones },
  { scopes: serving, check: checkKeyCache },
  { scopes: serving, check: checkFilesets },
  { scopes: serving, check: checkViews },
  { scopes: ['serve', 'media-import', 'dump'], check: checkMediumLog },
  { scopes: everywhere, check: checkKinds },
  { scopes: everywhere, check: checkFolders },
  { scopes: [...everywhere, ...keyScopes, 'trust'], check: checkSecretsOutside },
];

function checkServerTls({ server: { tls } }: Config): Finding[] {
  const certificate = 'server.tls.certFile';
  const key = 'server.tls.keyFile';
  const findings: Finding[] = [];
  if (tls.certFile !== undefined && tls.keyFile === undefined) {
    findings.push({
      key,
      with: [certificate],
      rule: rule(
        [
          'is missing: {certificate} is set, and a pair needs both',
          fr`manque : {certificate} est défini, et il faut les deux`,
        ],
        { certificate },
      ),
    });
  }
  if (tls.keyFile !== undefined && tls.certFile === undefined) {
    findings.push({
      key: certificate,
      with: [key],
      rule: rule(
        [
          'is missing: {key} is set, and a pair needs both',
          fr`manque : {key} est défini, et il faut les deux`,
        ],
        { key },
      ),
    });
  }
  if (tls.hosts.length > 0 && (tls.certFile !== undefined || tls.keyFile !== undefined)) {
    findings.push({
      key: 'server.tls.hosts',
      with: [certificate, key],
      rule: rule([
        'must be empty when a certificate is configured: it names hosts of the generated certificate',
        fr`doit être vide si un certificat est configuré : il nomme les hôtes du certificat généré`,
      ]),
    });
  }
  return findings;
}

function checkProxy({ network: { proxy } }: Config): Finding[] {
  if (proxy.url !== undefined || proxy.httpsURL !== undefined) return [];
  return (['username', 'password'] as const)
    .filter((name) => proxy[name] !== undefined)
    .map((name) => ({
      key: `network.proxy.${name}`,
      with: ['network.proxy.url', 'network.proxy.httpsURL'],
      rule: rule([
        'is set without a proxy: set network.proxy.url as well, or remove it',
        fr`est défini sans mandataire : définissez aussi network.proxy.url, ou retirez-le`,
      ]),
    }));
}

function checkOutboundTls({ network: { tls } }: Config): Finding[] {
  if (!tls.exclusiveTrust || tls.caFiles.length > 0 || tls.ca !== undefined) return [];
  return [
    {
      key: 'network.tls.exclusiveTrust',
      with: ['network.tls.caFiles', 'network.tls.ca'],
      rule: rule([
        'leaves no certificate authority: set network.tls.caFiles or network.tls.ca',
        fr`ne laisse aucune autorité de certification : définissez network.tls.caFiles ou network.tls.ca`,
      ]),
    },
  ];
}

function checkSubstitutions({ registries: { substitutions } }: Config): Finding[] {
  const findings: Finding[] = [];
  const seen = new Map<string, string>();
  for (const [host, base] of Object.entries(substitutions)) {
    const key = `registries.substitutions["${host}"]`;
    const canonical = canonicalHost(host);
    if (!isHost(canonical))
      findings.push({
        key,
        rule: rule(['must have a host[:port] as its key', fr`doit avoir un hôte[:port] pour clé`]),
      });
    else if (seen.has(canonical))
      findings.push({
        key,
        rule: rule(['names the same host as "{host}"', fr`nomme le même hôte que « {host} »`], {
          host: seen.get(canonical),
        }),
      });
    seen.set(canonical, host);
    const broken = checkSubstitutionBase(base);
    if (broken !== undefined) findings.push({ key, rule: broken });
  }
  return findings;
}

function checkDestination({ destination }: Config, isSet: (key: string) => boolean): Finding[] {
  if (destination.registry !== undefined || !isSet('destination.basePath')) return [];
  return [
    {
      key: 'destination.basePath',
      with: ['destination.registry'],
      rule: rule([
        'is set without a destination: set destination.registry as well, or remove it',
        fr`est défini sans destination : définissez aussi destination.registry, ou retirez-le`,
      ]),
    },
  ];
}

function checkPrune({ mode }: Config, isSet: (key: string) => boolean): Finding[] {
  if (mode !== 'mirror' || !isSet('sync.prune')) return [];
  return [
    {
      key: 'sync.prune',
      with: ['mode'],
      rule: rule([
        'is not used in mirror mode: pass --prune when you trigger the synchronization',
        fr`n’est pas utilisé en mode mirror : passez --prune au lancement de la synchronisation`,
      ]),
    },
  ];
}

function checkRoots({ trust: { roots } }: Config): Finding[] {
  const findings: Finding[] = [];
  for (const [index, root] of roots.entries()) {
    const at = `trust.roots[${index}]`;
    const given = (['key', 'keyFile', 'keyURL'] as const).filter((name) => root[name] !== undefined);
    if (given.length !== 1)
      findings.push({
        key: at,
        rule: rule([
          'must have exactly one of key, keyFile and keyURL',
          fr`doit avoir exactement l’un de key, keyFile et keyURL`,
        ]),
      });
    if (roots.findIndex(({ name }) => name === root.name) < index) {
      findings.push({
        key: `${at}.name`,
        rule: rule(['is also the name of another root', fr`est aussi le nom d’une autre racine`]),
      });
    }
    const keyRule = root.key === undefined ? undefined : checkPublicKey(root.key);
    if (keyRule !== undefined) findings.push({ key: `${at}.key`, rule: keyRule });
    const urlRule = root.keyURL === undefined ? undefined : checkHttpsUrl(root.keyURL);
    if (urlRule !== undefined) findings.push({ key: `${at}.keyURL`, rule: urlRule });
  }
  return findings;
}

function checkScopes({ trust: { roots, scopes } }: Config): Finding[] {
  const findings: Finding[] = [];
  const names = roots.map(({ name }) => name);
  for (const [index, scope] of scopes.entries()) {
    const at = `trust.scopes[${index}]`;
    if (scopes.findIndex(({ name }) => name === scope.name) < index) {
      findings.push({
        key: `${at}.name`,
        rule: rule(['is also the name of another scope', fr`est aussi le nom d’un autre périmètre`]),
      });
    }
    if (scope.repositories.length === 0) {
      findings.push({
        key: `${at}.repositories`,
        rule: rule(['must contain at least one glob', fr`doit contenir au moins un motif`]),
      });
    }
    for (const [position, glob] of scope.repositories.entries()) {
      const broken = checkScopeGlob(glob);
      if (broken !== undefined) findings.push({ key: `${at}.repositories[${position}]`, rule: broken });
    }
    if (scope.roots?.length === 0) {
      findings.push({
        key: `${at}.roots`,
        rule: rule([
          'must name at least one root, or be removed',
          fr`doit nommer au moins une racine, ou être retiré`,
        ]),
      });
    } else if (!scope.allowUnsigned && scope.roots === undefined) {
      findings.push({
        key: at,
        rule: rule([
          'has no effect: set allowUnsigned: true, or restrict it with roots',
          fr`est sans effet : définissez allowUnsigned: true, ou restreignez-le avec roots`,
        ]),
      });
    }
    for (const [position, name] of (scope.roots ?? []).entries()) {
      if (!names.includes(name)) {
        findings.push({
          key: `${at}.roots[${position}]`,
          with: ['trust.roots'],
          rule: rule(['names no root of trust.roots', fr`ne nomme aucune racine de trust.roots`]),
        });
      }
    }
  }
  return findings;
}

function checkSigning({ signing }: Config): Finding[] {
  if (signing.passwordFile === undefined || signing.keyFile !== undefined) return [];
  return [
    {
      key: 'signing.passwordFile',
      with: ['signing.keyFile'],
      rule: rule([
        'is set without a key: set signing.keyFile as well, or remove it',
        fr`est défini sans clé ; définissez aussi signing.keyFile, ou retirez-le`,
      ]),
    },
  ];
}

function checkCustody({ custody, state }: Config): Finding[] {
  if (!custody.enabled) return [];
  const missing = (key: string, absent: Rule): Finding => ({
    key: 'custody.enabled',
    with: [key],
    rule: absent,
  });
  const findings: Finding[] = [];
  if (state.root === undefined)
    findings.push(
      missing(
        'state.root',
        rule([
          'keeps its ledger below state.root, which is not set',
          fr`garde son registre sous state.root, qui n’est pas défini`,
        ]),
      ),
    );
  if (custody.site === undefined)
    findings.push(
      missing(
        'custody.site',
        rule([
          'needs the name of the site: set zone or custody.site',
          fr`nécessite le nom du site : définissez zone ou custody.site`,
        ]),
      ),
    );
  return findings;
}

/** Most zones of a board. */
const mostZones = 1000;

function checkZones({ zones, peers }: Config): Finding[] {
  const findings: Finding[] = [];
  if (zones.length > mostZones)
    findings.push({
      key: 'zones',
      rule: rule(['must have at most {n} items', fr`doit avoir au plus {n} éléments`], { n: mostZones }),
    });
  const seen = new Set<string>();
  for (const [index, { name, retriever, peer, maxAge }] of zones.entries()) {
    const at = `zones[${index}]`;
    const add = (member: string, broken: Rule | undefined): void => {
      if (broken !== undefined) findings.push({ key: `${at}.${member}`, rule: broken });
    };
    add('name', breaksZoneName(name));
    if (seen.has(name))
      add('name', rule(['is also the name of another zone', fr`est aussi le nom d’une autre zone`]));
    seen.add(name);
    add('retriever', checkRetrieverSource(retriever));
    if (maxAge <= 0) add('maxAge', rule(['must be more than 0', fr`doit être supérieur à 0`]));
    if (peer !== undefined && !peers.some((one) => one.name === peer && one.for.includes('receipt'))) {
      const broken = rule([
        'is not the name of a peer with receipt in its list for',
        fr`n’est pas le nom d’un pair avec receipt dans sa liste for`,
      ]);
      findings.push({ key: `${at}.peer`, with: ['peers'], rule: broken });
    }
  }
  return findings;
}

/** Whether a peer has the key of a root, or of another peer, is checked where the keys are read. */
function checkPassports({ media, peers }: Config): Finding[] {
  if (!media.requirePassport || peers.some(({ for: kinds }) => kinds.includes('passport'))) return [];
  const broken = rule([
    'refuses every medium: no peer has for: [passport]',
    fr`refuse tous les supports : aucun pair n’a for: [passport]`,
  ]);
  return [{ key: 'media.requirePassport', with: ['peers'], rule: broken }];
}

function checkPeers({ peers, trust: { roots } }: Config): Finding[] {
  const findings: Finding[] = [];
  for (const [index, peer] of peers.entries()) {
    const at = `peers[${index}]`;
    if (peers.findIndex(({ name }) => name === peer.name) < index)
      findings.push({
        key: `${at}.name`,
        rule: rule(['is also the name of another peer', fr`est aussi le nom d’un autre pair`]),
      });
    if (roots.some(({ name }) => name === peer.name)) {
      const broken = rule([
        'is also the name of a trust root: a peer never approves recipes',
        fr`est aussi le nom d’une racine de confiance, alors qu’un pair n’approuve jamais de recette`,
      ]);
      findings.push({ key: `${at}.name`, with: ['trust.roots'], rule: broken });
    }
    if (peer.for.length === 0)
      findings.push({
        key: `${at}.for`,
        rule: rule([
          'must name at least one kind of statement',
          fr`doit nommer au moins une sorte de déclaration`,
        ]),
      });
    if (new Set(peer.for).size < peer.for.length)
      findings.push({
        key: `${at}.for`,
        rule: rule(['names a kind of statement twice', fr`nomme deux fois une sorte de déclaration`]),
      });
  }
  return findings;
}

/** Requires a state folder for keys fetched by URL: without one they would be trusted anew at each start. */
function checkKeyCache({ trust: { roots }, state }: Config): Finding[] {
  if (state.root !== undefined) return [];
  return roots.flatMap(({ keyURL }, index) =>
    keyURL === undefined
      ? []
      : [
          {
            key: 'state.root',
            with: ['trust.roots'],
            rule: rule(['is required by {key}', fr`est requis par {key}`], {
              key: `trust.roots[${index}].keyURL`,
            }),
          },
        ],
  );
}

const servedName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const servedNameRule = rule([
  'must be one URL segment: letters, digits, . _ and -, starting with a letter or digit',
  fr`doit être un segment d’URL : lettres, chiffres, . _ et -, commençant par une lettre ou un chiffre`,
]);

/** Views and FileSets are served below the same path, so that a name means one of them. */
function checkViews({ files: { filesets, views } }: Config): Finding[] {
  const findings: Finding[] = [];
  for (const [index, { name, repositories }] of views.entries()) {
    const at = `files.views[${index}]`;
    if (!servedName.test(name)) findings.push({ key: `${at}.name`, rule: servedNameRule });
    if (views.findIndex((other) => other.name === name) < index)
      findings.push({
        key: `${at}.name`,
        rule: rule(['is also the name of another view', fr`est aussi le nom d’une autre vue`]),
      });
    if (filesets.some((other) => other.name === name))
      findings.push({
        key: `${at}.name`,
        with: ['files.filesets'],
        rule: rule(['is also the name of a FileSet', fr`est aussi le nom d’un FileSet`]),
      });
    if (repositories.length === 0)
      findings.push({
        key: `${at}.repositories`,
        rule: rule(['must contain at least one glob', fr`doit contenir au moins un motif`]),
      });
    for (const [which, glob] of repositories.entries()) {
      const broken = checkRepositoryGlob(glob);
      if (broken !== undefined) findings.push({ key: `${at}.repositories[${which}]`, rule: broken });
    }
  }
  return findings;
}

function checkFilesets({ files: { filesets } }: Config): Finding[] {
  const findings: Finding[] = [];
  for (const [index, fileset] of filesets.entries()) {
    const at = `files.filesets[${index}]`;
    if (!servedName.test(fileset.name)) findings.push({ key: `${at}.name`, rule: servedNameRule });
    if (filesets.findIndex(({ name }) => name === fileset.name) < index) {
      findings.push({
        key: `${at}.name`,
        rule: rule(['is also the name of another FileSet', fr`est aussi le nom d’un autre FileSet`]),
      });
    }
    try {
      parseRepositoryReference(fileset.ref);
    } catch {
      findings.push({
        key: `${at}.ref`,
        rule: rule([
          'must be <host>[:<port>]/<path> without tag or digest',
          fr`doit être <hôte>[:<port>]/<chemin> sans étiquette ni empreinte`,
        ]),
      });
    }
    if (fileset.version !== undefined && !isTag(fileset.version)) {
      findings.push({
        key: `${at}.version`,
        rule: rule(['must be an exact tag', fr`doit être une étiquette exacte`]),
      });
    }
    if (fileset.platform !== undefined && parsePlatform(fileset.platform) === undefined) {
      findings.push({
        key: `${at}.platform`,
        rule: rule([
          'must be os/arch or os/arch/variant, such as linux/amd64',
          fr`doit être os/arch ou os/arch/variante, par exemple linux/amd64`,
        ]),
      });
    }
  }
  return findings;
}

function checkMediumLog({ logging: { media } }: Config): Finding[] {
  const key = 'logging.media.file';
  const outside = rule([
    'must be below _svc/, which the medium manifest does not cover',
    fr`doit être sous _svc/, que le manifeste du support ne couvre pas`,
  ]);
  if (media.disabled) return [];
  if (media.file.startsWith('/') || /[\\:]/.test(media.file)) {
    return [
      {
        key,
        rule: rule(
          [
            'must be a relative path in the store with / as separator; it {rule}',
            fr`doit être un chemin relatif dans le stockage, avec / comme séparateur ; il {rule}`,
          ],
          { rule: outside },
        ),
      },
    ];
  }
  const parts = posix.normalize(media.file).split('/');
  if (parts[0] !== '_svc' || parts.length < 2 || parts.at(-1) === '') return [{ key, rule: outside }];
  const reserved = parts[1] === 'tmp' || (parts.length === 2 && /^(?:lock|journal)/.test(parts[1]!));
  return reserved
    ? [
        {
          key,
          rule: rule([
            'must not be the path of a file of the store',
            fr`ne doit pas être le chemin d’un fichier du stockage`,
          ]),
        },
      ]
    : [];
}

/** Requires folders, not files, at folder paths: commands would fail later without naming the setting. */
async function checkKinds({ storage, state }: Config): Promise<Finding[]> {
  const folders: [key: string, path: string | undefined][] = [
    ['storage.root', storage.root],
    ['state.root', state.root],
  ];
  const findings: Finding[] = [];
  for (const [key, path] of folders) {
    if (path === undefined) continue;
    const isFile = await stat(path).then(
      (info) => !info.isDirectory(),
      (error: NodeJS.ErrnoException) => error.code === 'ENOTDIR',
    );
    if (isFile)
      findings.push({
        key,
        rule: rule([
          'must be a folder: it is a file, or is below a file',
          fr`doit être un dossier : c’est un fichier, ou il est sous un fichier`,
        ]),
      });
  }
  return findings;
}

async function checkFolders({ storage, state }: Config): Promise<Finding[]> {
  if (storage.root === undefined || state.root === undefined) return [];
  const [store, own] = await Promise.all([resolveLinks(storage.root), resolveLinks(state.root)]);
  if (isInside(own, store)) {
    const broken = rule([
      'must not be inside storage.root: its files would be carried with the store',
      fr`ne doit pas être dans storage.root : ses fichiers seraient transportés avec le stockage`,
    ]);
    return [{ key: 'state.root', with: ['storage.root'], rule: broken }];
  }
  if (isInside(store, own)) {
    return [
      {
        key: 'storage.root',
        with: ['state.root'],
        rule: rule(['must not be inside state.root', fr`ne doit pas être dans state.root`]),
      },
    ];
  }
  return [];
}

/** Requires secrets outside the store: a medium would carry them, and its writer could choose the key. */
async function checkSecretsOutside({
  storage,
  registries,
  server,
  trust,
  signing,
  peers,
}: Config): Promise<Finding[]> {
  if (storage.root === undefined) return [];
  const store = await resolveLinks(storage.root);
  const files: [key: string, path: string | undefined][] = [
    ['registries.credentialsFile', registries.credentialsFile],
    ['server.tls.keyFile', server.tls.keyFile],
    ['signing.keyFile', signing.keyFile],
    ['signing.passwordFile', signing.passwordFile],
    ...peers.map(({ keyFile }, index): [string, string] => [`peers[${index}].keyFile`, keyFile]),
    ...trust.roots.map(({ keyFile }, index): [string, string | undefined] => [
      `trust.roots[${index}].keyFile`,
      keyFile,
    ]),
  ];
  const findings: Finding[] = [];
  for (const [key, path] of files) {
    if (path === undefined || !isInside(await resolveLinks(path), store)) continue;
    const broken = rule(['must be outside storage.root', fr`doit être hors de storage.root`]);
    findings.push({
      key,
      with: ['storage.root'],
      rule: broken,
      code: 'SVC-CFG-002',
      path,
      root: storage.root,
    });
  }
  return findings;
}
