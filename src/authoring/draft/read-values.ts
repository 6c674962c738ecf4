import { isYamlMap, type YamlMap } from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { readForeignYaml, resolveMerges } from '../foreign/documents.ts';

/**
 * Reads a file of values for a chart.
 *
 * @param file name of the document in errors
 * @throws SVC-VAL-001, also when the document is no map, SVC-VAL-002
 */
export function readValues(bytes: Uint8Array, file: string): YamlMap {
  const values = resolveMerges(readForeignYaml(bytes, file));
  if (isYamlMap(values)) return values;
  throw svcError('SVC-VAL-001', {
    file,
    rule: rule(['must be a map of members', fr`doit être un objet de membres`]),
  });
}
