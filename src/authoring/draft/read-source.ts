import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isChartReference } from '../../chart/chart-reference.ts';
import { isAbsent } from '../../disk/is-absent.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { isQualifiedHost, withoutCredentials } from '../../oci/reference.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { isSvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { withoutUrlSecrets } from '../../text/secrets/url-secrets.ts';
import { textParam } from '../../text/text-param.ts';
import { type SourceFormat, sourceFormats } from '../foreign/model.ts';
import type { ReadSource, SourceOptions } from './model.ts';
import { readChartSource } from './read-chart-source.ts';
import { readFolderSource } from './read-folder-source.ts';
import { readFileSource, readTextSource } from './read-local-source.ts';
import { readPackedSource } from './read-packed-source.ts';
import { readRepositorySource } from './read-repository-source.ts';

/** Splits the prefix that forces a form: `compose:stack.yaml`. */
function splitPrefix(given: string): { readonly format?: SourceFormat; readonly place: string } {
  const colon = given.indexOf(':');
  const format = sourceFormats.find((each) => each === given.slice(0, colon));
  return format === undefined || given.startsWith(`${format}://`)
    ? { place: given }
    : { format, place: given.slice(colon + 1) };
}

/**
 * Reads a source of a draft: a file, a folder, standard input (`-`), or a repository of a registry. Charts are named by
 * `oci://…`, or `https://…` for a classic repository. The form is recognised by the content unless a prefix names it.
 *
 * @returns one source; of a folder, one for each thing in it that is read for itself
 * @throws SVC-FIL-005 when it cannot be read, SVC-VAL-001, SVC-VAL-002, SVC-CHT-002, errors of the registry
 */
export async function readSources(
  given: string,
  access: RemoteReading,
  options: SourceOptions,
): Promise<readonly ReadSource[]> {
  try {
    return await read(given, access, options);
  } catch (error) {
    if (!isSvcError(error, 'SVC-SIG-003')) throw error;
    // nothing was promised about the source, so this is no failed verification
    const { reference } = error.params;
    throw svcError(
      'SVC-VAL-001',
      {
        file: String(reference ?? withoutCredentials(given)),
        rule: rule(['is no Helm chart: {actual}', fr`n’est pas un chart Helm : {actual}`], {
          actual: textParam(error, 'actual'),
        }),
      },
      { cause: error },
    );
  }
}

async function read(
  given: string,
  access: RemoteReading,
  options: SourceOptions,
): Promise<readonly ReadSource[]> {
  const { format, place } = splitPrefix(given);
  const source = withoutUrlSecrets(withoutCredentials(place));
  if (place === '')
    throw svcError('SVC-VAL-001', {
      file: given,
      rule: rule(['must name a source', fr`doit nommer une source`]),
    });
  if (place === '-')
    return [readTextSource({ source: 'stdin', format, bytes: options.input ?? Buffer.alloc(0) }, options)];
  if (/^oci:\/\//i.test(place) || isChartReference(place)) {
    if (format !== undefined && format !== 'chart')
      throw svcError('SVC-VAL-001', {
        file: source,
        rule: rule([
          'only a chart is read from a URL: save the document',
          fr`seul un chart se lit depuis une URL : enregistrez le document`,
        ]),
      });
    return [await readChartSource({ source, place }, access, options)];
  }
  if (format === 'repository') return [await readRepositorySource(place, access, options)];
  const path = resolve(place);
  const kind = await lookAt(path, place);
  if (kind === 'folder' && format === 'fileset') return [readPackedSource({ source, path }, options)];
  if (kind === 'folder') return readFolderSource({ source, path, format }, access, options);
  if (kind === 'file' && format === 'fileset')
    throw svcError('SVC-VAL-001', {
      file: source,
      rule: rule(['is a file: fileset: packs a folder', fr`est un fichier : fileset: empaquette un dossier`]),
      problem: 'folder',
    });
  if (kind === 'file') return [await readFileSource({ source, path, format }, access, options)];
  const slash = place.indexOf('/');
  if (format === undefined && slash > 0 && isQualifiedHost(place.slice(0, slash).toLowerCase()))
    return [await readRepositorySource(place, access, options)];
  throw svcError('SVC-FIL-005', { path: source, absent: source });
}

async function lookAt(path: string, shown: string): Promise<'file' | 'folder' | undefined> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw toNamedFileError(error, shown);
  }
}
