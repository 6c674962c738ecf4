import { join } from 'node:path';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { type FolderSelection, isDefinition } from './select-folder.ts';

/** Sources in one rule. */
const mostNamed = 8;

/** Why a file does not speak for a source: it is no document of svc, or nothing looked at it. */
const plain: ReadonlySet<string> = new Set([
  'other-kind',
  'no-known-form',
  'empty',
  'hidden',
  'link',
  'too-deep-folder',
]);

/**
 * Decides whether a folder is packed as a whole. It is when nothing in it is, or could be meant as, a source. A chart
 * or the definition of a package defines the folder; any other source beside plain files does not.
 *
 * @param source name of the folder, for the forms that the rule names
 * @returns the rule that a folder breaks which could be packed or read
 */
export function selectPacking(
  source: string,
  { charts, documents, manifests, leftOut }: FolderSelection,
): { readonly isPacked: boolean } | { readonly rule: Rule } {
  const taken = [
    ...charts.map((path) => join(source, path)),
    ...documents.map(({ path }) => join(source, path)),
    ...(manifests.length > 0 ? [`manifests:${source}`] : []),
  ];
  if (taken.length > 0) {
    const first = charts[0] ?? documents[0]?.path ?? manifests[0]!.path;
    const saysAll = charts.includes('') || documents.some(isDefinition);
    const other = leftOut.find(({ reason }) => reason === 'other-kind');
    if (saysAll || other === undefined) return { isPacked: false };
    const reads = taken.slice(0, mostNamed).map((each) => `--from ${each}`);
    return {
      rule: rule(
        [
          'has {first} beside {path}: --from fileset:{source} packs the folder, {reads} reads its files',
          fr`contient {first} à côté de {path} : --from fileset:{source} empaquette le dossier, {reads} lit ce qu’il contient`,
        ],
        { first, path: other.path, source, reads: reads.join(' ') },
      ),
    };
  }
  const doubtful = leftOut.find(({ reason }) => !plain.has(reason));
  if (doubtful === undefined) return { isPacked: leftOut.length > 0 };
  return {
    rule: rule(
      [
        'has {path}: --from fileset:{source} packs the folder, --from {place} names it alone',
        fr`contient {path} : --from fileset:{source} empaquette le dossier, --from {place} le nomme seul`,
      ],
      { path: doubtful.path, source, place: join(source, doubtful.path) },
    ),
  };
}
