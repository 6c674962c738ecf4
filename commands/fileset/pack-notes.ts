import type { FilesetSetting } from '../../src/engine/fileset/select-fileset.ts';
import type { FilesetName } from '../../src/fileset/fileset-name.ts';
import type { UnsignedPackages } from '../../src/fileset/package-check/count-unsigned.ts';
import { selectHighest } from '../../src/recipe/version.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say } from '../../src/text/language.ts';
import { faultSentences } from './fault-sentences.ts';
import type { IndexLack } from './look-at-index.ts';
import type { MadeIndex } from './make-index.ts';

/** Says whether an index was made or kept. */
export function toIndexNote({ kept }: Pick<MadeIndex, 'kept'>): Sentence {
  return kept
    ? [
        'svc: the index describes these packages already, and is signed by this key: it was kept',
        fr`svc: l’index décrit déjà ces paquets et est signé par cette clé : il a été gardé`,
      ]
    : ['svc: the index was made and signed', fr`svc: l’index a été fait et signé`];
}

/** The note on packages without a signature of their own, with the consequences. */
export function toUnsignedNote({ packages, unsigned }: UnsignedPackages): Sentence {
  return [
    `svc: packages without a signature of their own: ${unsigned} of ${packages}. The signed index binds them by their SHA-256, and nodes get gpgcheck=0 (svc client config dnf). Without a signed index, dnf refuses them. To sign packages: rpmsign --addsign, then pack again`,
    fr`svc: paquets sans signature propre : ${unsigned} sur ${packages}. L’index signé les fixe par leur SHA-256, et les nœuds reçoivent gpgcheck=0 (svc client config dnf). Sans index signé, dnf les refuse. Pour signer des paquets : rpmsign --addsign, puis empaquetez de nouveau`,
  ];
}

/** Warns of a folder of packages that clients cannot use as it is. */
export function toLackWarning(directory: string, { kind, finding }: IndexLack): Sentence {
  const folder = escapeText(directory);
  if (finding === undefined)
    return [
      `${folder} has packages and no index, so that clients install none of them: --index ${kind} --gpg-key FINGERPRINT makes one`,
      fr`${folder} a des paquets et pas d’index, et aucun client ne les installera : --index ${kind} --gpg-key EMPREINTE en fait un`,
    ];
  const [english, french] = faultSentences[finding.fault];
  const path = escapeText(finding.path);
  return [
    `the index of ${folder} does not describe its packages (${path}: ${english}): --index ${kind} --gpg-key FINGERPRINT makes it anew`,
    fr`l’index de ${folder} ne décrit pas ses paquets (${path} : ${french}) : --index ${kind} --gpg-key EMPREINTE le refait`,
  ];
}

/**
 * Formats the configuration that serves a FileSet: an entry of `files.filesets`, and the keys above it where the
 * configuration has none yet. A version is named only where the newest cannot be told by it.
 *
 * @param configured entries that the configuration of the command has
 */
export function toServingLines(
  { name, version, ref }: FilesetName & { readonly ref: string },
  configured: readonly Pick<FilesetSetting, 'name' | 'ref' | 'version'>[],
  language: Language,
): string {
  const path = `/files/${name}/`;
  const known = configured.find((each) => each.name === name);
  if (known !== undefined) return `${say(toKnown(known, { path, version, ref }), language)}\n`;
  const isVersion = selectHighest([version]) !== undefined;
  const comment: Sentence =
    configured.length > 0
      ? [
          `# add this entry to files.filesets: it is served under ${path}`,
          fr`# ajoutez cette entrée à files.filesets : elle est servie sous ${path}`,
        ]
      : [
          `# configuration that serves it under ${path}; where files.filesets is there already, add the entry alone`,
          fr`# configuration qui le sert sous ${path} ; là où files.filesets existe déjà, ajoutez l’entrée seule`,
        ];
  const pin = say(
    isVersion
      ? [
          '# the newest version is served; to pin one:',
          fr`# la version la plus récente est servie ; pour en fixer une :`,
        ]
      : [
          '# no semantic version, of which the newest could be served',
          fr`# pas une version sémantique, dont la plus récente pourrait être servie`,
        ],
    language,
  );
  return [
    say(comment, language),
    ...(configured.length > 0 ? [] : ['files:', '  filesets:']),
    `    - name: "${name}"`,
    `      ref: ${ref}`,
    isVersion ? `      ${pin} version: "${version}"` : `      version: "${version}" ${pin}`,
    '',
  ].join('\n');
}

/** The note on an entry with the name of the FileSet: the content that it serves. */
function toKnown(
  known: Pick<FilesetSetting, 'name' | 'ref' | 'version'>,
  { path, version, ref }: { readonly path: string; readonly version: string; readonly ref: string },
): Sentence {
  if (known.ref !== ref)
    return [
      `svc: warning: files.filesets has ${path} from ${known.ref}: to serve ${ref} too, give it another name`,
      fr`svc: avertissement : files.filesets a ${path} de ${known.ref} : pour servir aussi ${ref}, donnez-lui un autre nom`,
    ];
  if (known.version === undefined || known.version === version)
    return [
      `svc: files.filesets has ${path} already: nothing to add`,
      fr`svc: files.filesets a déjà ${path} : rien à ajouter`,
    ];
  return [
    `svc: warning: files.filesets pins ${path} to version ${known.version}: to serve ${version}, change the pin or remove it`,
    fr`svc: avertissement : files.filesets fixe ${path} à la version ${known.version} : pour servir ${version}, changez-la ou retirez-la`,
  ];
}
