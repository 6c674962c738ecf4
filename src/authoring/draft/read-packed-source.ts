import { basename } from 'node:path';
import { isFilesetName } from '../../fileset/fileset-name.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import type { ReadSource, SourceOptions } from './model.ts';

/**
 * Takes a folder as a whole: it becomes a FileSet of its name.
 *
 * @throws SVC-VAL-001 when folders are not packed, or when the name of the folder cannot be that of a FileSet
 */
export function readPackedSource(
  { source, path }: { readonly source: string; readonly path: string },
  { packsFolders }: Pick<SourceOptions, 'packsFolders'>,
): ReadSource {
  const refuse = (broken: Rule) => svcError('SVC-VAL-001', { file: source, rule: broken, problem: 'folder' });
  if (!packsFolders)
    throw refuse(
      rule([
        'is packed into a registry: name the place of its FileSet with --push-filesets REGISTRY/PATH',
        fr`s’empaquette vers un registre : nommez la place de son FileSet avec --push-filesets REGISTRE/CHEMIN`,
      ]),
    );
  if (!isFilesetName(basename(path)))
    throw refuse(
      rule([
        'the name of a FileSet has lower-case letters and digits, separated by . _ __ or -; svc fileset pack DIRECTORY NAME:VERSION --push REGISTRY/PATH:VERSION packs a folder under another name',
        fr`le nom d’un FileSet a des lettres minuscules et des chiffres, séparés par . _ __ ou - ; svc fileset pack DOSSIER NOM:VERSION --push REGISTRE/CHEMIN:VERSION empaquette un dossier sous un autre nom`,
      ]),
    );
  return { source, format: 'fileset', contents: { images: [], charts: [], omissions: [] }, folder: path };
}
