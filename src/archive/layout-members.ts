import { type Digest, isDigest } from '../base/digest.ts';
import { indexPath, layoutPath } from '../oci/layout.ts';
import { fr } from '../text/language.ts';
import { type Rule, rule } from '../text/rule.ts';

/** Role of a path in a layout; `foreign` has the rule that the path breaks. */
type LayoutMember =
  | { readonly role: 'marker' | 'index' | 'folder' }
  | { readonly role: 'blob'; readonly digest: Digest }
  | { readonly role: 'foreign'; readonly rule: Rule };

/** Maximum number of members of a layout: enough for a store of half a million blobs. */
export const memberLimit = 600_000;

/** Folders of a layout; `ingest`, where containerd prepares blobs, must be empty. */
const folders: ReadonlySet<string> = new Set(['', '.', 'blobs', 'blobs/sha256', 'blobs/sha512', 'ingest']);

const foreign = (rule: Rule): LayoutMember => ({ role: 'foreign', rule });

/**
 * Returns the role of a path of an archive or folder. One leading `./`, which tar writes, is ignored; any other path that
 * could leave the layout is foreign.
 */
export function toLayoutMember(path: string, kind: 'file' | 'folder' | 'link' | 'special'): LayoutMember {
  if (/[\0\\]/.test(path))
    return foreign(
      rule(['the name has a NUL or a backslash', fr`le nom contient un NUL ou une barre oblique inverse`]),
    );
  if (path.startsWith('/')) return foreign(rule(['the path is absolute', fr`le chemin est absolu`]));
  const name = path.startsWith('./') ? path.slice(2) : path;
  if (
    name !== '' &&
    name !== '.' &&
    name.split('/').some((part) => part === '' || part === '.' || part === '..')
  )
    return foreign(
      rule(['the path has empty or dot segments', fr`le chemin a des segments vides ou en points`]),
    );
  const stranger = toKnownStranger(name);
  if (stranger !== undefined) return foreign(stranger);
  if (kind === 'link')
    return foreign(
      rule(['a link is not part of a layout', fr`un lien ne fait pas partie d’une disposition`]),
    );
  if (kind === 'special')
    return foreign(
      rule([
        'a device or pipe is not part of a layout',
        fr`un périphérique ou un tube ne fait pas partie d’une disposition`,
      ]),
    );
  if (kind === 'folder')
    return folders.has(name)
      ? { role: 'folder' }
      : foreign(
          rule(['the folder is not part of a layout', fr`le dossier ne fait pas partie d’une disposition`]),
        );
  if (name === layoutPath) return { role: 'marker' };
  if (name === indexPath) return { role: 'index' };
  const [top, algorithm, hex, ...rest] = name.split('/');
  const digest = `${algorithm}:${hex}`;
  if (top === 'blobs' && hex !== undefined && rest.length === 0) {
    if (isDigest(digest)) return { role: 'blob', digest };
    return foreign(
      rule([
        'the name is not a sha256 or sha512 digest, so the file cannot be verified',
        fr`le nom n’est pas une empreinte sha256 ou sha512, le fichier ne peut donc pas être vérifié`,
      ]),
    );
  }
  return foreign(
    rule(['the file is not part of a layout', fr`le fichier ne fait pas partie d’une disposition`]),
  );
}

/** Recognises two formats that are often mistaken for a layout, and returns the remedy. */
function toKnownStranger(name: string): Rule | undefined {
  const isDockerSave =
    /^(?:manifest\.json|repositories|[0-9a-f]{64}(?:\.json|\.tar|(?:\/(?:layer\.tar|json|VERSION))?))$/;
  if (isDockerSave.test(name))
    return rule([
      'it was made by docker save: convert it with `skopeo copy docker-archive:<file> oci-archive:<new file>:<name>:<tag>`',
      fr`elle vient de docker save ; convertissez-la avec \`skopeo copy docker-archive:<fichier> oci-archive:<nouveau fichier>:<nom>:<étiquette>\``,
    ]);
  if (/^(?:_svc|ledger)(?:\/|$)|^media\.jsonl$/.test(name))
    return rule([
      'it is a store of svc: carry it with `svc media import`, or make a layout of it with `svc export`',
      fr`c’est un stockage de svc ; transportez-le avec \`svc media import\`, ou faites-en une disposition avec \`svc export\``,
    ]);
  return undefined;
}
